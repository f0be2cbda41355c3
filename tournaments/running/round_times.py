"""The hours of rounds that have some (R6): moved by the organiser, and announced to their players when near."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from players.models import Player
from tournaments.core import notify
from tournaments.core.dates import LATEST_ROUND, require_order
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, write_log
from tournaments.core.log_details import RoundHourDetail
from tournaments.entries import waiting_list
from tournaments.formats import FORMATS
from tournaments.models import Entry, Fixture, Round, Tournament

State = Tournament.State
REMIND_BEFORE = timedelta(minutes=15)


def plan_reminders(rounds: QuerySet[Round], now: datetime) -> None:
    """Set the reminders of these rounds: a quarter of an hour before their hour, if that is still to come."""
    rounds.update(remind_at=None)
    rounds.filter(opens_at__gt=now + REMIND_BEFORE).update(remind_at=F("opens_at") - REMIND_BEFORE)


def remind_round(*, round_id: int, now: datetime) -> bool:
    """Remind the players whose tables of a round open at its hour; those who agreed to play early were told before.

    Once for each hour it was to begin at; False where there was nothing to do.
    """
    tournament_id = Round.objects.values_list("tournament_id", flat=True).get(pk=round_id)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        round_ = Round.objects.get(pk=round_id)
        due = round_.remind_at is not None and round_.remind_at <= now
        if tournament.state != State.RUNNING or tournament.paused_at is not None or not due:
            return False
        Round.objects.filter(pk=round_.pk).update(remind_at=None)
        if round_.opens_at is None or round_.opens_at <= now:  # nobody looked in time
            return False
        people = list_people_of_round(round_)
        notify.tell_people(tournament, people, "round_soon")
        about = f"{round_.pk}:{round_.opens_at:%Y%m%dT%H%M%S}"
        called = (round_.name, round_.number)
        notify.mail_people(tournament, people, "round_soon", now, about=about, at=round_.opens_at, round=called)
        return True


def list_upcoming_rounds(tournament: Tournament, now: datetime) -> list[Round]:
    """Return the rounds whose hour may still be moved: it hasn't come."""
    return list(tournament.rounds.filter(opens_at__gt=now).order_by("number"))


def move_rounds(tournament: Tournament, hours: Mapping[int, datetime], now: datetime, by: Player) -> None:
    """Move rounds of a locked tournament that haven't begun to these hours, and tell their players.

    Those who agreed to play early still do. TournamentError: round_begun, round_hours_order, round_hours_late.
    """
    rounds = {round_.number: round_ for round_ in tournament.rounds.all()}
    movable = {round_.number for round_ in list_upcoming_rounds(tournament, now)}
    before = {number: rounds[number].opens_at for number in movable & set(hours)}
    for number, at in hours.items():
        if number not in movable or at <= now:
            raise TournamentError("round_begun")
        if at > now + LATEST_ROUND:
            raise TournamentError("round_hours_late")
        rounds[number].opens_at = at
    timed = [round_.opens_at for _number, round_ in sorted(rounds.items()) if round_.opens_at is not None]
    if hours:
        require_order(timed)
    for number, at in sorted(hours.items()):
        round_ = rounds[number]
        round_.save(update_fields=["opens_at"])
        ready = round_.fixtures.ready().filter(opens_at__gte=before[number])
        ready.update(opens_at=at)
        plan_reminders(Round.objects.filter(pk=round_.pk), now)
        called = (round_.name, round_.number)
        detail = RoundHourDetail(round=called, before=str(before[number]), after=str(at))
        write_log(tournament, "round_moved", now, by, detail)
        people = _list_who_may_play(tournament, round_)
        notify.tell_people(tournament, people, "round_moved")
        about = f"{round_.pk}:{tournament.version}"
        notify.mail_people(tournament, people, "round_moved", now, about=about, at=at, round=called)


def _list_who_may_play(tournament: Tournament, round_: Round) -> list[int]:
    """Return the players of its entries; while not all of them are known, of every entry that is still in."""
    pairs = round_.fixtures.open().values_list("first", "second")
    sides = [side for pair in pairs for side in pair]
    entries = tournament.entries.filter(withdrawn_at=None)
    if None not in sides:
        entries = entries.filter(pk__in=sides)
    elif FORMATS[tournament.format].is_bracket:
        left = Fixture.objects.of(tournament).open().values_list("first", "second")
        entries = entries.filter(pk__in={side for pair in left for side in pair} - {None})  # whoever is out has none
    return waiting_list.list_people_of_entries(entries)


def list_people_of_round(round_: Round) -> list[int]:
    """Return the players whose tables of this round open at its hour, but the house's."""
    fixtures = round_.fixtures.ready().filter(opens_at__gte=round_.opens_at)
    sides = {side for pair in fixtures.values_list("first", "second") for side in pair}
    return waiting_list.list_people_of_entries(Entry.objects.filter(pk__in=sides))
