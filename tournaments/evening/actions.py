"""Acts of an evening in a hall (EV12): what the wall announces, a break and its hour, the last touch at the door."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Exists, Max, OuterRef

from players.clean_text import clean_line
from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version
from tournaments.core.permissions import require_organiser
from tournaments.entries import checkin
from tournaments.models import Tournament
from tournaments.running import round_clocks

MAX_ANNOUNCEMENT_CHARACTERS = 120


@transaction.atomic
def announce(*, tournament_id: int, by: Player, text: str, now: datetime) -> None:
    """Store what the wall announces until it is taken away; an empty text takes it away.

    TournamentError: not_organiser; announcement_long.
    """
    tournament = _lock(tournament_id, by)
    announcement = clean_line(text)
    if len(announcement) > MAX_ANNOUNCEMENT_CHARACTERS:
        raise TournamentError("announcement_long", high=MAX_ANNOUNCEMENT_CHARACTERS)
    tournament.announcement = announcement
    tournament.save(update_fields=["announcement"])
    store_version(tournament)


@transaction.atomic
def begin_break(*, tournament_id: int, by: Player, until: time | None, now: datetime) -> None:
    """Hold the clocks that run, and say ``until`` when: its next time by the tournament's clock; None for no hour.

    TournamentError: not_organiser; clock_held; bad_hour: there is no clock to hold, and no hour.
    """
    tournament = _lock(tournament_id, by)
    started = [clock for clock in round_clocks.read_clocks(tournament, now) if clock.ends_at is not None]
    if until is None and not started:
        raise TournamentError("bad_hour")
    for clock in started:
        if clock.held is None:
            round_clocks.pause_clock(tournament_id=tournament_id, place=clock.place, by=by, now=now)
    tournament = _lock(tournament_id, by)
    tournament.break_until = None if until is None else find_next(until, now, ZoneInfo(tournament.time_zone))
    tournament.save(update_fields=["break_until"])
    store_version(tournament)


@transaction.atomic
def end_break(*, tournament_id: int, by: Player, now: datetime) -> None:
    """Let the clocks that are held run on, and take the hour of the break away.

    TournamentError: not_organiser; clock_held.
    """
    tournament = _lock(tournament_id, by)
    for clock in round_clocks.read_clocks(tournament, now):
        if clock.held is not None:
            round_clocks.resume_clock(tournament_id=tournament_id, place=clock.place, by=by, now=now)
    tournament = _lock(tournament_id, by)
    tournament.break_until = None
    store_version(tournament)


def find_next(hour: time, now: datetime, zone: ZoneInfo) -> datetime:
    """Return the next instant at which clocks of a zone show this hour."""
    here = now.astimezone(zone)
    at = _combine(here.date(), hour, zone)
    return at if at > now else _combine(here.date() + timedelta(days=1), hour, zone)


def _combine(day: date, hour: time, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, hour.replace(tzinfo=None), zone)


@transaction.atomic
def undo_last_touch(*, tournament_id: int, by: Player, now: datetime) -> None:
    """Take back the last touch at the door: whoever was ticked by it isn't any more, or hasn't paid after all.
    A payment of which something was given back is no touch any more, nor is what is older than ``checkin.LAST_TOUCH``.

    TournamentError: not_organiser; nothing_touched.
    """
    tournament = _lock(tournament_id, by)
    refunds = tournament.payments.filter(entry=OuterRef("entry"), pk__gt=OuterRef("pk"), cents__lt=0)
    since = now - checkin.LAST_TOUCH
    paid = tournament.payments.filter(~Exists(refunds), entry__isnull=False, cents__gt=0, at__gt=since)
    paid_at = paid.aggregate(at=Max("at"))["at"]
    ticked_at = checkin.find_last_tick(tournament, now) if checkin.is_roll_called(tournament) else None
    if paid_at is None and ticked_at is None:
        raise TournamentError("nothing_touched")
    if paid_at is None or (ticked_at is not None and ticked_at > paid_at):
        checkin.undo_roll_call(tournament_id=tournament_id, by=by, now=now)
    else:
        paid.filter(at=paid_at).delete()


def _lock(tournament_id: int, by: Player) -> Tournament:
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    return tournament
