"""The hall of a tournament (AT6): the address from which everybody in one room comes, marked for its day.

Two hundred telephones in a bar are one address. What is higher there stands in ``players.caps``.
"""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction

from players import caps
from players.models import Player
from players.services import halls
from players.services.counted_acts import TooMany, count_act
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.permissions import require_organiser
from tournaments.core.states import UNFINISHED
from tournaments.models import Tournament


def find_hall_day(tournament: Tournament, now: datetime) -> date:
    """Return the day on which its hall can be marked, in its time zone: of its start, or today where it may begin any
    moment or has begun."""
    zone = ZoneInfo(tournament.time_zone)
    waits = tournament.starts_at is not None and tournament.state != Tournament.State.RUNNING
    at = tournament.starts_at if waits and tournament.starts_at is not None else now
    return at.astimezone(zone).date()


def is_hall_day(tournament: Tournament, now: datetime) -> bool:
    """Return whether that day is today."""
    return find_hall_day(tournament, now) == now.astimezone(ZoneInfo(tournament.time_zone)).date()


@transaction.atomic
def mark_hall(*, tournament_id: int, by: Player, address: str, now: datetime) -> None:
    """Mark the address that the organiser is at, until the next morning, in the place of another one.

    TournamentError: not_organiser, over, hall_not_today, halls_often.
    """
    tournament = _lock_unfinished(tournament_id, by)
    if not is_hall_day(tournament, now):
        raise TournamentError("hall_not_today")
    try:
        count_act({f"halls:{by.pk}": caps.HALLS_A_PERSON}, now=now)
    except TooMany as refused:
        raise TournamentError("halls_often", wait=refused.wait) from None
    morning = find_hall_day(tournament, now) + timedelta(days=1)
    until = datetime.combine(morning, time(caps.HALL_ENDS_AT_HOUR), tzinfo=ZoneInfo(tournament.time_zone))
    halls.mark_hall(key=tournament.public_id, address=address, until=until)
    write_log(tournament, "hall_marked", now, by)
    store_version(tournament)


@transaction.atomic
def end_hall(*, tournament_id: int, by: Player, now: datetime) -> None:
    """Take the mark back; done again it changes nothing. TournamentError: not_organiser, over."""
    tournament = _lock_unfinished(tournament_id, by)
    if halls.end_hall(key=tournament.public_id):
        write_log(tournament, "hall_ended", now, by)
        store_version(tournament)


def _lock_unfinished(tournament_id: int, by: Player) -> Tournament:
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state not in UNFINISHED:
        raise TournamentError("over")
    return tournament
