"""Standings and tie-breaks (R2, R3)."""

from hashlib import sha256
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scoring.standings import Asking, Game, StandingsRow, TieBreakReason, compute_standings
from scoring.tiebreaks import CRITERIA, PRESETS

ANNA, BRUNO, CARLA, DINO = 1, 2, 3, 4


def won(first: int, second: int, vp: tuple[int, int] = (14, 6), mp: int = 5) -> Game:
    """``first`` beats ``second``."""
    return Game(first, second, 0, False, (mp, -mp), vp)


def table(rows: tuple[StandingsRow, ...]) -> list[tuple[int, int | None, str | None]]:
    return [(row.seed, row.rank, row.separation and row.separation.code) for row in rows]


def test_vp_come_first_r2() -> None:
    rows = compute_standings((ANNA, BRUNO), [won(BRUNO, ANNA)])
    assert table(rows) == [(BRUNO, 1, "vp"), (ANNA, 2, None)]
    assert rows[0].separation == TieBreakReason("vp", 14, 6)
    assert (rows[0].played, rows[0].won, rows[0].drawn, rows[0].mp, rows[0].vp) == (1, 1, 0, 5, 14)


def test_level_entries_that_all_met_are_separated_by_the_vp_among_them_r2() -> None:
    games = [
        won(BRUNO, ANNA, (12, 8), 1),
        won(ANNA, CARLA, (18, 2), 20),
        won(BRUNO, CARLA, (14, 6), 2),
    ]
    rows = compute_standings((ANNA, BRUNO, CARLA), games)
    assert (rows[0].vp, rows[1].vp) == (26, 26)
    assert rows[0].separation == TieBreakReason("direct", 12, 8, 2, (Asking("vp", 26, 3),)), (
        "although Anna's MP are better"
    )
    assert table(rows) == [(BRUNO, 1, "direct"), (ANNA, 2, "vp"), (CARLA, 3, None)]


def test_the_direct_encounter_is_left_out_while_one_of_them_has_not_been_met_r2() -> None:
    games = [won(ANNA, BRUNO, (14, 6), 2), won(CARLA, DINO, (14, 6), 9)]
    rows = compute_standings((ANNA, BRUNO, CARLA, DINO), games)
    assert table(rows) == [(CARLA, 1, "mp"), (ANNA, 2, "vp"), (BRUNO, 3, "mp"), (DINO, 4, None)]
    not_met = (Asking("vp", 14, 4), Asking("direct", None, 2))
    assert rows[0].separation == TieBreakReason("mp", 9, 2, 2, not_met)


def test_the_direct_encounter_counts_only_the_games_among_the_level_entries_r2() -> None:
    # A circle of three on 24 VP: direct 20 each, so MP decide; Dino is behind.
    games = [
        won(ANNA, BRUNO, (14, 6), 8),
        won(BRUNO, CARLA, (14, 6), 5),
        won(CARLA, ANNA, (14, 6), 5),
        *(won(entry, DINO, (4, 0), 1) for entry in (ANNA, BRUNO, CARLA)),
    ]
    rows = compute_standings((ANNA, BRUNO, CARLA, DINO), games)
    assert table(rows) == [(ANNA, 1, "mp"), (CARLA, 2, "mp"), (BRUNO, 3, "vp"), (DINO, 4, None)]
    assert [row.mp for row in rows] == [4, 1, -2, -3]


def test_matches_won_separate_what_mp_leave_level_r2() -> None:
    draw = Game(ANNA, DINO, None, False, (0, 0), (10, 10))
    games = [draw, Game(BRUNO, CARLA, 0, False, (0, 0), (10, 10))]
    rows = compute_standings((ANNA, BRUNO), [g for g in games if g.first == ANNA][:0])
    assert table(rows) == [(ANNA, 1, "equal"), (BRUNO, 1, None)]
    rows = compute_standings((ANNA, BRUNO, CARLA, DINO), games)
    assert table(rows)[0] == (BRUNO, 1, "won")
    assert [rank for _entry, rank, _code in table(rows)] == [1, 2, 2, 2]


def test_a_double_forfeit_is_nobodys_win_and_nobodys_draw_r4() -> None:
    rows = compute_standings((ANNA, BRUNO), [Game(ANNA, BRUNO, None, True, (-9, -9), (0, 0))])
    assert [(row.played, row.won, row.drawn, row.mp, row.vp, row.rank) for row in rows] == [(1, 0, 0, -9, 0, 1)] * 2


def test_every_preset_names_criteria_that_exist() -> None:
    for preset in PRESETS.values():
        assert set(preset) <= set(CRITERIA)


@st.composite
def girone(draw: st.DrawFn) -> tuple[int, list[Game]]:
    size = draw(st.integers(2, 7))
    games = []
    for first in range(1, size + 1):
        for second in range(first + 1, size + 1):
            if draw(st.booleans()):
                margin = draw(st.integers(-2, 2))
                winner = None if margin == 0 else int(margin < 0)
                games.append(Game(first, second, winner, False, (margin, -margin), (10 + margin, 10 - margin)))
    return size, games


@given(girone())
def test_every_reason_shows_two_values_that_differ_and_equals_share_the_rank_r3(field: tuple[int, list[Game]]) -> None:
    size, games = field
    rows = compute_standings(range(1, size + 1), games)
    assert rows[-1].separation is None
    for row, following in pairwise(rows):
        assert row.separation is not None
        code, own, other = row.separation[:3]
        if code == "equal":
            assert row.rank == following.rank
        else:
            assert own is not None
            assert other is not None
            assert own > other


LEVEL = [won(ANNA, BRUNO, (14, 6), 5), won(BRUNO, CARLA, (14, 6), 5), won(CARLA, ANNA, (14, 6), 5)]


def test_rete_looks_at_the_mp_alone_r2() -> None:
    games = [won(ANNA, BRUNO, (12, 8), 1), won(BRUNO, CARLA, (14, 6), 9), won(CARLA, ANNA, (14, 6), 2)]
    rows = compute_standings((ANNA, BRUNO, CARLA), games, "rete")
    assert [(row.seed, row.vp, row.mp) for row in rows] == [(BRUNO, 22, 8), (CARLA, 20, -7), (ANNA, 18, -1)]
    level = compute_standings((ANNA, BRUNO, CARLA), LEVEL, "rete")
    assert table(level) == [(ANNA, 1, "equal"), (BRUNO, 1, "equal"), (CARLA, 1, None)], "ex aequo"


def test_club_ends_in_a_lot_that_can_be_recomputed_r2() -> None:
    rows = compute_standings((ANNA, BRUNO, CARLA), LEVEL, "club", "ab" * 16)
    drawn = sorted(
        (ANNA, BRUNO, CARLA), key=lambda entry: sha256(f"{'ab' * 16}/standings/{entry}".encode()).hexdigest()
    )
    assert [row.seed for row in rows] == drawn
    assert [row.rank for row in rows] == [1, 2, 3]
    before = (Asking("vp", 20, 3), Asking("direct", 20, 3), Asking("mp", 0, 3))
    reasons = [TieBreakReason("lot", own, own - 1, 3, before) for own in (3, 2)]
    assert [row.separation for row in rows] == [*reasons, None]
    firsts = {compute_standings((ANNA, BRUNO, CARLA), LEVEL, "club", f"{n:032x}")[0].seed for n in range(40)}
    assert firsts == {ANNA, BRUNO, CARLA}, "another lot, another order"


def test_club_looks_at_the_direct_encounter_and_the_mp_before_the_lot_r2() -> None:
    games = [won(BRUNO, ANNA, (12, 8), 1), won(ANNA, CARLA, (14, 6), 2), won(CARLA, BRUNO, (10, 10), 0)]
    for n in range(10):
        assert table(compute_standings((ANNA, BRUNO, CARLA), games, "club", f"{n:032x}"))[0] == (BRUNO, 1, "direct")


def test_without_a_lot_what_is_level_stays_level() -> None:
    assert {row.rank for row in compute_standings((ANNA, BRUNO, CARLA), LEVEL, "club")} == {1}
