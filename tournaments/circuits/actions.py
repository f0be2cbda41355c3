"""Acts of whoever runs a circuit (Y3): made, edited, its tournaments chosen, ended, taken up again, deleted.

Each locks the circuit's row, checks, stores, and leaves the counting to the sweep, but for the end, which counts first.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from players import caps
from players.clean_text import clean_line
from players.markdown import MAX_MARKDOWN_CHARACTERS, clean_text
from players.models import Player
from tournaments.circuits.errors import CircuitError
from tournaments.circuits.notices import tell_places
from tournaments.circuits.queries import have_terms_begun, require_runner
from tournaments.circuits.totals import count_circuit, read_ranks
from tournaments.clubs.queries import list_clubs_to_organise_for
from tournaments.core.circuit_marks import find_misfit
from tournaments.core.permissions import list_run_tournaments
from tournaments.models import Circuit, CircuitTournament, Club, Series, Tournament

MAX_NAME_CHARACTERS = 80
MAX_PLACES = 50
MAX_POINTS = 10_000
TERMS = ("table", "places", "taking_part", "best_of", "by_pairs")  # they stand once a tournament is drawn
Table = Circuit.Table


@dataclass(frozen=True, slots=True)
class CircuitTerms:
    """The choices of whoever runs a circuit. ``club``: by its public id; empty: none."""

    name: str
    description: str = ""
    club: str = ""
    table: str = Table.POINTS
    places: tuple[int, ...] = ()
    taking_part: int = 0
    best_of: int | None = None
    by_pairs: bool = False


def read_terms(circuit: Circuit) -> CircuitTerms:
    """Return the choices as they are stored."""
    return CircuitTerms(
        circuit.name,
        circuit.description,
        "" if circuit.club is None else circuit.club.public_id,
        circuit.table,
        tuple(circuit.places),
        circuit.taking_part,
        circuit.best_of,
        circuit.by_pairs,
    )


@transaction.atomic
def create_circuit(*, by: Player, terms: CircuitTerms, now: datetime) -> Circuit:
    """Make a circuit without tournaments, of a club or of the organiser alone.

    CircuitError: account_needed, too_many_circuits, not_of_club, and those of ``check_terms``.
    """
    if by.kind != Player.Kind.MEMBER:
        raise CircuitError("account_needed")
    Player.objects.select_for_update(no_key=True).get(pk=by.pk)  # two requests at once are counted in turn
    if Circuit.objects.filter(organiser=by, ended_at=None).count() >= caps.MAX_RUNNING_CIRCUITS:
        raise CircuitError("too_many_circuits", limit=caps.MAX_RUNNING_CIRCUITS)
    circuit = Circuit(organiser=by, created_at=now, club=_find_club(by, terms.club))
    _write_terms(circuit, terms)
    circuit.save()
    return circuit


@transaction.atomic
def edit_circuit(*, circuit_id: int, by: Player, terms: CircuitTerms, now: datetime) -> Circuit:
    """Change name and description at any time, the rest until one of its tournaments is drawn; its club never.

    CircuitError: not_yours, terms_stand, no_vp, no_pairs, and those of ``check_terms``.
    """
    circuit = _lock_circuit(circuit_id, by)
    before = [getattr(circuit, name) for name in TERMS]
    _write_terms(circuit, terms)
    if before != [getattr(circuit, name) for name in TERMS]:
        if have_terms_begun(circuit):
            raise CircuitError("terms_stand")
        for stage in circuit.stages.select_related("tournament"):
            _require_fit(circuit, stage.tournament)
        _mark_stale(circuit, now)
    circuit.save()
    return circuit


@transaction.atomic
def add_tournaments(*, circuit_id: int, by: Player, tournaments: Iterable[str], now: datetime) -> int:
    """Add tournaments of the organiser's, by their public ids. Return how many.

    CircuitError: not_yours, ended, no_tournament, cancelled, in_already, is_final, no_vp, no_pairs,
    too_many_tournaments.
    """
    circuit = _lock_circuit(circuit_id, by, going_on=True)
    wanted = set(tournaments)
    chosen = list(list_run_tournaments(by).filter(public_id__in=wanted).order_by("pk"))
    if not chosen or len(chosen) != len(wanted):
        raise CircuitError("no_tournament")
    for tournament in chosen:
        if tournament.state == Tournament.State.CANCELLED:
            raise CircuitError("cancelled")
        if tournament.pk == circuit.final_id:
            raise CircuitError("is_final")
        if circuit.stages.filter(tournament=tournament).exists():
            raise CircuitError("in_already")
        _require_fit(circuit, tournament)
    _add_stages(circuit, chosen, now)
    return len(chosen)


@transaction.atomic
def remove_tournament(*, circuit_id: int, by: Player, tournament: str, now: datetime) -> None:
    """Take a tournament out: it counts here no more. CircuitError: not_yours, ended, no_tournament."""
    circuit = _lock_circuit(circuit_id, by, going_on=True)
    deleted, _rows = circuit.stages.filter(tournament__public_id=tournament).delete()
    if not deleted:
        raise CircuitError("no_tournament")
    _mark_due(circuit, now)


@transaction.atomic
def choose_series(*, circuit_id: int, by: Player, series: str, now: datetime) -> int:
    """Have a series of the organiser's fill the circuit, by its public id; empty: none any more. Return how many of its
    tournaments were added at once.

    CircuitError: not_yours, ended, no_series, too_many_tournaments.
    """
    circuit = _lock_circuit(circuit_id, by, going_on=True)
    if not series:
        circuit.series = None
        circuit.save(update_fields=["series"])
        return 0
    chosen = Series.objects.filter(organiser=by, public_id=series).first()
    if chosen is None:
        raise CircuitError("no_series")
    circuit.series = chosen
    circuit.save(update_fields=["series"])
    opened = chosen.tournaments.exclude(state=Tournament.State.CANCELLED).exclude(circuit_stages__circuit=circuit)
    fitting = [
        tournament
        for tournament in opened.exclude(pk=circuit.final_id or 0).order_by("pk")
        if find_misfit(circuit, tournament) is None
    ]
    _add_stages(circuit, fitting, now)
    return len(fitting)


@transaction.atomic
def end_circuit(*, circuit_id: int, by: Player, now: datetime) -> Circuit:
    """End a circuit, and tell everybody in it their place. CircuitError: not_yours, ended, empty."""
    circuit = _lock_circuit(circuit_id, by, going_on=True)
    count_circuit(circuit_id=circuit.pk, now=now)
    ranks = read_ranks(circuit)
    if not ranks:
        raise CircuitError("empty")
    circuit.ended_at, circuit.series, circuit.due_at = now, None, None
    circuit.save(update_fields=["ended_at", "series", "due_at"])
    tell_places(circuit, ranks, now)
    return circuit


@transaction.atomic
def resume_circuit(*, circuit_id: int, by: Player, now: datetime) -> Circuit:
    """Take a circuit up again that has ended. CircuitError: not_yours, not_ended."""
    circuit = _lock_circuit(circuit_id, by)
    if circuit.ended_at is None:
        raise CircuitError("not_ended")
    circuit.ended_at = None
    circuit.save(update_fields=["ended_at"])
    return circuit


@transaction.atomic
def delete_circuit(*, circuit_id: int, by: Player) -> None:
    """Delete a circuit in which nobody has a result. CircuitError: not_yours, terms_stand."""
    circuit = _lock_circuit(circuit_id, by)
    if circuit.totals.exists() or have_terms_begun(circuit):
        raise CircuitError("terms_stand")
    circuit.delete()


def leave_circuits(*, player: Player, now: datetime) -> None:
    """End the circuits without a club of a closing account: nobody is left who runs them. Empty ones are deleted."""
    own = Circuit.objects.select_for_update(of=("self",)).filter(organiser=player, club=None, ended_at=None)
    for circuit in own.order_by("pk"):
        if circuit.totals.exists():
            circuit.ended_at, circuit.series = now, None
            circuit.save(update_fields=["ended_at", "series"])
        else:
            circuit.delete()


def _lock_circuit(circuit_id: int, by: Player, *, going_on: bool = False) -> Circuit:
    """Lock a circuit until the transaction ends. CircuitError for whoever doesn't run it, and with ``going_on`` for one
    that has ended."""
    circuits = Circuit.objects.select_for_update(of=("self",)).select_related("club")
    circuit = circuits.get(pk=circuit_id)
    require_runner(circuit, by)
    if going_on and circuit.ended_at is not None:
        raise CircuitError("ended")
    return circuit


def _find_club(by: Player, public_id: str) -> Club | None:
    if not public_id:
        return None
    club = list_clubs_to_organise_for(by).filter(public_id=public_id).first()
    if club is None:
        raise CircuitError("not_of_club")
    return club


def check_terms(terms: CircuitTerms) -> None:
    """Raise CircuitError for choices that can't be: name_missing, text_long, places_missing, places_range,
    places_order, best_range."""
    if not clean_line(terms.name):
        raise CircuitError("name_missing")
    if len(clean_line(terms.name)) > MAX_NAME_CHARACTERS:
        raise CircuitError("text_long", limit=MAX_NAME_CHARACTERS)
    if len(clean_text(terms.description)) > MAX_MARKDOWN_CHARACTERS:
        raise CircuitError("text_long", limit=MAX_MARKDOWN_CHARACTERS)
    if terms.best_of is not None and not 1 <= terms.best_of <= caps.MAX_CIRCUIT_TOURNAMENTS:
        raise CircuitError("best_range", high=caps.MAX_CIRCUIT_TOURNAMENTS)
    if terms.table == Table.PLACES:
        worth = [*terms.places, terms.taking_part]
        if not terms.places:
            raise CircuitError("places_missing")
        if len(terms.places) > MAX_PLACES or not all(0 <= points <= MAX_POINTS for points in worth):
            raise CircuitError("places_range", limit=MAX_PLACES, high=MAX_POINTS)
        if worth != sorted(worth, reverse=True):
            raise CircuitError("places_order")


def _write_terms(circuit: Circuit, terms: CircuitTerms) -> None:
    check_terms(terms)
    by_places = terms.table == Table.PLACES
    circuit.name, circuit.description = clean_line(terms.name), clean_text(terms.description)
    circuit.table, circuit.best_of, circuit.by_pairs = Table(terms.table), terms.best_of, terms.by_pairs
    circuit.places = list(terms.places) if by_places else []
    circuit.taking_part = terms.taking_part if by_places else 0


def _require_fit(circuit: Circuit, tournament: Tournament) -> None:
    misfit = find_misfit(circuit, tournament)
    if misfit is not None:
        raise CircuitError(misfit)


def _add_stages(circuit: Circuit, tournaments: Iterable[Tournament], now: datetime) -> None:
    new = [CircuitTournament(circuit=circuit, tournament=tournament, added_at=now) for tournament in tournaments]
    if circuit.stages.count() + len(new) > caps.MAX_CIRCUIT_TOURNAMENTS:
        raise CircuitError("too_many_tournaments", limit=caps.MAX_CIRCUIT_TOURNAMENTS)
    CircuitTournament.objects.bulk_create(new)
    _mark_due(circuit, now)


def _mark_due(circuit: Circuit, now: datetime) -> None:
    Circuit.objects.filter(pk=circuit.pk).update(due_at=now)
    circuit.due_at = now


def _mark_stale(circuit: Circuit, now: datetime) -> None:
    circuit.stages.update(stale=True)
    _mark_due(circuit, now)
