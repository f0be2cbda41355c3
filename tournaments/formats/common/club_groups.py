"""Protection of clubs in groups (EV9): as few pairs of one group as can be are of one club.

The first of each group stays, and the others change places within their turn of the snake (Q1), so that every group has
one of each strength still. Few entries are tried from several beginnings.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from scoring.tiebreaks import draw_lot_order
from tournaments.formats.common.clubs import count_shared, reach_places, share_club
from tournaments.formats.protocol import Clubs, Swaps

MAX_TRIED = 64  # entries
TRIES = 8
Groups = Sequence[Sequence[int]]  # of seeds, each by its turns of the snake


def list_meetings(groups: Groups) -> list[tuple[int, int]]:
    """Return the pairs of seeds that meet in these groups."""
    return [pair for group in groups for pair in combinations(group, 2)]


def part_groups(groups: Groups, clubs: Clubs, lot: str) -> Swaps:
    """Return the swaps after which as few pairs as were found are of one club."""
    search = _GroupSearch(groups, clubs)
    least, bound = search.count(), _bound_count(len(groups), clubs)
    best = list(search.now)
    seeds = sorted(seed for group in groups for seed in group)
    few = len(seeds) <= MAX_TRIED
    for number in range(TRIES if few else 1):
        if least == bound:
            break
        order = draw_lot_order(lot, seeds, f"clubs {number}")
        search.begin(order, mixed=number > 0)
        search.descend(order, thorough=few)
        if search.count() < least:
            least, best = search.count(), list(search.now)
    return reach_places({place: entry for place, entry in enumerate(best) if place})


def _bound_count(groups: int, clubs: Clubs) -> int:
    """Return what no groups can be under: each club spread evenly, where nobody has two clubs; else 0."""
    if any(len(own) > 1 for own in clubs):
        return 0
    sums = Counter(club for own in clubs for club in own)
    least = 0
    for count in sums.values():
        share, more = divmod(count, groups)
        least += groups * share * (share - 1) // 2 + more * share
    return least


class _GroupSearch:
    """A search from one beginning. ``now``: who stands at the place of each seed, which is its index."""

    def __init__(self, groups: Groups, clubs: Clubs) -> None:
        self.groups = groups
        self.clubs = clubs
        self.of = {seed: group for group in groups for seed in group}
        long = max(map(len, groups))
        self.turns = [[group[turn] for group in groups if turn < len(group)] for turn in range(1, long)]
        self.now = list(range(len(self.of) + 1))

    def count(self) -> int:
        """Return how many pairs of one group are of one club."""
        return count_shared(self.clubs, ((self.now[one], self.now[other]) for one, other in list_meetings(self.groups)))

    def begin(self, order: Sequence[int], *, mixed: bool) -> None:
        """Begin with the groups as they are drawn, or with each turn but the first ``mixed`` as the lot has it."""
        self.now = list(range(len(self.now)))
        for turn in self.turns if mixed else ():
            among = set(turn)
            for place, entry in zip(turn, (seed for seed in order if seed in among), strict=True):
                self.now[place] = entry

    def descend(self, order: Sequence[int], *, thorough: bool) -> None:
        """Swap two places of a turn, and if ``thorough`` of two turns at once, while that leaves fewer such pairs."""
        chance = {seed: number for number, seed in enumerate(order)}
        turns = [sorted(turn, key=chance.__getitem__) for turn in self.turns]
        while self._swap_one(turns) or (thorough and self._swap_two(turns)):
            pass

    def _swap_one(self, turns: Sequence[Sequence[int]]) -> bool:
        swapped = False
        for turn in turns:
            for one, other in combinations(turn, 2):
                if self._gain(one, other) > 0:
                    self._swap(one, other)
                    swapped = True
        return swapped

    def _swap_two(self, turns: Sequence[Sequence[int]]) -> bool:
        pairs = [pair for turn in turns for pair in combinations(turn, 2)]
        for one, other in pairs:
            first = self._gain(one, other)
            self._swap(one, other)
            for third, fourth in pairs:
                same = {id(self.of[third]), id(self.of[fourth])} == {id(self.of[one]), id(self.of[other])}
                if same and first + self._gain(third, fourth) > 0:
                    self._swap(third, fourth)
                    return True
            self._swap(one, other)
        return False

    def _gain(self, one: int, other: int) -> int:
        """Return how many pairs of one club there are fewer, if these two places are swapped."""
        first, second = self.now[one], self.now[other]
        return (
            self._count_met(one, first) + self._count_met(other, second)
            - self._count_met(other, first) - self._count_met(one, second)
        )  # fmt: skip

    def _count_met(self, place: int, entry: int) -> int:
        """Return with how many of that place's group an entry is of one club, but for whoever stands there."""
        return sum(share_club(self.clubs, entry, self.now[seed]) for seed in self.of[place] if seed != place)

    def _swap(self, one: int, other: int) -> None:
        self.now[one], self.now[other] = self.now[other], self.now[one]
