"""Pairs drawn of people who entered alone (EV2): nobody is lost, nobody plays twice, and each way does what it says."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random

import pytest

from tests.support.thorough import tries
from tournaments.formats.common.partners import LISTS, LOT, STRENGTH, Couple, Crowd, pair_people

pytestmark = pytest.mark.rule("EV2")


def draw_crowds(way: str) -> Iterator[tuple[Crowd, list[int]]]:
    """Crowds of 2 to 33, of whom some have no strength, stand on no list or came as a pair, and an order of each."""
    dice = Random(way)
    for size in [*range(2, 34)] * tries(2, 20):
        numbers = list(range(1, size + 1))
        strengths = [dice.choice((None, dice.randint(1, size))) for _number in numbers]
        sides = dice.choices(("A", "B", ""), weights=dice.choice(((1, 1, 0), (3, 1, 1), (1, 0, 0))), k=size)
        people = dice.sample(numbers, size)
        tied = [(people[2 * place], people[2 * place + 1]) for place in range(dice.randint(0, size // 4))]
        entered, order = dice.sample(numbers, size), dice.sample(numbers, size)
        yield Crowd(size, way, entered, strengths, sides, tied), order


def list_drawn(crowd: Crowd, pairs: Sequence[Couple]) -> list[Couple]:
    """The pairs that didn't come as such."""
    tied = {frozenset(pair) for pair in crowd.tied}
    return [pair for pair in pairs if frozenset(pair) not in tied]


@pytest.mark.parametrize("way", [LOT, STRENGTH, LISTS])
def test_everybody_is_in_one_pair_or_is_the_odd_one(way: str) -> None:
    for crowd, order in draw_crowds(way):
        pairs, odd = pair_people(crowd, order), crowd.find_odd_one()
        seated = list(chain.from_iterable(pairs))
        assert sorted([*seated, *([odd] if odd else [])]) == list(range(1, crowd.size + 1))
        assert (odd is None) == (crowd.size % 2 == 0)
        assert {frozenset(pair) for pair in crowd.tied} <= {frozenset(pair) for pair in pairs}
        assert list(pairs) == sorted(pairs)
        assert all(one < other for one, other in pairs)


@pytest.mark.parametrize("way", [LOT, STRENGTH])
def test_the_odd_one_is_the_last_of_those_alone_who_entered(way: str) -> None:
    for crowd, _order in draw_crowds(way):
        odd = crowd.find_odd_one()
        if odd is not None:
            later = crowd.entered[crowd.entered.index(odd) + 1 :]
            assert odd in crowd.list_alone()
            assert not set(later) & set(crowd.list_alone())


def test_by_lot_the_drawn_are_paired_two_by_two() -> None:
    assert pair_people(Crowd(6, LOT, range(1, 7)), [4, 1, 6, 2, 3, 5]) == ((1, 4), (2, 6), (3, 5))
    assert pair_people(Crowd(5, LOT, range(1, 6)), [4, 5, 1, 3, 2]) == ((1, 4), (2, 3))


def test_the_strong_get_a_partner_each_from_the_lower_half() -> None:
    strengths = [1, 8, 3, 6, 5, 4, 7, 2]
    pairs = pair_people(Crowd(8, STRENGTH, range(1, 9), strengths), [2, 5, 1, 7, 3, 4, 8, 6])
    assert pairs == ((1, 2), (3, 7), (4, 6), (5, 8)), "the best with the first of the lower half that is drawn"


def test_no_two_of_one_half_are_drawn_together() -> None:
    for crowd, order in draw_crowds(STRENGTH):
        pairs = list_drawn(crowd, pair_people(crowd, order))
        places = [crowd.strengths[number - 1] for pair in pairs for number in pair]
        known = sorted(place for place in places if place is not None)
        if len(known) < len(places):
            continue  # where a half ends, lot may decide
        half = len(pairs)
        for pair in pairs:
            upper, lower = sorted(crowd.strengths[number - 1] or 0 for number in pair)
            assert upper <= known[half - 1] <= known[half] <= max(lower, known[half])
            assert lower >= known[half]


def test_who_has_no_strength_stands_in_the_middle_by_lot() -> None:
    strengths = [1, None, None, 2, None, None, 3, 4]
    for seed in range(20):
        order = Random(seed).sample(range(1, 9), 8)
        pairs = pair_people(Crowd(8, STRENGTH, range(1, 9), strengths), order)
        partner = dict(pairs) | {other: one for one, other in pairs}
        assert partner[1] != 4, "the two best are in the upper half"
        assert partner[7] != 8, "the two last are in the lower"
    orders = (Random(seed).sample(range(1, 9), 8) for seed in range(200))
    drawn = Counter(pair for order in orders for pair in pair_people(Crowd(8, STRENGTH, range(1, 9), strengths), order))
    assert {(1, other) for other in (2, 3, 5, 6, 7, 8)} <= set(drawn), "anybody else may be with the best"


def test_of_two_lists_a_pair_has_one_of_each() -> None:
    for crowd, order in draw_crowds(LISTS):
        pairs = list_drawn(crowd, pair_people(crowd, order))
        same = sum(crowd.sides[one - 1] == crowd.sides[other - 1] != "" for one, other in pairs)
        assert same == crowd.count_same()


def test_those_that_the_longer_list_has_over_are_paired_with_each_other() -> None:
    crowd = Crowd(8, LISTS, range(1, 9), sides=["A", "A", "A", "A", "A", "A", "B", "B"])
    assert crowd.count_same() == 2
    assert pair_people(crowd, [1, 7, 2, 8, 3, 4, 5, 6]) == ((1, 7), (2, 8), (3, 4), (5, 6))


def test_who_is_on_no_list_goes_where_somebody_is_missing() -> None:
    crowd = Crowd(6, LISTS, range(1, 7), sides=["A", "A", "A", "B", "", ""])
    assert crowd.count_same() == 0
    assert pair_people(crowd, [5, 1, 2, 3, 4, 6]) == ((1, 4), (2, 5), (3, 6))


def test_the_odd_one_of_two_lists_is_the_last_of_the_longer() -> None:
    assert Crowd(5, LISTS, range(1, 6), sides=["A", "A", "A", "B", "B"]).find_odd_one() == 3
    assert Crowd(5, LISTS, range(1, 6), sides=["A", "A", "B", "B", ""]).find_odd_one() == 5, "of all, where lists do"


def test_every_pair_is_as_likely_by_lot() -> None:
    dice, size, draws = Random(7), 6, tries(3000, 60000)
    drawn = Counter(
        pair for _ in range(draws) for pair in pair_people(Crowd(size, LOT, range(1, 7)), dice.sample(range(1, 7), 6))
    )
    expected = draws / (size - 1)
    assert len(drawn) == size * (size - 1) // 2
    assert all(abs(count - expected) < 0.15 * expected for count in drawn.values())
