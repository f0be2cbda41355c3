"""The podium of a tournament that is over: which people came first, second and third, and where the house stood.

Plain Python over the standings' rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.core.rows import EntryRow, RankedEntry

STEPS = 3


@dataclass(frozen=True, slots=True)
class PodiumStep:
    """A step of the podium, and who shares it: more than one ex aequo."""

    place: int
    entries: tuple[EntryRow, ...]


@dataclass(frozen=True, slots=True)
class Podium:
    """Steps that somebody stands on, the first first; and those of the house who came as far, which have no place
    (E8), the best first."""

    steps: tuple[PodiumStep, ...] = ()
    house: tuple[EntryRow, ...] = ()


def build_podium(rows: Sequence[RankedEntry]) -> Podium:
    """Return the podium. ``rows``: the standings, best first.

    It is of people, by their places among people; somebody alone among the house has none, and stands there if they
    came before everybody. Only where nobody but the house played the steps are the house's. A step may be empty (K5),
    and is left out.
    """
    people = [row for row in rows if not row.out_of_competition]
    house = [(row.rank, row.entry) for row in rows if row.out_of_competition]
    if not people:
        return Podium(_build_steps(house))
    alone = len(people) == 1
    places = [((row.rank if row.rank == 1 else None) if alone else row.place, row.entry) for row in people]
    return Podium(_build_steps(places), tuple(entry for step in _build_steps(house) for entry in step.entries))


def _build_steps(places: Sequence[tuple[int | None, EntryRow]]) -> tuple[PodiumStep, ...]:
    steps = [PodiumStep(place, tuple(entry for of, entry in places if of == place)) for place in range(1, STEPS + 1)]
    return tuple(step for step in steps if step.entries)
