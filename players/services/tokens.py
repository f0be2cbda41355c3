"""Keys of programs: made, found by their text, deleted. The text is shown once; a digest of it is all that is kept.

What a key may organise is a list of targets: ``tournament:<id>``, ``club:<id>``, ``new`` for the tournaments that it
makes itself, ``own`` for what hangs on no tournament (register, series, circuits, webhooks), and ``moderation`` for
what the site's staff does (U2). Nothing here knows what those are.
"""

import hashlib
import json
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, TextField
from django.db.models.functions import Cast
from django.utils.crypto import constant_time_compare

from players import caps
from players.models import AccessToken, IdempotentAnswer, User
from players.selectors import is_suspended

PREFIX = "smz_"  # whoever finds one in a file knows what it is
TOKEN_BYTES = 32
NEW, OWN, MODERATION = "new", "own", "moderation"
USE_NOTED_AFTER = timedelta(minutes=1)
Scope = AccessToken.Scope


class TooManyTokens(Exception):
    """Refusal of one more key."""


def make_target(kind: str, public_id: str) -> str:
    """Return the target for a tournament or a club."""
    return f"{kind}:{public_id}"


def compute_digest(text: str) -> str:
    """Return the digest under which a key is kept: it is long and random, so one round is enough."""
    return hashlib.sha256(text.encode()).hexdigest()


@transaction.atomic
def create_token(
    *, user: User, name: str, scopes: Collection[str], targets: Collection[str], days: int, now: datetime
) -> tuple[AccessToken, str]:
    """Make a key. Return it with its text, which nobody can read again. TooManyTokens beyond the cap."""
    if days not in caps.TOKEN_DAYS or not set(scopes) <= set(Scope.values):
        raise ValueError(f"no such key: {days} days, {scopes}")
    owner = User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two at once are counted in turn
    if owner.access_tokens.filter(expires_at__gt=now).count() >= caps.TOKENS_A_PERSON:
        raise TooManyTokens
    text = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    token = AccessToken.objects.create(
        user=owner,
        name=name,
        digest=compute_digest(text),
        password_mark=owner.get_session_auth_hash(),
        scopes=[scope for scope in Scope.values if scope in scopes],
        targets=sorted(targets) if Scope.ORGANISE in scopes else [],
        created_at=now,
        expires_at=now + timedelta(days=days),
    )
    return token, text


def find_token(text: str, now: datetime) -> AccessToken | None:
    """Return the key of this text with its user and player, and note that it was used, once a minute.

    None if there is none, it has expired, its password has changed or its account is closed or suspended (U2).
    """
    rows = AccessToken.objects.select_related("user__player")
    token = rows.filter(digest=compute_digest(text), expires_at__gt=now, user__is_active=True).first()
    if token is None or is_dead(token) or is_suspended(token.user, now):
        return None
    if token.used_at is None or token.used_at <= now - USE_NOTED_AFTER:
        AccessToken.objects.filter(pk=token.pk).update(used_at=now)
        token.used_at = now
    return token


def is_dead(token: AccessToken) -> bool:
    """Tell if the password has changed since the key was made."""
    return not constant_time_compare(token.password_mark, token.user.get_session_auth_hash())


def delete_token(*, user: User, token_id: int) -> bool:
    """Delete a key of the user's. Return False if there was none."""
    return bool(AccessToken.objects.filter(user=user, pk=token_id).delete()[0])


@transaction.atomic
def add_target(*, token: AccessToken, target: str) -> None:
    """Let a key organise what it has just made, beside what others make by it at the same time. One that was taken away
    since organises nothing any more."""
    kept = AccessToken.objects.select_for_update(no_key=True).filter(pk=token.pk).first()
    if kept is not None:
        token.targets = kept.targets = sorted({*kept.targets, target})
        kept.save(update_fields=["targets"])


def forget_answers(*, name: str) -> None:
    """Delete the answers to programs that hold this name, which is told to nobody again (I1)."""
    answers = IdempotentAnswer.objects.annotate(text=Cast("body", TextField()))
    escaped = json.dumps(name)[1:-1]  # as one of the databases keeps it
    answers.filter(Q(text__icontains=name) | Q(text__icontains=escaped)).delete()


def forget_tokens(*, now: datetime) -> int:
    """Delete the keys that have expired, and the answers that are old. Return how many keys."""
    IdempotentAnswer.objects.filter(created_at__lte=now - caps.ANSWERS_KEPT).delete()
    expired = AccessToken.objects.filter(expires_at__lte=now)
    keys = expired.count()
    expired.delete()
    return keys
