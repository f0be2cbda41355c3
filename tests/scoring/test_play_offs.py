"""Ranks after play-offs (EV11), over rows that are ranked already."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.play_offs import settle_ranks
from scoring.standings import Asking, Game, StandingsRow, TieBreakReason, compute_standings
from tests.support.thorough import tries

pytestmark = pytest.mark.rule("EV11")

ROUND = TieBreakReason("round", None, None)
EQUAL = TieBreakReason("equal", None, None)


def make_rows(*ranks: int | None) -> list[StandingsRow]:
    """Rows of these ranks, best first, as a bracket gives them."""
    below = [*ranks[1:], None]
    reasons = [
        None if other is None else EQUAL if own == other else ROUND for own, other in zip(ranks, below, strict=True)
    ]
    return [
        StandingsRow(seed, rank, 3, 1, 0, 0, 7, reason)
        for seed, (rank, reason) in enumerate(zip(ranks, reasons, strict=True), start=1)
    ]


def read_ranks(rows: tuple[StandingsRow, ...]) -> list[tuple[int, int | None]]:
    return [(row.seed, row.rank) for row in rows]


def test_the_winner_of_a_play_off_comes_before_whoever_lost_it_and_nobody_else_moves() -> None:
    settled = settle_ranks(make_rows(1, 2, 3, 3, 5), [{3: 2, 4: 1}])
    assert settled.counts == (True,)
    assert read_ranks(settled.rows) == [(1, 1), (2, 2), (4, 3), (3, 4), (5, 5)]
    assert [row.separation for row in settled.rows] == [
        ROUND, ROUND, TieBreakReason("play_off", 1, 2, 2), ROUND, None,
    ]  # fmt: skip
    assert {row.vp for row in settled.rows} == {7}
    assert {(row.played, row.won) for row in settled.rows} == {(3, 1)}


def test_what_a_play_off_leaves_level_shares_the_rank_and_can_play_again() -> None:
    rows = make_rows(1, 1, 1, 1, 5)
    first = {1: 3, 2: 1, 3: 3, 4: 2}
    settled = settle_ranks(rows, [first])
    assert read_ranks(settled.rows) == [(2, 1), (4, 2), (1, 3), (3, 3), (5, 5)]
    level = settled.rows[2].separation
    assert level == TieBreakReason("equal", None, None, None, (Asking("play_off", 3, 4),))
    again = settle_ranks(rows, [first, {1: 2, 3: 1}])
    assert again.counts == (True, True)
    assert read_ranks(again.rows) == [(2, 1), (4, 2), (3, 3), (1, 4), (5, 5)]
    assert again.rows[2].separation == TieBreakReason("play_off", 1, 2, 2, (Asking("play_off", 3, 4),))


def test_ranks_close_up_over_a_place_in_a_play_off_that_nobody_earned() -> None:
    settled = settle_ranks(make_rows(1, 1, 1, 1), [{1: 2, 2: 2, 3: 3, 4: 3}])
    assert read_ranks(settled.rows) == [(1, 1), (2, 1), (3, 3), (4, 3)]


@pytest.mark.parametrize(
    ("ranks", "places"),
    [
        ((1, 2, 3), {2: 1, 3: 2}),  # they share it no more
        ((1, 1, 1), {2: 1, 3: 2}),  # somebody else shares it, too
        ((None, None, 3), {1: 1, 2: 2}),  # they have none yet
        ((1, 1, 3), {}),  # it isn't over
        ((1, 1, 3), {1: 1, 9: 2}),
    ],
)
def test_a_play_off_whose_entries_dont_share_a_rank_alone_changes_nothing(
    ranks: tuple[int | None, ...], places: Mapping[int, int]
) -> None:
    rows = make_rows(*ranks)
    settled = settle_ranks(rows, [places])
    assert settled.counts == (False,)
    assert settled.rows == tuple(rows)


def test_a_correction_that_makes_them_share_a_rank_again_gives_it_effect_again() -> None:
    play_offs = [{1: 2, 2: 1}]
    assert settle_ranks(make_rows(1, 2, 3), play_offs).counts == (False,)
    assert read_ranks(settle_ranks(make_rows(1, 1, 3), play_offs).rows) == [(2, 1), (1, 2), (3, 3)]
    assert read_ranks(settle_ranks(make_rows(1, 2, 2), [{2: 2, 3: 1}]).rows) == [(1, 1), (3, 2), (2, 3)]


def test_the_reason_keeps_what_was_asked_before_it() -> None:
    draw = ((1, 2), (2, 3), (3, 1))
    games = [Game(one, other, None, False, (0, 0), (10, 10)) for one, other in draw]
    rows = compute_standings([1, 2, 3], games, "standard")
    before = rows[0].separation
    assert before is not None
    assert [asking.code for asking in before.before] == ["vp", "direct", "mp", "won"]
    (first, second, last) = settle_ranks(rows, [{1: 3, 2: 1, 3: 2}]).rows
    assert [first.seed, second.seed, last.seed] == [2, 3, 1]
    assert first.separation == TieBreakReason("play_off", 1, 2, 3, before.before)
    assert last.separation is None
    assert TieBreakReason.from_json(first.separation.to_json()) == first.separation


@given(st.data())
@settings(max_examples=tries(30, 500), deadline=None)
def test_whatever_is_played_orders_its_entries_only(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 8), min_size=1, max_size=6))
    ranks = [1 + sum(sizes[:number]) for number, size in enumerate(sizes) for _one in range(size)]
    rows = make_rows(*ranks)
    play_offs = []
    for _number in range(data.draw(st.integers(0, 4))):
        rank = data.draw(st.sampled_from(ranks))
        seeds = [row.seed for row in rows if row.rank == rank]
        play_offs.append({seed: data.draw(st.integers(1, 8)) for seed in seeds})
    settled = settle_ranks(rows, play_offs)
    assert sorted(row.seed for row in settled.rows) == [row.seed for row in rows]
    shared = {row.seed: row.rank for row in rows}
    known = [row.rank or 0 for row in settled.rows]
    assert known == sorted(known)
    for place, row in enumerate(settled.rows, start=1):
        assert row.rank is not None
        assert shared[row.seed] == ranks[place - 1], "nobody leaves the places that were shared"
        assert row.rank <= place
        assert known.count(row.rank) + row.rank - 1 >= place, "as many as stand above, and one"
