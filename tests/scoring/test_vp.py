"""MP and VP from the rulebooks' tables: every bound (V1-V3), lengths without a column (V4), forfeits (V5, R4)."""

import pytest

from games.engine.game import HeaderError, Length
from games.rules import RULESETS
from scoring import vp
from scoring.vp import MatchPoints
from tests.games.rules.positions import setup


def points(value: int) -> Length:
    return Length("points", value)


def deals(value: int) -> Length:
    return Length("deals", value)


# The first margin of each row, 10-10 first, as the rulebooks print them ("da MP").
TRESETTE = {
    (6, 1): "0 1 2 3 4 5 7 9 11",
    (11, 2): "0 1 3 5 7 9 11 13 15 17 19",
    (17, 3): "0 2 4 6 8 10 12 15 18 21 24",
    (21, 4): "0 2 4 7 10 13 16 19 22 24 27",
    (26, 5): "0 3 5 8 11 14 17 20 23 26 30",
    (31, 6): "0 3 6 9 12 16 19 23 26 29 33",
    (36, 7): "0 3 6 9 13 17 21 24 28 32 36",
    (41, 8): "0 3 6 10 14 18 22 26 30 34 38",
}
SCOPA = {(7, 1, 2): "0 1 2 3 4 5 6 7 8", (11, 3): "0 1 2 3 4 5 6 8 10 12 14", (21, 4, 5): "0 1 2 4 6 8 10 12 14 17 20"}
ACCUSA = {(target,): TRESETTE[target, number] for target, number in ((11, 2), (21, 4), (31, 6), (41, 8))}
CLASSICO = {(target,): TRESETTE[target, number] for target, number in ((21, 4), (31, 6))}
COLUMNS = [
    (ruleset, length, [int(bound) for bound in bounds.split()])
    for ruleset, table in (
        ("tresette", TRESETTE),
        ("tresette-a-perdere", TRESETTE),
        ("tressette-accusa", ACCUSA),
        ("tressette-classico", CLASSICO),
        ("scopa", SCOPA),
    )
    for (target, *numbers), bounds in table.items()
    for length in (points(target), *map(deals, numbers))
]
ANY_LENGTH = (*map(points, range(1, 102)), *map(deals, range(1, 21)))
WON_OR_LOST = ("asso-piglia-tutto", "briscola", "scopone")


@pytest.mark.rule("V1", "V2", "V3")
@pytest.mark.parametrize(("ruleset", "length", "bounds"), COLUMNS)
def test_v1_v2_v3_the_row_is_the_last_whose_lower_bound_does_not_exceed_the_margin(ruleset, length, bounds):
    for margin in range(60):
        row = sum(bound <= margin for bound in bounds) - 1
        first, second = 10 + row, 10 - row
        assert vp.compute_points(ruleset, length, 0, margin) == MatchPoints((margin, -margin), (first, second))
        assert vp.compute_points(ruleset, length, 1, margin) == MatchPoints((-margin, margin), (second, first))


@pytest.mark.rule("V2")
@pytest.mark.parametrize(
    ("ruleset", "length", "margin", "won"),
    [
        ("tresette", points(21), 24, 19),  # the rulebook's upper bound of 18-2 says 24 too
        ("tresette", points(21), 23, 18),
        ("tresette", points(31), 22, 16),  # the rulebook leaves 22 out
        ("tresette", points(6), 100, 18),  # no 19-1 nor 20-0 in this column
        ("tresette", points(17), 1, 10),
        ("scopa", deals(2), 9, 18),
        ("scopa", points(11), 14, 20),
    ],
)
def test_v2_where_the_rulebook_contradicts_itself_the_lower_bounds_decide(ruleset, length, margin, won):
    assert vp.compute_points(ruleset, length, 0, margin).vp == (won, 20 - won)


@pytest.mark.rule("V1")
@pytest.mark.parametrize(("ruleset", "length", "bounds"), COLUMNS)
def test_v1_a_draw_is_ten_all(ruleset, length, bounds):
    assert vp.compute_points(ruleset, length, None, 0) == MatchPoints((0, 0), (10, 10))


@pytest.mark.rule("V5")
@pytest.mark.parametrize(
    ("ruleset", "length", "margin", "mp", "won"),
    [
        ("tresette", points(21), 0, (10, -27), 14),
        ("tresette", points(21), 12, (10, -27), 14),
        ("tresette", points(21), 13, (13, -27), 15),
        ("tresette", points(21), 15, (13, -27), 15),
        ("tresette", points(21), 40, (27, -27), 20),
        ("tresette", deals(1), 6, (5, -11), 15),  # no row for 0 VP: the last one
        ("tresette", points(6), 0, (4, -11), 14),
        ("scopa", points(7), 5, (5, -8), 15),
        ("scopa", deals(2), 0, (4, -8), 14),
        ("scopa", deals(3), 7, (6, -14), 16),
        ("scopa", points(21), 5, (6, -20), 14),
    ],
)
def test_v5_a_forfeit_is_worth_nothing_to_the_offender_and_at_least_fourteen_to_the_other(
    ruleset, length, margin, mp, won
):
    assert vp.compute_points(ruleset, length, 0, margin, offender_line=1) == MatchPoints(mp, (won, 0))
    assert vp.compute_points(ruleset, length, 1, margin, offender_line=0) == MatchPoints((mp[1], mp[0]), (0, won))


@pytest.mark.parametrize(
    ("ruleset", "length", "mp"),
    [("tresette", points(21), -27), ("tresette", deals(1), -11), ("scopa", points(11), -14)],
)
def test_r4_if_both_lines_forfeit_each_has_no_vp_and_the_losers_mp(ruleset, length, mp):
    assert vp.compute_double_forfeit(ruleset, length) == MatchPoints((mp, mp), (0, 0))


@pytest.mark.rule("V4")
def test_v4_lengths_without_a_column_have_no_vp():
    for ruleset, length in [
        ("tresette", points(12)),
        ("tresette", deals(9)),
        ("scopa", deals(6)),
        ("scopa", points(6)),
    ]:
        assert vp.compute_points(ruleset, length, 0, 3) is None
        assert vp.compute_points(ruleset, length, None, 0) is None
        assert vp.compute_double_forfeit(ruleset, length) is None


@pytest.mark.rule("V4")
def test_v4_the_allowed_lengths_are_those_with_a_column():
    assert vp.list_allowed_lengths("scopa") == (*map(points, (7, 11, 21)), *map(deals, (1, 2, 3, 4, 5)))
    for ruleset in ("tresette", "tresette-a-perdere"):
        assert vp.list_allowed_lengths(ruleset) == (
            *map(points, (6, 11, 17, 21, 26, 31, 36, 41)),
            *map(deals, range(1, 9)),
        )
    assert vp.list_allowed_lengths("asso-piglia-tutto") == ANY_LENGTH


@pytest.mark.rule("V4", "M1")
def test_v4_m1_every_length_of_tressette_accusa_has_vp():
    assert vp.list_allowed_lengths("tressette-accusa") == tuple(map(points, (11, 21, 31, 41)))


@pytest.mark.rule("V4", "C1")
def test_v4_c1_fifty_one_points_have_no_vp_in_tressette_classico():
    assert vp.list_allowed_lengths("tressette-classico") == tuple(map(points, (21, 31)))
    assert vp.compute_points("tressette-classico", points(51), 0, 12) is None
    with pytest.raises(HeaderError, match="length_without_vp"):
        vp.check_length(setup("tressette-classico", 4, context="round_robin", length=points(51)))


@pytest.mark.rule("V3")
@pytest.mark.parametrize("ruleset", WON_OR_LOST)
@pytest.mark.parametrize("length", [ANY_LENGTH[0], points(11), points(21), deals(1), deals(20)])
def test_v3_without_a_table_it_is_twenty_ten_or_nothing_at_any_length_with_v1s_margin(ruleset, length):
    assert vp.compute_points(ruleset, length, 0, 0) == MatchPoints((0, 0), (20, 0))
    assert vp.compute_points(ruleset, length, 0, 3) == MatchPoints((3, -3), (20, 0))
    assert vp.compute_points(ruleset, length, 1, 40) == MatchPoints((-40, 40), (0, 20))
    assert vp.compute_points(ruleset, length, None, 0) == MatchPoints((0, 0), (10, 10))
    vp.check_length(setup(ruleset, context="round_robin", length=length))


@pytest.mark.rule("V5")
@pytest.mark.parametrize("ruleset", WON_OR_LOST)
def test_v5_without_a_table_a_forfeit_is_twenty_to_nothing_with_v1s_margin(ruleset):
    assert vp.compute_points(ruleset, deals(3), 1, 7, offender_line=0) == MatchPoints((-7, 7), (0, 20))
    assert vp.compute_points(ruleset, deals(3), 0, 0, offender_line=1) == MatchPoints((0, 0), (20, 0))
    assert vp.compute_double_forfeit(ruleset, deals(3)) == MatchPoints((0, 0), (0, 0))


@pytest.mark.rule("V4")
def test_v4_a_round_robin_refuses_a_length_without_vp_and_other_contexts_do_not():
    for context in ("free", "ko"):
        vp.check_length(setup("scopa", context=context, length=deals(6)))
    vp.check_length(setup("scopa", context="round_robin", length=deals(5)))
    with pytest.raises(HeaderError, match="length_without_vp"):
        vp.check_length(setup("scopa", context="round_robin", length=deals(6)))


@pytest.mark.rule("V4")
def test_v4_a_game_without_a_table_has_no_vp_at_any_length_and_no_round_robin():
    assert vp.list_allowed_lengths("burraco") == ()
    assert vp.find_column("burraco", deals(1)) is None
    assert vp.compute_points("burraco", deals(1), 0, 30) is None
    assert vp.compute_double_forfeit("burraco", deals(1)) is None
    with pytest.raises(HeaderError, match="length_without_vp"):
        vp.check_length(setup("burraco", context="round_robin", length=deals(1)))


def test_every_ruleset_on_offer_has_a_table_that_names_its_source():
    assert set(vp.TABLES) == set(RULESETS)
    assert all(table.source.startswith("rulebook 00") for table in vp.TABLES.values())
