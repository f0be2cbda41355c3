"""Thousands of decks looked at for bias (J8), and biases planted to see that they would be found.

The decks come the way they come to a table: a sealed secret, the nonces, the scheme, and hands as a game deals them.
The statistics are those of permutations, which aren't those of dice: a card that is at one place is at no other. Their
means and variances are exact; chance is taken as a scaled χ² with both.
"""

import logging
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from math import comb, erfc, sqrt

import pytest

from games import shuffles
from games.engine import match as engine
from games.engine import shuffling
from games.engine.cards import DECK_SIZE, list_cards
from games.engine.game import Length, Setup
from games.models import Commitment
from games.sealing import seal
from tests.support.thorough import tries

pytestmark = pytest.mark.rule("J8")
logger = logging.getLogger(__name__)

DEALS = tries(10_000, 1_000_000)  # as few as the planted biases are found in, below
DEALS_A_MATCH = 10
SMALLEST = 1e-6  # p values below it are no chance
GAME = engine.start(
    Setup(ruleset="tresette", players=4, length=Length("deals", 1), first_dealer=0, context="free", options={})
)

Decks = Iterator[list[int]]


def deal_fairly(seed: int = 1) -> Decks:
    """Yield the decks of one match after the other, as the product makes them, from secrets of a seed."""
    dice = random.Random(seed)
    match = 0
    while True:
        sealed, nonces = seal(dice.randbytes(shuffling.SECRET_BYTES)), [dice.randbytes(16).hex(), ""]
        yield from shuffles.list_decks(Commitment(scope=f"match{match}", sealed=sealed, nonces=nonces), DEALS_A_MATCH)
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
    """Return how likely chance is to put the cards so unevenly on the places."""
    counts = [[0] * DECK_SIZE for _ in range(DECK_SIZE)]
    for deck in decks:
        for row, card in zip(counts, deck, strict=True):
            row[card] += 1
    free = (DECK_SIZE - 1) ** 2  # rows and columns of a table of permutations are full
    scale = DECK_SIZE / (DECK_SIZE - 1)
    spread = compute_spread([count for row in counts for count in row], len(decks) / DECK_SIZE)
    return compute_chance(spread, free * scale, 2 * free * scale**2)


def measure_pairs(decks: Sequence[bytes]) -> float:
    """Return how likely chance is to lay the cards so unevenly below each other."""
    counts = [0] * DECK_SIZE**2
    for deck in decks:
        for above, below in pairwise(deck):
            counts[above * DECK_SIZE + below] += 1
    pairs = [count for place, count in enumerate(counts) if place % (DECK_SIZE + 1)]
    # A pair excludes its reverse, so what differs between the two ways round spreads more, by the second weight.
    same, turned, weight = comb(DECK_SIZE, 2) - DECK_SIZE, comb(DECK_SIZE, 2) - DECK_SIZE + 1, 1 + 2 / (DECK_SIZE - 1)
    spread = compute_spread(pairs, len(decks) * (DECK_SIZE - 1) / len(pairs))
    return compute_chance(spread, (DECK_SIZE - 1) ** 2, 2 * (same + turned * weight**2))


def measure_series(decks: Sequence[bytes]) -> float:
    """Return how likely chance is to make the top cards of one deal and the next hang together so much."""
    tops = [deck[0] for deck in decks]
    mean = sum(tops) / len(tops)
    along = sum((one - mean) * (other - mean) for one, other in pairwise(tops))
    return erfc(abs(along / sum((top - mean) ** 2 for top in tops)) * sqrt(len(tops) / 2))


def measure_suits(decks: Sequence[bytes]) -> float:
    """Return how likely chance is to give the first hand of a game denari so far from what can be counted exactly."""
    counts = [0] * 11
    for deck in decks:
        state = engine.deal(GAME, list(deck)).deal
        counts[sum(card < 10 for card in list_cards(state.hands[0]))] += 1
    expected = [len(decks) * comb(10, n) * comb(30, 10 - n) / comb(40, 10) for n in range(11)]
    common = [*range(1, 5)]  # what is rarer is put together
    seen = [counts[n] for n in common] + [counts[0], sum(counts[5:])]
    awaited = [expected[n] for n in common] + [expected[0], sum(expected[5:])]
    spread = sum((one - other) ** 2 / other for one, other in zip(seen, awaited, strict=True))
    return compute_chance(spread, len(seen) - 1, 2 * (len(seen) - 1))


def compute_spread(counts: list[int], expected: float) -> float:
    return sum((count - expected) ** 2 for count in counts) / expected


def compute_chance(spread: float, mean: float, variance: float) -> float:
    """Return the p value of a sum of squares: a scaled χ² of this mean and variance, by Wilson and Hilferty."""
    scale = variance / (2 * mean)
    freedom = mean / scale
    shift = 2 / (9 * freedom)
    return erfc((((spread / scale / freedom) ** (1 / 3)) - (1 - shift)) / sqrt(2 * shift)) / 2


MEASURES: list[Callable[[Sequence[bytes]], float]] = [measure_places, measure_pairs, measure_series, measure_suits]


@pytest.mark.timeout(3600)  # a million of them, in soak
def test_nothing_in_the_decks_is_more_than_chance() -> None:
    decks = take(deal_fairly(), DEALS)
    chances = {measure.__name__.removeprefix("measure_"): measure(decks) for measure in MEASURES}
    logger.info("%s decks: %s", DEALS, {name: round(chance, 3) for name, chance in chances.items()})
    assert {name: chance for name, chance in chances.items() if chance < SMALLEST} == {}


@pytest.mark.parametrize(("at", "mean", "chance"), [(11.07, 5, 0.05), (15.09, 5, 0.01), (1613.0, 1521, 0.05)])
def test_the_chance_is_that_of_the_tables(at: float, mean: float, chance: float) -> None:
    assert compute_chance(at, mean, 2 * mean) == pytest.approx(chance, rel=0.05)


def test_the_chances_of_fair_decks_are_spread_evenly() -> None:
    """The means and variances are right: of many small lots about a tenth is below a tenth, and a half below a half."""
    lots = tries(30, 400)
    decks = take(deal_fairly(9), lots * 400)
    for measure in (measure_places, measure_pairs):
        chances = [measure(decks[lot * 400 : (lot + 1) * 400]) for lot in range(lots)]
        for share in (0.1, 0.5, 0.9):
            below = sum(chance < share for chance in chances)
            assert abs(below - lots * share) < 4 * sqrt(lots * share * (1 - share)), (measure.__name__, share)


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
    assert found_by(take(decks(), 10_000)) < SMALLEST
