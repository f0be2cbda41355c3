"""Writes of programs: a key with the scope they take, a body that is checked, and an answer that is given once.

A write sent with an ``Idempotency-Key`` is done in one transaction with its answer: whoever sends it again, with the
same key, route and body, gets that answer, and nothing is done. Refusals are kept nowhere: nothing was done. What takes
long to read and to check is read and checked before that transaction (AT11).
"""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import wraps
from hashlib import sha256
from http import HTTPMethod
from inspect import getdoc
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from players import caps
from players.api.api_view import ApiView, require_scope
from players.api.bodies import StrictSerializer
from players.api.problems import ApiRefusal
from players.models import AccessToken, IdempotentAnswer, Player
from players.selectors import player_for

KEY_HEADER = "Idempotency-Key"
MAX_KEY_CHARACTERS = 100
REPLAY_HEADER = "Idempotent-Replayed"
Answer = tuple[int, Any]  # status and body


class NoBody(StrictSerializer):
    """Body of a write that needs none."""


@dataclass(frozen=True, slots=True)
class Write:
    """Write on its way: by which key, for whom, when, and its body, checked."""

    request: Request
    token: AccessToken
    player: Player
    now: datetime
    data: Any
    ready: Any = None  # what was read and checked beforehand


def serve(
    *,
    scope: str,
    body: type[StrictSerializer] = NoBody,
    answer: type[serializers.BaseSerializer[Any]] | None = None,
    status: int = 0,
    path: str = "",
    detail: bool = True,
    method: str = "post",
    partial: bool = False,
    beside: Any = None,
    prepare: "Callable[..., AbstractContextManager[Any]] | None" = None,
) -> Callable[[Callable[..., Any]], Any]:
    """Make a method of a view answer a write; it is given the ``Write`` and what stands in the address.

    What it returns is answered as ``answer`` says, by default with 200; with no ``answer``, 204. ``path``: of an act;
    without one the method is named as the router knows it. ``partial``: every field of the body may be missing.
    ``beside``: the read at the same address. ``prepare``: around the work and its transaction, unless it was done
    before; given the write and what stands in the address, it gives ``Write.ready``.
    """
    status = status or (200 if answer is not None else 204)

    def decorate(work: Callable[..., Any]) -> Any:
        @wraps(work)
        def handle(self: ApiView, request: Request, **place: Any) -> Response:
            token = require_scope(request, scope)
            player = player_for(request.user)
            if player is None:
                raise ApiRefusal(403, "account_needed", _("Serve un account che gioca."))
            form = body(data=request.data, partial=partial)
            form.is_valid(raise_exception=True)
            write = Write(request, token, player, timezone.now(), form.validated_data)

            def run(write: Write) -> Answer:
                result = work(self, write, **place)
                return status, None if answer is None else answer(result, context={"write": write}).data

            ready: AbstractContextManager[Any] = nullcontext() if prepare is None else prepare(write, **place)
            replayed, (code, data) = answer_once(write, run, ready)
            response = Response(data, status=code)
            if replayed:
                response[REPLAY_HEADER] = "true"
            return response

        handle.writes = scope  # type: ignore[attr-defined]  # read by the law of the matrix
        described = extend_schema(
            request=None if body is NoBody else body,
            responses={status: answer},
            parameters=[
                OpenApiParameter(KEY_HEADER, str, OpenApiParameter.HEADER, description="the same write is done once")
            ],
            description=f"{getdoc(work) or ''}\n\nScope: *{scope}*.",
        )
        if beside is not None:
            return getattr(beside.mapping, method)(described(handle))
        if path:
            return described(action(detail=detail, methods=[HTTPMethod(method.upper())], url_path=path)(handle))
        return described(handle)

    return decorate


def answer_once(
    write: Write, run: Callable[[Write], Answer], prepared: AbstractContextManager[Any]
) -> tuple[bool, Answer]:
    """Run a write, ``prepared`` before, or give its answer again if it was done with this key. Return whether, and the
    answer.

    ApiRefusal: 400 for a key that won't do, 409 for one that came with another body.
    """
    key = write.request.headers.get(KEY_HEADER)
    if key is None:
        with prepared as ready:
            return False, run(replace(write, ready=ready))
    if not 1 <= len(key) <= MAX_KEY_CHARACTERS or not key.isascii() or not key.isprintable():
        fault = serializers.ErrorDetail(_("Da 1 a 100 caratteri semplici."), "invalid")
        raise serializers.ValidationError({KEY_HEADER: fault})
    about = {"token": write.token, "route": f"{write.request.method} {write.request.path}"[:200], "key": key}
    digest = sha256(json.dumps(write.request.data, sort_keys=True, default=str).encode()).hexdigest()
    expired = write.now - caps.ANSWERS_KEPT
    row = IdempotentAnswer.objects.filter(**about, created_at__gt=expired).first()
    if row is not None:
        return True, _read_answer(row, digest)
    with prepared as ready, transaction.atomic():
        IdempotentAnswer.objects.filter(**about, created_at__lte=expired).delete()
        row, new = IdempotentAnswer.objects.get_or_create(
            **about, defaults={"body_digest": digest, "created_at": write.now}
        )
        if not new:  # meanwhile
            return True, _read_answer(row, digest)
        code, data = run(replace(write, ready=ready))
        row.status, row.body = code, json.loads(JSONRenderer().render(data) or b"null")
        row.save(update_fields=["status", "body"])
    return False, (code, data)


def _read_answer(row: IdempotentAnswer, digest: str) -> Answer:
    """Return a write's first answer. ApiRefusal: it was another one's."""
    if row.body_digest != digest:
        raise ApiRefusal(409, "key_reused", _("Questa chiave di ripetizione è già di un'altra richiesta."))
    return row.status, row.body
