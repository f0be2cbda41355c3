"""A tournament as one file for programs (O9): a copy, a loan and its recall, and a file of another site taken in."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import find_private, find_tournament, is_for_tournament
from api.acts import find_organised
from api.organise import OwnTournamentSerializer
from games.engine.record import Json
from players import caps
from players.api.api_view import Scope
from players.api.bodies import StrictSerializer
from players.api.problems import ApiRefusal
from players.api.writes import Write, serve
from players.services.tokens import NEW, add_target, make_target
from tournaments.models import Tournament
from tournaments.transfer.admission import admit_file
from tournaments.transfer.document import MAX_FILE_BYTES, write_json
from tournaments.transfer.faults import FileRefused
from tournaments.transfer.loans import (
    MAX_PLACE_CHARACTERS,
    Incoming,
    check_file,
    lend_tournament,
    recall_tournament,
    store_incoming,
)
from tournaments.transfer.outgoing import make_copy

MOST_FAULTS = 100  # that an answer tells


class FileField(serializers.JSONField):
    """Tournament's file, as it stands in sharing.md."""


class LoanFileSerializer(serializers.Serializer[Json]):
    file = FileField()


class FileBody(StrictSerializer):
    file = FileField()


class LoanBody(StrictSerializer):
    to = serializers.CharField(max_length=MAX_PLACE_CHARACTERS, help_text="where it is played meanwhile")


@contextmanager
def check_sent_file(write: Write) -> Iterator[Incoming]:
    """Check the file of a write before anything is locked. ApiRefusal with its first faults."""
    try:
        with admit_file(write.player, write.now):
            yield check_file(data=write_json(write.data["file"]), by=write.player, now=write.now)
    except FileRefused as refused:
        problems = [{"code": fault.code, "place": fault.place} for fault in refused.faults[:MOST_FAULTS]]
        raise ApiRefusal(409, "file_refused", _("Questo file non si può importare."), problems=problems) from None


class TransferActs:
    """Acts on files, mixed into the view of tournaments."""

    @property
    def body_bytes(self) -> int:
        """Return how much a program may send: a file may be longer than other bodies."""
        return MAX_FILE_BYTES + 1024 if getattr(self, "action", "") == "take_in" else caps.API_BODY_BYTES

    @extend_schema(responses={200: OpenApiTypes.OBJECT, 409: OpenApiTypes.OBJECT})
    @action(detail=True)
    def copy(self, request: Request, public_id: str) -> Response:
        """The tournament as a file; it goes on here as if nothing had been."""
        tournament, _player = find_private(request, public_id)
        return Response(json.loads(make_copy(tournament, timezone.now())))

    @serve(path="lend", scope=Scope.ORGANISE, body=LoanBody, answer=LoanFileSerializer)
    def lend(self, write: Write, public_id: str) -> Json:
        """Return the file that takes the tournament to another site; here it is read-only until it returns."""
        tournament, to = find_organised(write, public_id), write.data["to"]
        data = lend_tournament(tournament_id=tournament.pk, by=write.player, to=to, now=write.now)
        return {"file": json.loads(data)}

    @serve(path="recall", scope=Scope.ORGANISE, answer=OwnTournamentSerializer)
    def recall(self, write: Write, public_id: str) -> Tournament:
        """End a loan without its file, which is refused from now on."""
        tournament = find_organised(write, public_id)
        recall_tournament(tournament_id=tournament.pk, by=write.player, now=write.now)
        return find_tournament(write.request, public_id)

    @serve(
        path="import", detail=False, scope=Scope.ORGANISE, body=FileBody, answer=OwnTournamentSerializer, status=201,
        prepare=check_sent_file,
    )  # fmt: skip
    def take_in(self, write: Write) -> Tournament:
        """Take a file in, all of it or nothing: another site's tournament, or one that was lent and comes back."""
        with transaction.atomic():
            tournament = store_incoming(write.ready, by=write.player, now=write.now)
            if tournament.imported_from and NEW in write.token.targets:
                add_target(token=write.token, target=make_target("tournament", tournament.public_id))
            if not is_for_tournament(write.token, tournament):
                raise ApiRefusal(403, "not_chosen", _("Questa chiave non è per questo torneo."))
        return find_tournament(write.request, tournament.public_id)
