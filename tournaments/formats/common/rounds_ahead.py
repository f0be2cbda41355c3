"""Rounds to come of a Swiss tournament: how many of them can still be paired, each by the entries that play it (D1).

Plain numbers in and out; it knows no results. With few entries it knows for sure; with more it sees what the number of
opponents that are left to each says, and where that isn't enough finds rounds or doesn't find them.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import chain, combinations

from tournaments.formats.common.matching import Pair, Pairs, find_cheapest_pairing, find_pairing, list_pairings

BYE = 0  # the opponent of an entry that has a bye
Fields = tuple[frozenset[int], ...]  # round by round, the entries that play it; the bye's place isn't among them
MAX_ENTRIES = 8  # of all rounds to come together: so few are looked through to the end


def add_bye(entries: Collection[int]) -> frozenset[int]:
    """Return the places of a round: with an odd number of entries a bye, too."""
    return frozenset((*entries, BYE) if len(entries) % 2 else entries)


def is_small(fields: Iterable[Collection[int]]) -> bool:
    """Tell if so few entries play these rounds that ``count_rounds_ahead`` is exact."""
    return len(frozenset(chain.from_iterable(fields))) <= MAX_ENTRIES


def has_spare_opponents(fields: Fields, met: Pairs, before: int = 0) -> bool:
    """Tell if everybody has so many opponents left that each round can be paired whatever the pairs before it are.

    That is so where they are a half of its places (Dirac 1952). ``before``: rounds that come first, besides.
    """
    if any(len(entries) < 2 for entries in fields):
        return False
    count = Counter(chain.from_iterable(met))
    most = max(count.values(), default=0)
    places = [len(entries) + len(entries) % 2 for entries in fields]
    if all(size - 1 - most - turn >= size / 2 for turn, size in enumerate(places, start=before)):
        return True
    least = [_count_fewest_opponents(add_bye(entries), met) for entries in fields]
    return all(left - turn >= size / 2 for turn, (left, size) in enumerate(zip(least, places, strict=True), before))


def _count_fewest_opponents(field: frozenset[int], met: Pairs) -> int:
    count = Counter(chain.from_iterable(pair for pair in met if pair <= field))
    return len(field) - 1 - max(count.values(), default=0)


def count_rounds_ahead(fields: Fields, met: Pairs) -> int:
    """Return how many of these rounds, from the first on, can be paired one after the other without a rematch.

    Of few entries (``is_small``). A round that fewer than two play can't be.
    """
    return len(fields) if has_spare_opponents(fields, met) else _open_search(fields).count(met)


@lru_cache(maxsize=16)
def _open_search(fields: Fields) -> "_RoundSearch":
    return _RoundSearch(fields)


class _RoundSearch:
    """The whole search for these rounds; pairs that have been made are bits of a number, and what it finds is kept."""

    def __init__(self, fields: Fields) -> None:
        places = [add_bye(entries) for entries in fields]
        everybody = sorted(frozenset(chain.from_iterable(places)))
        self.bits = {frozenset(pair): 1 << n for n, pair in enumerate(combinations(everybody, 2))}
        self.ways = [self._list_ways(entries) for entries in fields]
        self.stars = {entry: sum(bit for pair, bit in self.bits.items() if entry in pair) for entry in everybody}
        self.turns = {entry: [turn for turn, field in enumerate(places) if entry in field] for entry in everybody}
        self.found: dict[tuple[int, int], int] = {}

    def _list_ways(self, entries: frozenset[int]) -> tuple[int, ...]:
        field = add_bye(entries) if len(entries) > 1 else ()
        costs = dict.fromkeys(combinations(sorted(field), 2), 0)
        return tuple(self._note(pairs) for pairs in list_pairings(field, costs, "") if pairs)

    def _note(self, pairs: Iterable[Pair]) -> int:
        return sum(self.bits.get(pair, 0) for pair in pairs)

    def count(self, met: Pairs) -> int:
        return self._look(0, self._note(met))

    def _look(self, turn: int, made: int) -> int:
        """Return how many rounds from this one on can be paired after the pairs that were made."""
        most = self._limit(turn, made)
        if most == 0:
            return 0
        known = self.found.get((turn, made))
        if known is not None:
            return known
        longest = 0
        for way in self.ways[turn]:
            if not way & made:
                longest = max(longest, 1 + self._look(turn + 1, made | way))
                if longest == most:
                    break
        self.found[turn, made] = longest
        return longest

    def _limit(self, turn: int, made: int) -> int:
        """Return a number of rounds from this one on after which somebody has nobody left; all of them at most."""
        most = len(self.ways) - turn
        for entry, turns in self.turns.items():
            own = [one for one in turns if one >= turn]
            left = (self.stars[entry] & ~made).bit_count()
            if left < len(own):
                most = min(most, own[left] - turn)
        return most


def find_dead_end(fields: Fields, met: Pairs) -> int | None:
    """Return which of these rounds, from 0, surely can't be paired any more after those before it; None: none surely.

    With many entries it sees only a round to come in which somebody has nobody left, and a first round without pairs.
    """
    if any(len(entries) < 2 for entries in fields):
        short = next(turn for turn, entries in enumerate(fields) if len(entries) < 2)
        before = find_dead_end(fields[:short], met)
        return short if before is None else before
    if has_spare_opponents(fields, met):
        return None
    if is_small(fields):
        count = count_rounds_ahead(fields, met)
        return count if count < len(fields) else None
    if not has_spare_opponents(fields[:1], met) and not _can_pair(fields[0], met):
        return 0
    return find_round_without_opponents(fields, met)


@lru_cache(maxsize=64)
def _can_pair(entries: frozenset[int], met: Pairs) -> bool:
    field = add_bye(entries)
    free = {a: {b for b in field if b != a and frozenset((a, b)) not in met} for a in field}
    if find_pairing(free, "way on") is not None:
        return True
    costs = {(a, b): 0 for a, b in combinations(sorted(field), 2) if b in free[a]}
    return find_cheapest_pairing(field, costs, "") is not None


def find_round_without_opponents(fields: Sequence[frozenset[int]], met: Pairs) -> int | None:
    """Return the first round by which somebody has played more of them than there are opponents left."""
    places = [add_bye(entries) for entries in fields]
    count: Counter[int] = Counter()
    reached: set[int] = set()
    for turn, field in enumerate(places):
        reached |= field
        count.update(field)
        known = Counter(chain.from_iterable(pair for pair in met if pair <= reached))
        if any(count[entry] > len(reached) - 1 - known[entry] for entry in field):
            return turn
    return None
