"""Knockout (K1-K5)."""

from collections import Counter
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from tests.support.formats import play_tournament
from tournaments.formats.common.brackets import order_bracket
from tournaments.formats.ko import FORMAT
from tournaments.formats.protocol import Draw, Kind, Pairing, Plan, Result, Slot

BRACKETS = [
    tuple(int(place) for place in line.split())
    for line in (Path(__file__).parent / "data" / "brackets.txt").read_text().splitlines()
    if not line.startswith("#")
]


def shown(plan: Plan, round_: int) -> list[tuple[int | None, int | None, str]]:
    return [(p.first, p.second, p.kind.value) for p in plan.pairings if p.slot.round == round_]


def pairing(plan: Plan, round_: int, board: int) -> Pairing:
    return next(p for p in plan.pairings if p.slot == Slot(round_, board))


def ranks(plan: Plan) -> dict[int, int | None]:
    return {row.seed: row.rank for row in plan.standings}


def played(*winners: tuple[int, int, int | None]) -> dict[Slot, Result]:
    return {Slot(r, b): Result(winner, winner is None) for r, b, winner in winners}


@pytest.mark.parametrize("places", BRACKETS, ids=len)
def test_the_bracket_stands_in_the_order_of_seeds_k1(places: tuple[int, ...]) -> None:
    assert order_bracket(len(places)) == places


def test_every_size_up_to_4096_pairs_best_with_worst_in_every_round_k1() -> None:
    for power in range(1, 13):
        order = list(order_bracket(2**power))
        while len(order) > 1:
            assert {a + b for a, b in zip(order[::2], order[1::2], strict=True)} == {len(order) + 1}
            order = order[::2] if order[0] == 1 else order[1::2]
            order = [place for place in order_bracket(2**power) if place <= len(order)]


@pytest.mark.parametrize("size", range(2, 65))
def test_byes_go_to_the_best_seeds_and_never_two_in_a_pairing_k2(size: int) -> None:
    plan = FORMAT.plan(Draw(size), {})
    first = [p for p in plan.pairings if p.slot.round == 1]
    missing = 2 * len(first) - size
    assert sorted(p.first for p in first if p.kind is Kind.BYE) == list(range(1, missing + 1))
    assert {p.kind for p in first} <= {Kind.BYE, Kind.MATCH}
    assert sorted(x for p in first for x in (p.first, p.second) if x is not None) == list(range(1, size + 1))


def test_a_fixture_opens_as_soon_as_both_entries_are_known_k4() -> None:
    plan = FORMAT.plan(Draw(8), played((1, 1, 0)))
    assert not pairing(plan, 2, 1).ready
    assert pairing(plan, 2, 1).first == 1
    plan = FORMAT.plan(Draw(8), played((1, 1, 0), (1, 2, 1)))
    assert pairing(plan, 2, 1).ready, "the other half of the round is still being played"
    assert shown(plan, 2)[0] == (1, 5, "match")


def test_two_entries_with_a_bye_meet_at_once_in_the_second_round_k2_k4() -> None:
    plan = FORMAT.plan(Draw(5), {})
    assert shown(plan, 1) == [(1, None, "bye"), (4, 5, "match"), (2, None, "bye"), (3, None, "bye")]
    assert pairing(plan, 2, 2).ready
    assert shown(plan, 2)[1] == (2, 3, "match")


@pytest.mark.parametrize(
    ("size", "third_place", "expected"),
    [
        (2, False, {1: 1, 2: 1}),
        (3, False, {1: 1, 2: 1, 3: 1}),
        (4, False, {1: 1, 2: 1, 3: 2}),
        (4, True, {1: 1, 2: 1, 3: 1, 4: 1}),
        (6, False, {1: 1, 2: 1, 3: 2, 5: 2}),
        (8, True, {1: 1, 2: 1, 3: 1, 4: 1, 5: 4}),
        (16, False, {1: 1, 2: 1, 3: 2, 5: 4, 9: 8}),
        (33, False, {1: 1, 2: 1, 3: 2, 5: 4, 9: 8, 17: 16, 33: 1}),
    ],
)
def test_final_ranks_are_shared_below_the_final_k4(size: int, third_place: bool, expected: dict[int, int]) -> None:
    plan, results = play_tournament(FORMAT, Draw(size, {"third_place": third_place}), Random(size), double_forfeits=0)
    assert Counter(row.rank for row in plan.standings) == expected
    assert len(results) == size - 1 + (third_place and size >= 4)


def test_who_is_out_has_their_rank_at_once_and_who_is_in_has_none_k4() -> None:
    plan = FORMAT.plan(Draw(8), played((1, 1, 0)))
    assert ranks(plan) == dict.fromkeys(range(1, 8)) | {8: 5}


def test_after_a_double_forfeit_the_next_opponent_has_a_bye_k5() -> None:
    plan = FORMAT.plan(Draw(8), played((1, 1, None), (1, 2, 0)))
    assert shown(plan, 2)[0] == (4, None, "bye")
    assert ranks(plan)[1] == ranks(plan)[8] == 5


def test_two_double_forfeits_leave_a_fixture_nobody_comes_to_k5() -> None:
    results = played((1, 1, None), (1, 2, None), (1, 3, 0), (1, 4, 0), (2, 2, 1))
    plan = FORMAT.plan(Draw(8), results)
    assert shown(plan, 2)[0] == (None, None, "void")
    assert shown(plan, 3) == [(3, None, "bye")]
    assert plan.finished
    assert ranks(plan)[3] == 1
    assert ranks(plan)[2] == 3


def test_a_double_forfeit_in_the_final_leaves_no_winner_and_two_seconds_k5() -> None:
    plan = FORMAT.plan(Draw(4), played((1, 1, 0), (1, 2, 0), (2, 1, None)))
    assert plan.finished
    assert ranks(plan) == {1: 2, 2: 2, 3: 3, 4: 3}


def test_third_place_is_a_bye_where_a_semifinal_was_forfeited_by_both_k5() -> None:
    plan = FORMAT.plan(Draw(4, {"third_place": True}), played((1, 1, None), (1, 2, 0)))
    assert [plan.names, plan.finished] == [("semifinal", "third_place", "final"), True]
    assert shown(plan, 2) == [(3, None, "bye")]
    assert ranks(plan) == {2: 1, 3: 3, 1: 4, 4: 4}, "third alone"


@pytest.mark.parametrize("forfeited", [(1, 2), (3, 4)])
def test_who_meets_nobody_for_third_place_is_third_alone_k4_k5(forfeited: tuple[int, int]) -> None:
    """A quarterfinal or two forfeited by both leave a semifinal without a loser in play."""
    quarters = played(*((1, board, None if board in forfeited else 0) for board in (1, 2, 3, 4)))
    first = FORMAT.plan(Draw(8, {"third_place": True}), quarters)
    semifinal = next(p for p in first.pairings if p.slot.round == 2 and p.kind is Kind.MATCH)
    plan = FORMAT.plan(Draw(8, {"third_place": True}), quarters | {semifinal.slot: Result(1)})
    assert plan.finished
    assert ranks(plan)[semifinal.second or 0] == 1
    assert [entry for entry, rank in ranks(plan).items() if rank == 3] == [semifinal.first]


def test_both_finalists_are_second_and_third_place_is_still_played_k5() -> None:
    results = played((1, 1, 0), (1, 2, 0), (2, 1, None), (3, 1, None))
    plan = FORMAT.plan(Draw(4, {"third_place": True}), results)
    assert plan.finished
    assert ranks(plan) == {1: 2, 2: 2, 3: 3, 4: 3}


def test_the_third_place_fixture_separates_third_from_fourth_k4() -> None:
    plan = FORMAT.plan(Draw(4, {"third_place": True}), played((1, 1, 0), (1, 2, 0), (2, 1, 1), (3, 1, 0)))
    assert ranks(plan) == {1: 1, 2: 2, 3: 3, 4: 4}
    assert plan.finished


@pytest.mark.parametrize("size", [3, 5, 6, 7, 11, 24, 33, 63])
def test_byes_may_go_by_lot_and_never_two_in_a_pairing_k2(size: int) -> None:
    places = 1 << (size - 1).bit_length()
    drawn = set()
    for n in range(12):
        lot = f"{n:032x}"
        plan = FORMAT.plan(Draw(size, {"byes_by_lot": True}, lot=lot), {})
        first = [p for p in plan.pairings if p.slot.round == 1]
        byes = [p.first for p in first if p.kind is Kind.BYE]
        order = sorted(range(1, size + 1), key=lambda seed: sha256(f"{lot}/byes/{seed}".encode()).hexdigest())
        assert set(byes) == set(order[: places - size]), "whoever knows the lot can recompute it"
        assert {p.kind for p in first} <= {Kind.BYE, Kind.MATCH}
        assert sorted(x for p in first for x in (p.first, p.second) if x is not None) == list(range(1, size + 1))
        drawn.add(frozenset(byes))
    assert len(drawn) > 1, "another lot, other byes"


def test_a_full_bracket_has_no_byes_to_draw_k2() -> None:
    assert FORMAT.plan(Draw(8, {"byes_by_lot": True}, lot="x"), {}) == FORMAT.plan(Draw(8), {})
