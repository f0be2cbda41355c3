"""The podium of a tournament that is over: who came first, second and third. Plain Python over the standings' rows."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.core.rows import EntryRow, RankedEntry

STEPS = 3


@dataclass(frozen=True, slots=True)
class PodiumStep:
    """A step of the podium, and who shares it: more than one ex aequo."""

    place: int
    entries: tuple[EntryRow, ...]


def build_podium(rows: Sequence[RankedEntry]) -> tuple[PodiumStep, ...]:
    """Return the steps that somebody stands on, the first first. ``rows``: the standings, best first.

    Where people and the house play, the places are those among people (E8); the house's own stand on it where there
    is no such place. A step may be empty (K5), and is left out.
    """
    mixed = any(row.place is not None for row in rows) and any(row.out_of_competition for row in rows)
    places = [(row.place if mixed else row.rank, row.entry) for row in rows]
    steps = [PodiumStep(place, tuple(entry for of, entry in places if of == place)) for place in range(1, STEPS + 1)]
    return tuple(step for step in steps if step.entries)
