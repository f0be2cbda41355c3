"""Thousands of decks looked at for bias (J8), and biases planted to see that they would be found."""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from math import comb, sqrt

import pytest

from games.engine import shuffling
from games.engine.cards import DECK_SIZE
from tests.support.thorough import tries

pytestmark = pytest.mark.rule("J8")

DEALS = tries(10_000, 1_000_000)
DEALS_A_MATCH = 10
BOUND = 5.0  # standard deviations: chance alone comes there once in three million times
HAND = range(0, DECK_SIZE, 4)  # the places of one of four, to whom cards are dealt one by one

Decks = Iterator[list[int]]


def deal_fairly(seed: int = 1) -> Decks:
    """Yield the decks of one match after the other, as the product makes them, from secrets of a seed."""
    dice = random.Random(seed)
    match = 0
    while True:
        secret, nonces = dice.randbytes(shuffling.SECRET_BYTES), [dice.randbytes(16).hex(), ""]
        for deal in range(DEALS_A_MATCH):
            yield shuffling.shuffle_deck(secret, f"match{match}", nonces, deal)
        match += 1


def deal_by_one_byte() -> Decks:
    """Yield decks shuffled by single bytes, reduced by modulo and none passed over."""
    dice = random.Random(2)
    while True:
        deck = list(range(DECK_SIZE))
        for last in range(DECK_SIZE - 1, 0, -1):
            place = dice.getrandbits(8) % (last + 1)
            deck[last], deck[place] = deck[place], deck[last]
        yield deck


def deal_with_a_fixed_card() -> Decks:
    """Yield decks in which the settebello comes first, once in ten times."""
    dice = random.Random(3)
    for deck in deal_fairly(3):
        if dice.random() < 0.1:
            place = deck.index(6)
            deck[0], deck[place] = deck[place], deck[0]
        yield deck


def deal_from_few_seeds() -> Decks:
    """Yield decks from a hundred secrets, again and again."""
    known = list(islice(deal_fairly(4), 100))
    dice = random.Random(4)
    while True:
        yield list(dice.choice(known))


def deal_the_last_again() -> Decks:
    """Yield decks of which each begins with the top card of the one before, one time in ten."""
    dice = random.Random(5)
    before = 0
    for deck in deal_fairly(5):
        if dice.random() < 0.1:
            place = deck.index(before)
            deck[0], deck[place] = deck[place], deck[0]
        before = deck[0]
        yield deck


def take(decks: Decks, count: int) -> list[bytes]:
    """Return so many decks, each in forty bytes: a million fit."""
    return [bytes(deck) for deck in islice(decks, count)]


def measure_places(decks: Sequence[bytes]) -> float:
    """Each card is as often at each place."""
    counts = [[0] * DECK_SIZE for _ in range(DECK_SIZE)]
    for deck in decks:
        for row, card in zip(counts, deck, strict=True):
            row[card] += 1
    return compute_deviation([count for row in counts for count in row], len(decks) / DECK_SIZE, (DECK_SIZE - 1) ** 2)


def measure_pairs(decks: Sequence[bytes]) -> float:
    """Each card lies as often just below each other one."""
    counts = [0] * DECK_SIZE**2
    for deck in decks:
        for above, below in pairwise(deck):
            counts[above * DECK_SIZE + below] += 1
    pairs = [count for place, count in enumerate(counts) if place % (DECK_SIZE + 1)]
    return compute_deviation(pairs, len(decks) * (DECK_SIZE - 1) / len(pairs), len(pairs) - 1)


def measure_series(decks: Sequence[bytes]) -> float:
    """The top cards of one deal and the next have nothing to do with each other."""
    tops = [deck[0] for deck in decks]
    mean = sum(tops) / len(tops)
    along = sum((one - mean) * (other - mean) for one, other in pairwise(tops))
    return abs(along / sum((top - mean) ** 2 for top in tops)) * sqrt(len(tops))


def measure_suits(decks: Sequence[bytes]) -> float:
    """A hand of ten has so many cards of a suit as often as can be counted exactly."""
    counts = [0] * 11
    for deck in decks:
        counts[sum(deck[place] < 10 for place in HAND)] += 1
    expected = [len(decks) * comb(10, n) * comb(30, 10 - n) / comb(40, 10) for n in range(11)]
    common = [*range(1, 5)]  # what is rarer is put together
    seen = [counts[n] for n in common] + [counts[0], sum(counts[5:])]
    awaited = [expected[n] for n in common] + [expected[0], sum(expected[5:])]
    spread = sum((one - other) ** 2 / other for one, other in zip(seen, awaited, strict=True))
    return (spread - 5) / sqrt(10)


def compute_deviation(counts: list[int], expected: float, freedom: int) -> float:
    """Return by how many standard deviations the χ² of these counts is greater than chance makes it."""
    spread = sum((count - expected) ** 2 for count in counts) / expected
    return (spread - freedom) / sqrt(2 * freedom)


MEASURES: list[Callable[[Sequence[bytes]], float]] = [measure_places, measure_pairs, measure_series, measure_suits]


def test_nothing_in_the_decks_is_more_than_chance() -> None:
    decks = take(deal_fairly(), DEALS)
    found = {measure.__name__: measure(decks) for measure in MEASURES}
    assert {name: deviation for name, deviation in found.items() if deviation > BOUND} == {}


@pytest.mark.parametrize(
    ("decks", "found_by"),
    [
        (deal_by_one_byte, measure_places),
        (deal_with_a_fixed_card, measure_places),
        (deal_from_few_seeds, measure_places),
        (deal_from_few_seeds, measure_pairs),
        (deal_from_few_seeds, measure_suits),
        (deal_the_last_again, measure_series),
    ],
)
def test_a_planted_bias_is_found(decks: Callable[[], Decks], found_by: Callable[[Sequence[bytes]], float]) -> None:
    assert found_by(take(decks(), 10_000)) > BOUND
