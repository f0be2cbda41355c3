"""Confronto of tables that played the same decks (J10), worked out by hand."""

from fractions import Fraction

import pytest

from scoring.comparison import compare_tables, compute_share, settle_forfeit
from scoring.standings import compute_standings, round_share
from scoring.tiebreaks import Game

TABLES = {
    "a": {0: (3, 1), 1: (2, 2)},  # +2, 0
    "b": {0: (5, 3), 1: (0, 4)},  # +2, -4
    "c": {0: (1, 4), 1: (6, 1)},  # -3, +5
    "d": {0: (4, 0)},  # +4, and the second deal wasn't finished
}


@pytest.mark.rule("J10")
def test_each_deal_is_compared_with_every_other_table() -> None:
    compared = compare_tables(TABLES)
    # Deal 0: d beats all three (6 of 6), a and b beat c and are level (3 of 6), c nothing. Deal 1, of three: 4, 2, 0.
    assert [(deal.won, deal.possible) for deal in compared["a"]] == [(3, 6), (2, 4)]
    assert [(deal.won, deal.possible) for deal in compared["b"]] == [(3, 6), (0, 4)]
    assert [(deal.won, deal.possible) for deal in compared["c"]] == [(0, 6), (4, 4)]
    assert [(deal.won, deal.possible) for deal in compared["d"]] == [(6, 6)]
    assert compute_share(compared["a"], 0) == Fraction(5, 10)
    assert compute_share(compared["c"], 0) == Fraction(4, 10)
    assert compute_share(compared["c"], 1) == Fraction(6, 10)
    assert compute_share(compared["d"], 1) == 0


@pytest.mark.rule("J10")
def test_fewer_points_are_better_where_they_win() -> None:
    compared = compare_tables({"a": {0: (1, 9)}, "b": {0: (9, 1)}}, fewest_wins=True)
    assert compared["a"][0].won == 2
    assert compared["b"][0].won == 0


@pytest.mark.rule("J10")
def test_a_deal_of_one_table_alone_counts_nothing_and_a_round_without_any_is_half() -> None:
    compared = compare_tables({"a": {0: (3, 1)}, "b": {}})
    assert compared["a"][0].possible == 0
    assert [compute_share(compared[table], side) for table in "ab" for side in (0, 1)] == [Fraction(1, 2)] * 4


@pytest.mark.rule("J10")
def test_a_forfeit_gives_nothing_to_one_side_and_at_least_seven_tenths_to_the_other() -> None:
    assert settle_forfeit(Fraction(9, 10), by_them=True) == 0
    assert settle_forfeit(Fraction(1, 2), by_them=False) == Fraction(7, 10)
    assert settle_forfeit(Fraction(9, 10), by_them=False) == Fraction(9, 10)


@pytest.mark.rule("J10")
@pytest.mark.parametrize(
    ("share", "hundredths"),
    [(Fraction(1, 3), 3333), (Fraction(2, 3), 6667), (Fraction(12345, 20000), 6173), (1, 10000)],
)
def test_shares_are_shown_with_two_decimals_half_up(share: Fraction, hundredths: int) -> None:
    assert round_share(Fraction(share)) == hundredths


@pytest.mark.rule("J10", "R2")
def test_percentages_rank_before_victory_points_and_what_is_level_shares_the_rank() -> None:
    games = [Game(1, 2, 0, False, (5, -5), (20, 0)), Game(3, 4, None, False, (0, 0), (10, 10))]
    shares = {1: Fraction(1, 3), 2: Fraction(2, 3), 3: Fraction(1, 2), 4: Fraction(1, 2)}
    rows = compute_standings(range(1, 5), games, "percentuale", shares=shares)
    assert [(row.seed, row.rank) for row in rows] == [(2, 1), (3, 2), (4, 2), (1, 4)]
    why = rows[0].separation
    assert why is not None
    assert (why.code, why.own, why.next) == ("percentage", 6667, 5000)
    assert rows[1].separation is not None
    assert rows[1].separation.code == "equal"
    level = compute_standings(range(1, 3), games[:1], "percentuale", shares=dict.fromkeys((1, 2), Fraction(1, 2)))
    assert [(row.seed, row.rank) for row in level] == [(1, 1), (2, 2)]
    assert level[0].separation is not None
    assert level[0].separation.code == "vp"
