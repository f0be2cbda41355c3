"""Pairs drawn of people who entered alone (EV2): who plays with whom, from an order that was drawn of them.

People are numbers, from 1, as they stand in the list. It knows no names and draws nothing: ``order`` is the lot.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

LOT, STRENGTH, LISTS = "lot", "strength", "lists"  # the ways
A, B = "A", "B"
SIDES = (A, B)
Couple = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Crowd:
    """People of whom pairs are made: ``size`` of them, and the ``way`` in which.

    ``entered``: their numbers in the order in which they entered; ``strengths``: the place of each by strength, the
    best 1, equals the same, None who has none; ``sides``: the list of each, "" on neither; ``tied``: those who came as
    a pair and stay one.
    """

    size: int
    way: str
    entered: Sequence[int]
    strengths: Sequence[int | None] = ()
    sides: Sequence[str] = ()
    tied: Sequence[Couple] = ()

    def list_alone(self) -> list[int]:
        """Return those who get a partner, in the order of the list."""
        settled = set(chain.from_iterable(self.tied))
        return [number for number in range(1, self.size + 1) if number not in settled]

    def find_odd_one(self) -> int | None:
        """Return who stays out where somebody must: the last of those alone who entered; of the longer list, where
        nobody who is on neither could make the two as long as each other."""
        alone = set(self.list_alone())
        if len(alone) % 2 == 0:
            return None
        if self.way == LISTS:
            lengths = self._count_sides(alone)
            longer = A if lengths[A] > lengths[B] else B
            if abs(lengths[A] - lengths[B]) > lengths[""]:
                alone = {number for number in alone if self.sides[number - 1] == longer}
        return next(number for number in reversed(self.entered) if number in alone)

    def count_same(self) -> int:
        """Return how many pairs must be of one list (0 where there are none): those that the longer one has over."""
        if self.way != LISTS:
            return 0
        odd = self.find_odd_one()
        lengths = self._count_sides(number for number in self.list_alone() if number != odd)
        return max(0, abs(lengths[A] - lengths[B]) - lengths[""]) // 2

    def _count_sides(self, numbers: Iterable[int]) -> Mapping[str, int]:
        lengths = {A: 0, B: 0, "": 0}
        for number in numbers:
            lengths[self.sides[number - 1]] += 1
        return lengths


def pair_people(crowd: Crowd, order: Sequence[int]) -> tuple[Couple, ...]:
    """Return the pairs that an ``order`` of all people, as it was drawn, makes of them.

    In a pair the one who stands first in the list comes first, and pairs stand by those. Who stays out is in none.
    """
    alone = set(crowd.list_alone()) - {crowd.find_odd_one()}
    queue = [number for number in order if number in alone]
    halves = {LOT: _halve, STRENGTH: _halve_by_strength, LISTS: _halve_by_list}[crowd.way](crowd, queue)
    pairs = [*crowd.tied, *zip(*halves, strict=True)]
    return tuple(sorted((min(pair), max(pair)) for pair in pairs))


Halves = tuple[list[int], list[int]]  # as many; those at the same place are a pair


def _halve(_crowd: Crowd, queue: Sequence[int]) -> Halves:
    """Return the people of the ``queue``, as they were drawn, two by two: the first with the second, and so on."""
    return list(queue[::2]), list(queue[1::2])


def _halve_by_strength(crowd: Crowd, queue: Sequence[int]) -> Halves:
    """Return the upper half by strength, and the lower half as it was drawn. Who has no strength stands in the middle,
    as drawn; so do equals between each other."""
    with_strength = sorted(
        (number for number in queue if crowd.strengths[number - 1] is not None),
        key=lambda number: crowd.strengths[number - 1] or 0,
    )
    middle = (len(with_strength) + 1) // 2
    without = [number for number in queue if crowd.strengths[number - 1] is None]
    ranking = [*with_strength[:middle], *without, *with_strength[middle:]]
    half = len(ranking) // 2
    lower = set(ranking[half:])
    return ranking[:half], [number for number in queue if number in lower]


def _halve_by_list(crowd: Crowd, queue: Sequence[int]) -> Halves:
    """Return one list and the other, as drawn. Who is on neither goes where one is missing, then to A and B in turn;
    those that the longer one has over are pairs of themselves."""
    lists: dict[str, list[int]] = {A: [], B: [], "": []}
    for number in queue:
        lists[crowd.sides[number - 1]].append(number)
    for number in lists[""]:
        lists[B if len(lists[B]) < len(lists[A]) else A].append(number)
    short = min(len(lists[A]), len(lists[B]))
    rest = lists[A][short:] + lists[B][short:]
    return lists[A][:short] + rest[::2], lists[B][:short] + rest[1::2]
