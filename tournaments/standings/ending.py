"""The end of a tournament as its page shows it: the podium of people, and the last table, in which the house has no
place (E8). It never writes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.core.reads import merge_tables
from tournaments.core.rows import EntryRow, PageSchedule, RankedEntry, TournamentPage
from tournaments.models import Fixture, TournamentPoints
from tournaments.standings.podium import Podium, build_podium

MOST_ROWS = 16  # of the last table beside the podium; the page of the ranks has all

Score = tuple[int, int]  # points made and conceded


@dataclass(frozen=True, slots=True)
class EndRow:
    """A row of the last table. ``score`` is None where nothing, or not all, was counted in points."""

    entry: EntryRow
    place: int | None  # None: of the house, or of whoever is the only person
    won: int
    lost: int
    score: Score | None
    vp: int
    percentage: Fraction | None
    mine: bool


@dataclass(frozen=True, slots=True)
class TournamentEnd:
    """End of a tournament.

    ``alone``: the only person among the house's players, who has no place and stands on no podium, with the number of
    ``tables`` they played of those that whoever came furthest did. ``points``: what a place was worth, by entry.
    """

    podium: Podium
    rows: tuple[EndRow, ...]
    more: int  # rows that aren't among them
    points: Mapping[int, int]
    alone: RankedEntry | None
    tables: int

    @property
    def has_house(self) -> bool:
        """Tell whether the house is in the table."""
        return any(row.entry.house for row in self.rows)


def read_ending(shown: TournamentPage) -> TournamentEnd:
    """Return how this tournament ended; one query."""
    ranked = shown.standings.rows
    people = [row for row in ranked if not row.out_of_competition]
    alone = people[0] if len(people) == 1 and len(ranked) > 1 else None
    podium = build_podium(ranked) if people and alone is None else Podium()
    rows = list_end_rows(ranked, sum_scores(shown.schedule))
    return TournamentEnd(
        podium=podium,
        rows=(*rows[:MOST_ROWS], *(row for row in rows[MOST_ROWS:] if row.mine)),
        more=max(0, shown.header.total - MOST_ROWS),
        points=_read_points([entry.entry_id for step in podium.steps for entry in step.entries]),
        alone=alone,
        tables=max((row.played for row in ranked), default=0),
    )


def list_end_rows(ranked: Sequence[RankedEntry], scores: Mapping[int, Score] | None) -> list[EndRow]:
    """Return the rows of the last table: people by their places, then the house."""
    ordered = [row for row in ranked if not row.out_of_competition] + [row for row in ranked if row.out_of_competition]
    return [
        EndRow(
            entry=row.entry,
            place=row.place,
            won=row.won,
            lost=row.lost,
            score=None if scores is None else scores.get(row.entry.entry_id, (0, 0)),
            vp=row.vp,
            percentage=row.percentage,
            mine=row.mine,
        )
        for row in ordered
    ]


def sum_scores(schedule: PageSchedule) -> dict[int, Score] | None:
    """Return the points that each entry made and conceded; None where not all fixtures are there."""
    if schedule.part is not None:
        return None
    made: Counter[int] = Counter()
    conceded: Counter[int] = Counter()
    for fixture in (f for row in merge_tables(schedule.rounds) for f in row.fixtures):
        points = fixture.result.points_made
        if fixture.state != Fixture.State.DONE or fixture.annulled or points is None:
            continue
        for side, entry in enumerate((fixture.first, fixture.second)):
            if entry is not None:
                made[entry.entry_id] += points[side]
                conceded[entry.entry_id] += points[1 - side]
    return {entry: (made[entry], conceded[entry]) for entry in made.keys() | conceded.keys()}


def _read_points(entry_ids: Sequence[int]) -> dict[int, int]:
    """Return what the rankings count for these entries, where they count something; pairs and teams share it."""
    rows = TournamentPoints.objects.filter(entry__in=entry_ids, site_points__gt=0)
    points: dict[int, int] = {}
    for entry_id, worth in rows.values_list("entry_id", "site_points"):
        points[entry_id] = max(points.get(entry_id, 0), worth or 0)
    return points
