"""Totals of a circuit, stored as its finished tournaments give them (Y3, Y4): recomputed, never patched.

Tournaments, people and the organiser's acts mark the circuit as due; counting it takes the lock of its row, and none of
a tournament. It may be done any number of times.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from scoring.circuit_totals import TotalRow, rank_totals
from tournaments.circuits.notices import tell_places
from tournaments.circuits.people import read_identities
from tournaments.circuits.stage_results import StageResult, compute_stage, read_stage
from tournaments.models import Circuit, CircuitTotal, CircuitTournament, Tournament

BATCH = 500
STORED = ("rank", "total", "results", "separation")
Key = tuple[int, int | None]  # a person, and the partner of a pair


class CountedResult(NamedTuple):
    """A result of a row, as it is stored: of which tournament, the points, place and field, and if it counts."""

    tournament: int
    points: int
    place: int
    field: int
    counts: bool


@dataclass(frozen=True, slots=True)
class TotalDifference:
    """A stored value that isn't what the finished tournaments give."""

    about: str
    stored: object
    given: object


def list_stages(circuit: Circuit) -> list[CircuitTournament]:
    """Return the circuit's tournaments in the order of their draws; those to come behind them."""
    return order_stages(circuit.stages.select_related("tournament"))


def order_stages(stages: Iterable[CircuitTournament]) -> list[CircuitTournament]:
    """Return the tournaments of a circuit in the order of their draws; those to come behind them."""
    return sorted(stages, key=lambda stage: make_stage_order(stage.tournament))


def make_stage_order(tournament: Tournament) -> tuple[bool, datetime, int]:
    """Return what the tournaments of a circuit are ordered by."""
    at = tournament.drawn_at or tournament.starts_at or tournament.created_at
    return tournament.drawn_at is None, at, tournament.pk


def count_circuit(*, circuit_id: int, now: datetime) -> bool:
    """Store a circuit's totals, and tell whom of an ended one moves. Return whether anything changed."""
    with transaction.atomic():
        circuit = Circuit.objects.select_for_update().filter(pk=circuit_id).first()
        if circuit is None:
            return False
        stages = list_stages(circuit)
        stale = [stage for stage in stages if stage.stale]
        for stage in stale:
            stage.results, stage.stale = _write_stage(compute_stage(circuit, stage.tournament)), False
        CircuitTournament.objects.bulk_update(stale, ["results", "stale"])
        before = read_ranks(circuit)
        changed = _store_totals(circuit, _compute_totals(circuit, stages, _read_stages(stages)))
        Circuit.objects.filter(pk=circuit.pk).update(due_at=None)
        if changed and circuit.ended_at is not None:
            after = read_ranks(circuit)
            tell_places(circuit, {key: rank for key, rank in after.items() if before.get(key) != rank}, now)
        return changed


def recompute_circuit(*, circuit_id: int, now: datetime) -> list[TotalDifference]:
    """Read all of a circuit's tournaments again and store what they give. Return the former differences."""
    with transaction.atomic():
        circuit = Circuit.objects.select_for_update().get(pk=circuit_id)
        differences = find_circuit_differences(circuit)
        if differences:
            circuit.stages.update(stale=True)
            count_circuit(circuit_id=circuit_id, now=now)
        return differences


def find_circuit_differences(circuit: Circuit) -> list[TotalDifference]:
    """Return the stored values that differ from those the finished tournaments give; it writes nothing."""
    stages = list_stages(circuit)
    given = {stage.pk: compute_stage(circuit, stage.tournament) for stage in stages}
    differences = [
        TotalDifference(f"tournament {stage.tournament.public_id}", stage.results, _write_stage(given[stage.pk]))
        for stage in stages
        if stage.results != _write_stage(given[stage.pk])
    ]
    computed = {_get_key(row): _read_values(row) for row in _compute_totals(circuit, stages, given)}
    stored = {_get_key(row): _read_values(row) for row in circuit.totals.all()}
    for key in sorted(computed.keys() | stored.keys(), key=repr):
        if computed.get(key) != stored.get(key):
            differences.append(TotalDifference(f"person {key[0]}", stored.get(key), computed.get(key)))
    return differences


def _write_stage(results: Iterable[StageResult]) -> list[list[object]]:
    return [[list(result.people), result.points, result.place, result.field] for result in results]


def _read_stages(stages: Iterable[CircuitTournament]) -> dict[int, list[StageResult]]:
    return {stage.pk: read_stage(stage.results) for stage in stages}


def _compute_totals(
    circuit: Circuit, stages: Sequence[CircuitTournament], results: Mapping[int, Sequence[StageResult]]
) -> list[CircuitTotal]:
    """Return the unsaved totals that these results of the tournaments give, by the stages' ids."""
    counting = [stage for stage in stages if stage.tournament.state == Tournament.State.FINISHED]
    people = {person for stage in counting for result in results[stage.pk] for person in result.people}
    identities = read_identities(circuit, people)
    rows: dict[Key, dict[int, StageResult]] = {}
    for stage in counting:
        for result in results[stage.pk]:
            own = sorted({identities.find(person, stage.tournament_id) for person in result.people})
            if len(own) == len(result.people):
                mine = rows.setdefault((own[0], own[1] if len(own) > 1 else None), {})
                mine[stage.pk] = _add(mine.get(stage.pk), result)
    values = {
        key: tuple(mine[stage.pk].points if stage.pk in mine else None for stage in counting)
        for key, mine in rows.items()
    }
    return [_make_total(circuit, row, counting, rows[row.key]) for row in rank_totals(values, circuit.best_of)]


def _add(before: StageResult | None, result: StageResult) -> StageResult:
    """Return the result of whoever played for two entries: the points of both, at the better place."""
    if before is None:
        return result
    better = min(before, result, key=lambda one: one.place)
    return better._replace(points=before.points + result.points)


def _make_total(
    circuit: Circuit, row: TotalRow[Key], stages: Sequence[CircuitTournament], mine: Mapping[int, StageResult]
) -> CircuitTotal:
    counted = set(row.counted)
    results = [
        list(CountedResult(stage.tournament_id, own.points, own.place, own.field, at in counted))
        for at, stage in enumerate(stages)
        if (own := mine.get(stage.pk)) is not None
    ]
    separation = None if row.separation is None else asdict(row.separation)
    if separation is not None and separation["code"] == "earlier":  # by the tournaments themselves
        for name in ("own", "next"):
            separation[name] = stages[separation[name]].tournament_id if separation[name] >= 0 else 0
    person, partner = row.key
    return CircuitTotal(
        circuit=circuit,
        person_id=person,
        partner_id=partner,
        rank=row.rank,
        total=row.total,
        results=results,
        separation=separation,
    )


def _store_totals(circuit: Circuit, totals: Iterable[CircuitTotal]) -> bool:
    """Store the totals where they differ; tell if any did."""
    stored = {_get_key(row): row for row in circuit.totals.all()}
    new, changed = [], []
    for total in totals:
        row = stored.pop(_get_key(total), None)
        if row is None:
            new.append(total)
        elif _read_values(row) != _read_values(total):
            for name in STORED:
                setattr(row, name, getattr(total, name))
            changed.append(row)
    CircuitTotal.objects.filter(pk__in=[row.pk for row in stored.values()]).delete()
    CircuitTotal.objects.bulk_update(changed, STORED, batch_size=BATCH)
    CircuitTotal.objects.bulk_create(new, batch_size=BATCH)
    return bool(stored or new or changed)


def read_ranks(circuit: Circuit) -> dict[Key, int]:
    """Return the stored ranks, by person and partner."""
    return {_get_key(row): row.rank for row in circuit.totals.all()}


def _get_key(row: CircuitTotal) -> Key:
    return row.person_id, row.partner_id


def _read_values(row: CircuitTotal) -> tuple[object, ...]:
    return tuple(getattr(row, name) for name in STORED)
