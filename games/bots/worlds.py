"""Hidden cards dealt anew, as they may lie: every way that fits what is known, each as likely as any other.

A *place* is where hidden cards may be: a hand, the stock, or the pile of cards that were taken unseen. It has room for
so many of them, and some cards it can't hold. Masks are sets of cards; the dice are handed in.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

from games.bots.dice import Dice
from games.engine.cards import list_cards


class Room(NamedTuple):
    """Room for so many hidden cards, out of a mask of those that it may hold."""

    room: int
    allowed: int


class Impossible(Exception):
    """No way of dealing the hidden cards fits what is known."""


_Split = tuple[int, ...]  # how many cards go to each of some places


class Hidden:
    """Hidden cards and their places, ready to be dealt again and again. Impossible if they don't fit."""

    def __init__(self, cards: int, places: Sequence[Room]) -> None:
        self.places = len(places)
        self._rooms = tuple([place.room for place in places])
        if sum(self._rooms) != cards.bit_count() or any(room < 0 for room in self._rooms):
            raise Impossible
        groups: dict[tuple[int, ...], list[int]] = {}  # cards that may lie in the same places
        for card in list_cards(cards):
            where = tuple([number for number, place in enumerate(places) if place.allowed >> card & 1])
            groups.setdefault(where, []).append(card)
        self._groups = sorted(groups.items(), key=lambda group: len(group[0]))
        self._ways: dict[tuple[int, _Split], int] = {}
        self._splits: dict[tuple[int, _Split], tuple[list[_Split], list[int]]] = {}  # with their ways added up
        if not self._count_ways(0, self._rooms):
            raise Impossible

    @property
    def is_open(self) -> bool:
        """Return whether every card has but one place to be."""
        return all(len(where) <= 1 for where, _cards in self._groups)

    @property
    def ways(self) -> int:
        """Return the number of ways in which the cards may be dealt."""
        return self._count_ways(0, self._rooms)

    def list_deals(self) -> Iterator[list[int]]:
        """Yield every way of dealing the cards, each once: a mask of cards for each place."""
        yield from self._list_from(0, [0] * self.places)

    def _list_from(self, number: int, dealt: list[int]) -> Iterator[list[int]]:
        if number == len(self._groups):
            if all(mask.bit_count() == room for mask, room in zip(dealt, self._rooms, strict=True)):
                yield dealt
            return
        where, cards = self._groups[number]
        rooms = [self._rooms[place] - dealt[place].bit_count() for place in where]
        for split in _list_splits(len(cards), rooms):
            for masks in _list_hands(cards, split):
                after = list(dealt)
                for place, mask in zip(where, masks, strict=True):
                    after[place] |= mask
                yield from self._list_from(number + 1, after)

    def deal(self, dice: Dice) -> list[int]:
        """Return a mask of cards for each place."""
        random = dice.random
        dealt = [0] * self.places
        rooms = self._rooms
        last = len(self._groups) - 1
        for number, (where, cards) in enumerate(self._groups):
            splits, ways = self._splits[number, rooms]
            split = splits[bisect_right(ways, int(random() * ways[-1]), 0, len(ways) - 1)]
            mixed = sorted(cards, key=lambda _card: random()) if len(where) > 1 else cards
            first = 0
            for place, count in zip(where, split, strict=True):
                mask = 0
                for card in mixed[first : first + count]:
                    mask |= 1 << card
                dealt[place] |= mask
                first += count
            if number < last:
                rooms = _subtract(rooms, where, split)
        return dealt

    def _count_ways(self, number: int, rooms: _Split) -> int:
        """Return the number of ways to deal the groups from this one on, keeping how often each of its splits comes."""
        if number == len(self._groups):
            return 1
        hit = self._ways.get((number, rooms))
        if hit is not None:
            return hit
        where, cards = self._groups[number]
        splits: list[_Split] = []
        added_up: list[int] = []
        total = 0
        for split in _list_splits(len(cards), [rooms[place] for place in where]):
            ways, rest = self._count_ways(number + 1, _subtract(rooms, where, split)), len(cards)
            for count in split:
                ways *= comb(rest, count)
                rest -= count
            if ways:
                total += ways
                splits.append(split)
                added_up.append(total)
        self._ways[number, rooms] = total
        self._splits[number, rooms] = (splits, added_up)
        return total


def _subtract(rooms: _Split, where: Sequence[int], split: _Split) -> _Split:
    left = list(rooms)
    for place, count in zip(where, split, strict=True):
        left[place] -= count
    return tuple(left)


def _list_splits(cards: int, rooms: Sequence[int]) -> Iterator[_Split]:
    """List the ways to put so many cards into these rooms, by how many go where."""
    if len(rooms) <= 1:
        if cards <= sum(rooms):
            yield (cards,) * len(rooms)
        return
    for count in range(max(0, cards - sum(rooms[1:])), min(cards, rooms[0]) + 1):
        for rest in _list_splits(cards - count, rooms[1:]):
            yield (count, *rest)


def _list_hands(cards: Sequence[int], counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """List the ways to deal these cards into hands of so many, as masks."""
    if not counts:
        yield ()
        return
    for held in combinations(cards, counts[0]):
        mask = sum(1 << card for card in held)
        rest = [card for card in cards if not mask >> card & 1]
        for others in _list_hands(rest, counts[1:]):
            yield (mask, *others)
