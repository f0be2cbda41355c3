"""Circuits in tests: evenings at real tables of which the winner is always who was entered first, and their totals."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from players.models import Person, Player
from tests.support.desk import build_act
from tests.support.real_tables import draw_present, list_round, open_real, publish_next, type_names
from tests.support.tournaments import GIRONE, Opened
from tournaments.circuits import actions
from tournaments.circuits.actions import CircuitTerms
from tournaments.circuits.links import link_people
from tournaments.circuits.totals import count_circuit
from tournaments.desk.results import Decision, set_result
from tournaments.models import Circuit, CircuitLink, Fixture, Tournament
from tournaments.organise.settings import Settings
from tournaments.sweep import list_due_circuits


def play_out(tournament: Tournament, now: datetime) -> Tournament:
    """Play a drawn tournament at real tables to its end: of two, the one that was entered first wins."""
    number = 1
    while True:
        for fixture in list_round(tournament, number):
            if fixture.result_at is None:
                decide(fixture, 0 if (fixture.first_id or 0) < (fixture.second_id or 0) else 1, now)
        tournament.refresh_from_db()
        if tournament.state == Tournament.State.FINISHED:
            return tournament
        number += 1
        publish_next(tournament, now)


def decide(fixture: Fixture, winner: int, now: datetime) -> None:
    """Type a result, or another one over it, as the organiser."""
    tournament = fixture.round.tournament
    fixture.refresh_from_db()
    points = (7, 4) if winner == 0 else (4, 7)
    act = build_act(tournament.organiser, now)
    set_result(
        tournament_id=tournament.pk, fixture_id=fixture.pk, act=act, decision=Decision(points=points, winner=winner)
    )


def play_evening(
    opened: Opened, names: Sequence[Any], now: datetime, base: Settings = GIRONE, **changed: Any
) -> Tournament:
    """A tournament at real tables between these names, from its entries to its end: they end in this order."""
    tournament = open_real(opened, base, **{"seeding": "organiser", **changed})
    type_names(tournament, names, now)
    draw_present(tournament, now)
    return play_out(tournament, now)


def make_circuit(by: Player, now: datetime, *tournaments: Tournament, **terms: Any) -> Circuit:
    """A circuit of these tournaments, counted."""
    circuit = actions.create_circuit(by=by, terms=CircuitTerms(**{"name": "Circuito d'inverno", **terms}), now=now)
    if tournaments:
        add(circuit, now, *tournaments)
    return circuit


def add(circuit: Circuit, now: datetime, *tournaments: Tournament) -> None:
    """Add tournaments as whoever made the circuit, and count."""
    assert circuit.organiser is not None
    ids = [tournament.public_id for tournament in tournaments]
    actions.add_tournaments(circuit_id=circuit.pk, by=circuit.organiser, tournaments=ids, now=now)
    count_circuit(circuit_id=circuit.pk, now=now)


def read_totals(circuit: Circuit) -> list[tuple[int, str, int]]:
    """The rows of a circuit as they are stored: rank, name and total."""
    rows = circuit.totals.select_related("person__player", "partner__player").order_by("rank", "pk")
    return [
        (row.rank, " – ".join(one.name for one in (row.person, row.partner) if one is not None), row.total)
        for row in rows
    ]


def find_person(tournament: Tournament, name: str) -> Person:
    """The person of that name in a tournament."""
    return Person.objects.get(memberships__tournament=tournament, typed_name=name)


def link(circuit: Circuit, one: Person, other: Person, now: datetime, by: Player | None = None) -> CircuitLink:
    """Say as whoever made the circuit that the two are one, and count."""
    actor = by or circuit.organiser
    assert actor is not None
    made = link_people(circuit_id=circuit.pk, by=actor, person_id=one.pk, same_as_id=other.pk, now=now)
    sweep_circuits(now)
    return made


def sweep_circuits(now: datetime) -> None:
    """Count what waits to be counted, as the sweep does."""
    for circuit_id in list(list_due_circuits(now)):
        count_circuit(circuit_id=circuit_id, now=now)
