"""Desk passes (O9): access to the desk of one tournament from another machine of a hall's network, for an evening.

A pass is good for the first browser that opens its link, until the next morning or until who runs the tournament ends
it. Only a digest of its link is stored. Where passes count is decided by the middleware (``desk_middleware.py``).
"""

import secrets
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare

from players import caps
from players.keyed_digests import compute_keyed_digest, list_keyed_digests
from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.permissions import may_run, require_organiser
from tournaments.core.states import UNDER_WAY
from tournaments.models import DeskPass, Tournament

TOKEN_BYTES = 24
SALT = "tournaments.organise.passes"


@transaction.atomic
def make_pass(*, tournament_id: int, by: Player, now: datetime) -> str:
    """Make a pass. Return the token of its link, which nobody can read again.

    TournamentError: not_organiser, not_running (a draft), over, desk_passes_many.
    """
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state not in UNDER_WAY:
        raise TournamentError("not_running" if tournament.state == Tournament.State.DRAFT else "over")
    tournament.desk_passes.filter(expires_at__lte=now).delete()
    if tournament.desk_passes.count() >= caps.DESK_PASSES:
        raise TournamentError("desk_passes_many", limit=caps.DESK_PASSES)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    DeskPass.objects.create(
        tournament=tournament,
        by=by,
        digest=compute_pass_digest(token),
        password_mark=by.user.get_session_auth_hash(),
        made_at=now,
        expires_at=find_evening_end(tournament, now),
    )
    write_log(tournament, "desk_pass_made", now, by)
    store_version(tournament)
    return token


@transaction.atomic
def end_pass(*, tournament_id: int, by: Player, pass_id: int, now: datetime) -> None:
    """End a pass: from now on it opens nothing; done again it changes nothing. TournamentError: not_organiser."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.desk_passes.filter(pk=pass_id).delete()[0]:
        write_log(tournament, "desk_pass_ended", now, by)
        store_version(tournament)


@transaction.atomic
def claim_pass(*, tournament_id: int, token: str, now: datetime) -> DeskPass | None:
    """Take the pass of this link for one browser. Return it, None where it is no pass of this tournament's, is over, or
    another browser has it. TournamentError: lent."""
    tournament = lock_tournament(tournament_id)
    passes = tournament.desk_passes.filter(digest__in=list_keyed_digests(SALT, token))
    free = passes.filter(used_at=None, expires_at__gt=now).first()
    if free is None:
        return None
    tournament.desk_passes.filter(pk=free.pk).update(used_at=now)
    desk_pass = find_pass(free.digest, now)
    if desk_pass is not None:
        write_log(tournament, "desk_pass_used", now, desk_pass.by)
        store_version(tournament)
    return desk_pass


def find_pass(digest: str, now: datetime) -> DeskPass | None:
    """Return the pass that a browser has taken, while it counts: who made it still runs the tournament, with the same
    password."""
    passes = DeskPass.objects.select_related("tournament", "by__user")
    row = passes.filter(digest=digest, used_at__isnull=False, expires_at__gt=now, by__user__is_active=True).first()
    if row is None:
        return None
    marks = (row.by.user.get_session_auth_hash(), *row.by.user.get_session_auth_fallback_hash())
    if not any(constant_time_compare(row.password_mark, mark) for mark in marks):
        return None
    return row if may_run(row.tournament, row.by) else None


def list_passes(tournament: Tournament, now: datetime) -> QuerySet[DeskPass]:
    """Return the passes that haven't expired, as they were made."""
    return tournament.desk_passes.filter(expires_at__gt=now).order_by("pk")


def compute_pass_digest(token: str) -> str:
    """Return what is stored of a link, and kept in the session of whoever opened it."""
    return compute_keyed_digest(SALT, token)


def find_evening_end(tournament: Tournament, now: datetime) -> datetime:
    """Return the end of this evening: the next morning, where the tournament is."""
    zone = ZoneInfo(tournament.time_zone)
    evening = (now.astimezone(zone) - timedelta(hours=caps.HALL_ENDS_AT_HOUR)).date()
    return datetime.combine(evening + timedelta(days=1), time(caps.HALL_ENDS_AT_HOUR), tzinfo=zone)
