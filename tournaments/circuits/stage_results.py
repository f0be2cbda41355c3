"""Results of a tournament in a circuit's points: of each person, or of each pair (Y3). It writes nothing.

The entries of people count, with or without accounts, that played a fixture and weren't expelled or annulled (Y2).
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from scoring.circuit_totals import share_place_points
from scoring.tournament_points import (
    RankedLine,
    compute_tournament_points,
    count_ranks,
    divide_points,
    list_counted_places,
    place_ranks,
)
from tournaments.core.circuit_marks import PAIR, find_misfit
from tournaments.models import Circuit, Tournament
from tournaments.rankings.points import EntryRun, read_runs

Table = Circuit.Table


class StageResult(NamedTuple):
    """The points of a person, or of a pair, in one tournament, with the place of their entry among how many."""

    people: tuple[int, ...]
    points: int
    place: int
    field: int


def compute_stage(circuit: Circuit, tournament: Tournament) -> list[StageResult]:
    """Return the results of a tournament; none of one that isn't finished, or doesn't fit into the circuit."""
    if tournament.state != Tournament.State.FINISHED or find_misfit(circuit, tournament) is not None:
        return []
    entries = list(tournament.entries.drawn())
    counted = sorted(
        (row for row in read_runs(tournament, entries) if not row.entry.expelled),
        key=lambda row: (row.entry.rank or 0, row.entry.pk),
    )
    everybody = count_ranks(entry.rank for entry in entries)
    results: list[StageResult] = []
    for place, row, points in _list_worth(circuit, counted, everybody):
        for people, share in _divide(circuit, tournament, row, points):
            results.append(StageResult(people, share, place, len(counted)))
    return sorted(results)


def read_stage(stored: Iterable[Sequence[object]]) -> list[StageResult]:
    """Return the results as they were stored with the circuit's tournament."""
    return [StageResult(tuple(people), *rest) for people, *rest in stored]  # type: ignore[arg-type]


def _list_worth(
    circuit: Circuit, counted: Sequence[EntryRun], everybody: Mapping[int, int]
) -> Iterable[tuple[int, EntryRun, int]]:
    """Yield each entry with its place among those that count, and its points. ``everybody``: how many entries have
    each rank, also of those that don't (K5)."""
    ranked = [RankedLine(row.entry.pk, row.entry.rank or 0, row.entry.withdrawn_at is None) for row in counted]
    earned = compute_tournament_points(ranked, everybody)
    places = place_ranks(count_ranks(row.entry.rank for row in counted), everybody)
    for rank, group in groupby(counted, key=lambda row: row.entry.rank or 0):
        level = list(group)
        filled = list_counted_places(places[rank], len(level))
        shared = share_place_points(circuit.places, circuit.taking_part, filled)
        for row in level:
            own = earned.get(row.entry.pk)
            points = {
                Table.POINTS: 0 if own is None else own.points,
                Table.PLACES: shared,
                Table.VP: row.entry.vp,
                Table.MP: row.entry.mp,
            }[Table(circuit.table)]
            yield places[rank].first, row, points


def _divide(
    circuit: Circuit, tournament: Tournament, row: EntryRun, points: int
) -> Iterable[tuple[tuple[int, ...], int]]:
    """Yield each person, or pair, with their part of an entry's points."""
    if circuit.by_pairs:
        pairs = {people: count for people, count in row.by_line_up.items() if len(people) == PAIR}
        yield from divide_points(points, pairs, row.fixtures).items()
        return
    team = tournament.entry_kind.has_line_ups
    for person, share in divide_points(points, row.by_person, row.fixtures, team=team).items():
        yield (person,), share
