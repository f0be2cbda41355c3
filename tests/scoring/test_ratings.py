"""Ratings: what a result is worth for levels (L3), how two lines are rated (L4), and what is shown (L5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.game import Length
from scoring import ratings, vp
from scoring.ratings import NEW, Rating
from tests.scoring.naive_ratings import rate_naively

PEOPLE = st.builds(Rating, st.floats(0, 50), st.floats(0.5, 25 / 3))
SHARES = st.floats(0, 1)
LINES = st.integers(1, 2).flatmap(
    lambda size: st.tuples(*(st.lists(PEOPLE, min_size=size, max_size=size) for _line in (0, 1)))
)
Lines = tuple[list[Rating], list[Rating]]


@pytest.mark.rule("L3")
@pytest.mark.parametrize(
    ("ruleset", "length", "winner", "margin", "share"),
    [
        ("scopa", Length("points", 11), 0, 11, 0.9),  # 18-2
        ("scopa", Length("points", 11), 1, 1, 0.45),  # 9-11
        ("scopa", Length("deals", 3), 0, 14, 1.0),  # 20-0
        ("tresette", Length("points", 21), 0, 4, 0.6),  # 12-8
        ("tresette", Length("points", 21), 0, 0, 0.5),  # called out with fewer points: 10-10
        ("tresette", Length("points", 21), None, 0, 0.5),
        ("asso-piglia-tutto", Length("points", 50), 0, 1, 1.0),  # a win is 20
        ("tresette", Length("points", 20), 1, 9, 0.0),  # no column
        ("tresette", Length("points", 20), None, 0, 0.5),
        ("burraco", Length("deals", 3), 0, 1, 1.0),
    ],
)
def test_a_result_is_worth_its_share_of_the_vp(
    ruleset: str, length: Length, winner: int | None, margin: int, share: float
) -> None:
    assert ratings.compute_share(ruleset, length, winner, margin, "points") == pytest.approx(share)


@pytest.mark.rule("L3")
@pytest.mark.parametrize(
    "decided_by", ["tie_break_1", "tie_break_2", "tie_break_3", "tie_break_last_trick", "last_trick"]
)
def test_level_at_the_regular_end_is_a_half_whoever_goes_on(decided_by: str) -> None:
    for winner in (0, 1):
        assert ratings.compute_share("scopa", Length("points", 11), winner, 4, decided_by) == 0.5
        assert ratings.compute_share("tresette", Length("points", 20), winner, 4, decided_by) == 0.5


@pytest.mark.rule("L3")
@pytest.mark.parametrize("length", [Length("points", 21), Length("points", 20)])
def test_a_forfeit_is_one_and_nothing_whatever_the_points(length: Length) -> None:
    assert ratings.compute_share("tresette", length, 1, 0, "timeout", offender=0) == 0.0
    assert ratings.compute_share("tresette", length, 0, 0, "clock", offender=1) == 1.0


@pytest.mark.rule("L3")
@given(st.sampled_from(sorted(vp.TABLES)), st.integers(0, 60), st.integers(0, 7))
def test_the_shares_of_both_lines_make_one_and_grow_with_the_margin(ruleset: str, margin: int, place: int) -> None:
    lengths = vp.list_allowed_lengths(ruleset)
    length = lengths[place % len(lengths)]
    won = ratings.compute_share(ruleset, length, 0, margin, "points")
    lost = ratings.compute_share(ruleset, length, 1, margin, "points")
    assert won + lost == pytest.approx(1)
    assert won >= 0.5
    assert ratings.compute_share(ruleset, length, 0, margin + 1, "points") >= won


@pytest.mark.rule("L4")
@pytest.mark.parametrize(
    ("share", "mu"), [(1.0, 27.6354), (0.55, 25.2635), (0.5, 25.0), (0.05, 22.6281), (0.0, 22.3646)]
)
def test_two_new_people_move_by_the_share_and_know_as_much_afterwards(share: float, mu: float) -> None:
    """Worked by hand: c² is 2 × (69.4514 + 17.3611), so that a victory moves 69.4514 / 13.1767 / 2 = 2.6354."""
    (first,), (second,) = ratings.rate(([NEW], [NEW]), share)
    assert first.mu == pytest.approx(mu, abs=1e-4)
    assert first.mu + second.mu == pytest.approx(50)
    assert first.sigma == second.sigma == pytest.approx(7.9061, abs=1e-4)


@pytest.mark.rule("L4")
def test_a_narrow_win_against_somebody_much_weaker_costs_something() -> None:
    strong, weak = Rating(35.0, 3.0), Rating(20.0, 3.0)
    (after,), _weak = ratings.rate(([strong], [weak]), 0.55)
    assert after.mu < strong.mu
    (after,), _weak = ratings.rate(([strong], [weak]), 1.0)
    assert after.mu > strong.mu


@pytest.mark.rule("L4")
def test_in_pairs_each_moves_by_what_is_not_known_of_them() -> None:
    known, unknown = Rating(25.0, 2.0), Rating(25.0, 8.0)
    (first, second), _others = ratings.rate(([known, unknown], [known, known]), 0.8)
    assert first.mu - 25 < second.mu - 25
    assert second.mu - 25 > 0


@pytest.mark.rule("L4")
@given(LINES, SHARES)
def test_the_library_gives_what_the_formulas_give(lines: Lines, share: float) -> None:
    twin = rate_naively(([*map(tuple, lines[0])], [*map(tuple, lines[1])]), share)
    for line, naive in zip(ratings.rate(lines, share), twin, strict=True):
        for own, (mu, sigma) in zip(line, naive, strict=True):
            assert own.mu == pytest.approx(mu, abs=1e-6)
            assert own.sigma == pytest.approx(sigma, abs=1e-6)


@pytest.mark.rule("L4")
@given(LINES, SHARES)
def test_the_other_way_round_is_the_same(lines: Lines, share: float) -> None:
    first, second = ratings.rate(lines, share)
    mirrored = ratings.rate((lines[1], lines[0]), 1 - share)
    for line, twin in ((first, mirrored[1]), (second, mirrored[0])):
        for own, other in zip(line, twin, strict=True):
            assert own.mu == pytest.approx(other.mu, abs=1e-6)
            assert own.sigma == pytest.approx(other.sigma, abs=1e-6)


@pytest.mark.rule("L4")
@given(LINES, SHARES, SHARES)
def test_more_of_the_vp_is_never_worse_and_what_is_stored_is_rounded(lines: Lines, one: float, other: float) -> None:
    less, more = sorted((one, other))
    lower, higher = ratings.rate(lines, less)[0], ratings.rate(lines, more)[0]
    for below, above in zip(lower, higher, strict=True):
        assert below.mu <= above.mu
        assert below.sigma == above.sigma  # the same however it ended
        assert (round(below.mu, 9), round(below.sigma, 9)) == below


@pytest.mark.rule("L5")
@pytest.mark.parametrize(
    ("mu", "shown"), [(25.0, 1500), (27.635391727, 1658), (20.0, 1200), (25.008333334, 1501), (25.0083, 1500), (0.0, 0)]
)
def test_what_is_shown_is_a_whole_number(mu: float, shown: int) -> None:
    assert ratings.scale(mu) == shown


@pytest.mark.rule("L5")
def test_the_question_mark_stands_while_sigma_is_above_four() -> None:
    assert ratings.is_uncertain(4.000000001)
    assert not ratings.is_uncertain(4.0)


@pytest.mark.rule("L5")
@given(st.floats(0.5, 25 / 3), st.integers(0, 20000), st.integers(0, 20000))
def test_uncertainty_grows_by_a_constant_a_day_up_to_the_start(sigma: float, one: int, other: int) -> None:
    grown = ratings.grow_sigma(ratings.grow_sigma(sigma, one), other)
    assert grown == pytest.approx(min(sigma**2 + 0.02 * (one + other), (25 / 3) ** 2) ** 0.5, abs=1e-6)


@pytest.mark.rule("L5")
def test_who_stopped_at_three_is_uncertain_after_a_year() -> None:
    assert not ratings.is_uncertain(ratings.grow_sigma(3.0, 350))
    assert ratings.is_uncertain(ratings.grow_sigma(3.0, 351))
    assert ratings.grow_sigma(3.0, 1_000_000) == NEW.sigma
