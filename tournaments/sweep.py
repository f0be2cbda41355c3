"""The timed steps of tournaments, for the sweep inside each worker: starts, tables to open, pairs, standing offers.

It looks for candidates without a transaction; the services decide under the lock.
"""

from collections.abc import Iterable
from datetime import datetime

from games.sweep import register
from tournaments import standing_offers
from tournaments.core.states import ENTERING
from tournaments.entries import waiting_list
from tournaments.models import Entry, Fixture, Round, Series, Tournament
from tournaments.running import round_times, tables
from tournaments.running.reminders import remind_due
from tournaments.running.start import start_due
from tournaments.series import actions as series_actions


def starts(now: datetime) -> Iterable[int]:
    due = Tournament.objects.filter(due_at__lte=now, state__in=ENTERING)
    return due.order_by("due_at").values_list("pk", flat=True)


def reminders(now: datetime) -> Iterable[int]:
    due = Tournament.objects.filter(remind_at__lte=now, state__in=ENTERING)
    return due.order_by("remind_at").values_list("pk", flat=True)


def round_reminders(now: datetime) -> Iterable[int]:
    due = Round.objects.filter(
        remind_at__lte=now, tournament__state=Tournament.State.RUNNING, tournament__paused_at__isnull=True
    )
    return due.order_by("remind_at").values_list("pk", flat=True)


def openings(now: datetime) -> Iterable[int]:
    due = Fixture.objects.ready().filter(opens_at__lte=now, round__tournament__paused_at__isnull=True)
    return due.order_by("opens_at").values_list("pk", flat=True)


def pairs(now: datetime) -> Iterable[int]:
    """Tournaments with a pair that waited too long for its second."""
    due = Entry.objects.filter(expires_at__lte=now, tournament__state__in=ENTERING)
    return due.order_by("expires_at").values_list("tournament_id", flat=True)


def offers(now: datetime) -> Iterable[int]:
    """One piece of work, whenever an offer was filled."""
    return (0,) if standing_offers.missing_offers() else ()


def series(now: datetime) -> Iterable[int]:
    return Series.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True)


def open_of_series(series_id: int, now: datetime) -> None:
    series_actions.open_next(series_id=series_id, now=now)


def start(tournament_id: int, now: datetime) -> None:
    start_due(tournament_id=tournament_id, now=now)


def remind(tournament_id: int, now: datetime) -> None:
    remind_due(tournament_id=tournament_id, now=now)


def remind_round(round_id: int, now: datetime) -> None:
    round_times.remind_round(round_id=round_id, now=now)


def open_fixture(fixture_id: int, now: datetime) -> None:
    tables.open_due_fixture(fixture_id=fixture_id, now=now)


def give_places_up(tournament_id: int, now: datetime) -> None:
    waiting_list.expire_holds(tournament_id=tournament_id, now=now)


def put_offers_out(_id: int, now: datetime) -> None:
    standing_offers.keep_offer_open(now=now)


def register_all() -> None:
    register("tournament starts", starts, start)
    register("reminders", reminders, remind)
    register("reminders of rounds", round_reminders, remind_round)
    register("tables to open", openings, open_fixture)
    register("unconfirmed pairs", pairs, give_places_up)
    register("series", series, open_of_series)
    register("standing offers", offers, put_offers_out)
