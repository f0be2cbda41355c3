"""A round of a danese that can't be paired: what the organiser may choose, and what comes of each choice (D1)."""

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from tests.support.thorough import tries
from tournaments.formats.common.ways_out import pair_with_rematches, pair_with_second_byes
from tournaments.formats.danese import FORMAT
from tournaments.formats.protocol import Draw, Kind, Plan, Result, Slot, WayOut

pytestmark = pytest.mark.rule("D1")

# Six entries after three rounds: 1, 3 and 5 have met 2, 4 and 6, and two triangles are left.
ROUNDS = [((1, 2), (3, 4), (5, 6)), ((1, 4), (3, 6), (5, 2)), ((1, 6), (3, 2), (5, 4))]
DRAWN = {Slot(r, b): pair for r, pairs in enumerate(ROUNDS, 1) for b, pair in enumerate(pairs, 1)}
RESULTS = {slot: Result(0, vp=(15, 5), mp=(4, -4)) for slot in DRAWN}


def plan(rounds: int = 4, published: int | None = 3, **ways: str) -> Plan:
    chosen = {4: WayOut(ways["way"])} if ways else {}
    draw = Draw(6, {"rounds": rounds}, lot="lot", bye=(4, 14), published=published, ways=chosen)
    return FORMAT.plan(draw, RESULTS, {}, DRAWN)


def list_fourth(made: Plan) -> list[tuple[int | None, int | None]]:
    return [(p.first, p.second) for p in made.pairings if p.slot.round == 4 and p.first is not None]


def test_where_the_organiser_publishes_the_rounds_the_tournament_waits_for_the_choice() -> None:
    waiting = plan()
    assert (waiting.stuck, waiting.ways) == (4, (WayOut.BYE, WayOut.REMATCH, WayOut.END))
    assert not waiting.finished
    assert plan(rounds=5).ways == (WayOut.BYE, WayOut.END), "a rematch only in the last round"


def test_where_rounds_publish_themselves_it_ends_with_the_round_before() -> None:
    ended = plan(published=None)
    assert ended.finished
    assert ended.stuck == 4


def test_the_organiser_may_end_it() -> None:
    assert plan(way="end").finished
    assert {p.kind for p in plan(way="end").pairings if p.slot.round == 4} == {Kind.VOID}


@pytest.mark.parametrize("published", [4, None])
def test_a_second_bye_is_given_to_as_few_as_it_takes(published: int | None) -> None:
    made = plan(published=published, way="bye")
    assert not made.finished
    pairs = list_fourth(made)
    resting = [first for first, second in pairs if second is None]
    assert len(resting) == 2, "one of each triangle: with an even number two rest"
    assert len({1, 3, 5} & set(resting)) == 1
    assert {p.worth for p in made.pairings if p.slot.round == 4 and p.kind is Kind.BYE} == {(4, 14)}
    met = {frozenset(pair) for pair in DRAWN.values()}
    assert not met & {frozenset(pair) for pair in pairs if pair[1] is not None}


def test_in_the_last_round_the_fewest_rematches_are_made() -> None:
    pairs = list_fourth(plan(published=4, way="rematch"))
    met = {frozenset(pair) for pair in DRAWN.values()}
    assert len(pairs) == 3
    assert sum(frozenset(pair) in met for pair in pairs) == 1


def test_a_choice_counts_only_while_the_round_cannot_be_paired() -> None:
    draw = Draw(6, {"rounds": 3}, lot="lot", published=2, ways={2: WayOut.END})
    first = {slot: result for slot, result in RESULTS.items() if slot.round == 1}
    made = FORMAT.plan(draw, first, {}, {slot: pair for slot, pair in DRAWN.items() if slot.round == 1})
    assert made.stuck is None
    assert not made.finished
    assert len([p for p in made.pairings if p.slot.round == 2 and p.first]) == 3


def test_with_one_left_there_is_nothing_to_choose_and_it_is_over() -> None:
    draw = Draw(6, {"rounds": 4}, lot="lot", published=3)
    made = FORMAT.plan(draw, RESULTS, dict.fromkeys(range(1, 6), 3), DRAWN)
    assert made.finished
    assert (made.stuck, made.ways) == (4, (WayOut.END,))


def test_who_has_had_a_bye_rests_again_only_where_all_others_must_play() -> None:
    """Of five the three who haven't met rest in turn; the last to have had one rests again only if it must be."""
    order, met = (1, 2, 3), frozenset(map(frozenset, [(1, 2), (1, 3), (1, 0), (2, 0), (3, 0)]))
    assert pair_with_second_byes(order, met, {1: 1, 2: 1, 3: 1}, "lot", frozenset()) == ((2, 3), (1, 0))
    assert pair_with_second_byes(order, met - {frozenset((1, 3))}, {1: 1, 2: 2, 3: 1}, "lot", frozenset()) == (
        (2, 3), (1, 0),
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(tries(20, 400)))
def test_byes_and_rematches_are_as_few_as_can_be(seed: int) -> None:
    """Beside a plain search over all pairings."""
    dice = Random(seed)
    size = dice.randint(3, 7)
    order = tuple(dice.sample(range(1, size + 1), size))
    met = frozenset(frozenset(pair) for pair in combinations(range(size + 1), 2) if dice.random() < 0.7)
    rested = {entry: int(frozenset((entry, 0)) in met) for entry in order}

    def every(left: tuple[int, ...]) -> list[tuple[tuple[int, int], ...]]:
        if not left:
            return [()]
        first, *others = left
        alone = [((first, 0), *rest) for rest in every(tuple(others))]
        paired = [((first, b), *rest) for b in others for rest in every(tuple(one for one in others if one != b))]
        return alone + paired

    ways = every(tuple(sorted(order)))
    fresh = [way for way in ways if all(b == 0 or frozenset((a, b)) not in met for a, b in way)]
    with_pairs = [way for way in fresh if any(b for _a, b in way)]
    pairs = pair_with_second_byes(order, met, rested, "lot", frozenset())
    if pairs is None:
        assert not with_pairs
    else:

        def rate(way: tuple[tuple[int, int], ...]) -> tuple[int, int, int]:
            alone = [a for a, b in way if b == 0]
            return len(alone), sum(rested[a] for a in alone), -sum(order.index(a) for a in alone)

        assert rate(pairs) == min(map(rate, with_pairs))
    once = [way for way in ways if [a for a, b in way if b == 0 and not rested[a]] == [a for a, b in way if b == 0]]
    once = [way for way in once if sum(b == 0 for _a, b in way) == size % 2]
    again = pair_with_rematches(order, met, "lot", frozenset())
    if again is None:
        assert not once
    else:
        counts = [sum(frozenset(pair) in met for pair in way if pair[1]) for way in (again, *once)]
        assert counts[0] == min(counts[1:])


def test_a_forbidden_pair_is_in_the_way_of_a_choice_too() -> None:
    draw = Draw(6, {"rounds": 4}, lot="lot", published=4, ways={4: WayOut.BYE})
    banned = tuple(combinations((1, 3, 5), 2))
    made = FORMAT.plan(replace(draw, banned=banned), RESULTS, {}, DRAWN)
    assert len(made.lifted) >= 1
    assert list_fourth(made) == []
