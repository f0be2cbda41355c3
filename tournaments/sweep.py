"""Timed steps of tournaments, for the sweep inside each worker: starts, tables to open, pairs, series, standing offers.

It looks for candidates without a transaction; the services decide under the lock. What they wait for, they wait for no
longer than the sweep's connection allows (AT7). What is on loan has no steps here (O9).
"""

from collections.abc import Iterable
from datetime import datetime

from games.sweep import Lane, register
from tournaments import standing_offers
from tournaments.circuits import totals
from tournaments.core.states import ENTERING
from tournaments.entries import invitations, waiting_list
from tournaments.equal import secrets
from tournaments.hall import phone_results
from tournaments.models import Circuit, Entry, Fixture, PlayInvitation, Round, ScoreSlip, Series, Tournament
from tournaments.running import results, round_times, tables
from tournaments.running.reminders import remind_due
from tournaments.running.start import start_due
from tournaments.series import actions as series_actions
from tournaments.webhooks import delivery


def list_due_starts(now: datetime) -> Iterable[int]:
    due = Tournament.objects.filter(due_at__lte=now, state__in=ENTERING, lent_to="")
    return due.order_by("due_at").values_list("pk", flat=True)


def list_due_reminders(now: datetime) -> Iterable[int]:
    due = Tournament.objects.filter(remind_at__lte=now, state__in=ENTERING, lent_to="")
    return due.order_by("remind_at").values_list("pk", flat=True)


def list_due_round_reminders(now: datetime) -> Iterable[int]:
    due = Round.objects.filter(
        remind_at__lte=now,
        tournament__state=Tournament.State.RUNNING,
        tournament__paused_at__isnull=True,
        tournament__lent_to="",
    )
    return due.order_by("remind_at").values_list("pk", flat=True)


def list_due_fixtures(now: datetime) -> Iterable[int]:
    """Return the fixtures whose tables may open; an imported tournament opens none (O9)."""
    due = Fixture.objects.ready().filter(
        opens_at__lte=now,
        round__tournament__paused_at__isnull=True,
        round__tournament__imported_from="",
        round__tournament__lent_to="",
    )
    return due.order_by("opens_at").values_list("pk", flat=True)


def list_overdue_pairs(now: datetime) -> Iterable[int]:
    """Return the tournaments with a pair whose hold has ended."""
    due = Entry.objects.filter(expires_at__lte=now, tournament__state__in=ENTERING, tournament__lent_to="")
    return due.order_by("expires_at").values_list("tournament_id", flat=True)


def list_overdue_invitations(now: datetime) -> Iterable[int]:
    """Return the tournaments with an invitation that nobody answered in time."""
    due = PlayInvitation.objects.open().filter(expires_at__lte=now, tournament__lent_to="")
    return due.order_by("expires_at").values_list("tournament_id", flat=True)


def list_due_slips(now: datetime) -> Iterable[int]:
    """Return the fixtures whose result one side typed on a telephone, and nobody confirmed in time (O4)."""
    due = ScoreSlip.objects.filter(
        due_at__lte=now,
        fixture__state=Fixture.State.READY,
        fixture__round__tournament__state=Tournament.State.RUNNING,
        fixture__round__tournament__paused_at__isnull=True,
        fixture__round__tournament__lent_to="",
    )
    return due.order_by("due_at").values_list("pk", flat=True)


def list_offer_work(now: datetime) -> Iterable[int]:
    """Return one piece of work, whenever an offer was filled."""
    return (0,) if standing_offers.list_missing_offers() else ()


def list_due_series(now: datetime) -> Iterable[int]:
    return Series.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True)


def list_due_circuits(now: datetime) -> Iterable[int]:
    """Return the circuits whose totals wait to be counted again (Y4)."""
    return Circuit.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True)


def count_circuit(circuit_id: int, now: datetime) -> None:
    totals.count_circuit(circuit_id=circuit_id, now=now)


def open_series_tournament(series_id: int, now: datetime) -> None:
    series_actions.open_next(series_id=series_id, now=now)


def start_tournament(tournament_id: int, now: datetime) -> None:
    start_due(tournament_id=tournament_id, now=now)


def remind_tournament(tournament_id: int, now: datetime) -> None:
    remind_due(tournament_id=tournament_id, now=now)


def remind_round(round_id: int, now: datetime) -> None:
    round_times.remind_round(round_id=round_id, now=now)


def open_fixture(fixture_id: int, now: datetime) -> None:
    tables.open_due_fixture(fixture_id=fixture_id, now=now)


def expire_holds(tournament_id: int, now: datetime) -> None:
    waiting_list.expire_holds(tournament_id=tournament_id, now=now)


def expire_invitations(tournament_id: int, now: datetime) -> None:
    invitations.expire_invitations(tournament_id=tournament_id, now=now)


def enter_unconfirmed(slip_id: int, now: datetime) -> None:
    phone_results.enter_unconfirmed(slip_id=slip_id, now=now)


def keep_offers_open(_id: int, now: datetime) -> None:
    standing_offers.keep_offer_open(now=now)


def show_rounds(tournament_id: int, now: datetime) -> None:
    results.show_rounds(tournament_id=tournament_id, now=now)


def deliver_event(delivery_id: int, now: datetime) -> None:
    delivery.deliver_event(delivery_id=delivery_id, now=now)


def register_all() -> None:
    register("tournament starts", list_due_starts, start_tournament, Lane.TOURNAMENTS)
    register("tables to open", list_due_fixtures, open_fixture, Lane.TOURNAMENTS)
    register("unconfirmed pairs", list_overdue_pairs, expire_holds, Lane.TOURNAMENTS)
    register("unanswered invitations", list_overdue_invitations, expire_invitations, Lane.TOURNAMENTS)
    register("unconfirmed results", list_due_slips, enter_unconfirmed, Lane.TOURNAMENTS)
    register("rounds to show", secrets.list_due_reveals, show_rounds, Lane.TOURNAMENTS)
    register("webhooks", delivery.list_due_deliveries, deliver_event, Lane.OUTGOING)
    register("reminders", list_due_reminders, remind_tournament, Lane.UPKEEP)
    register("reminders of rounds", list_due_round_reminders, remind_round, Lane.UPKEEP)
    register("series", list_due_series, open_series_tournament, Lane.UPKEEP)
    register("circuits", list_due_circuits, count_circuit, Lane.UPKEEP)
    register("standing offers", list_offer_work, keep_offers_open, Lane.UPKEEP)
