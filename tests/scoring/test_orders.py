"""Criteria by a table that was worked out by hand (EV10), orders as they are stored, and the ranks they give."""

from fractions import Fraction
from itertools import pairwise

import pytest

from scoring.standings import Asking, Game, TieBreakReason, compute_standings
from scoring.tiebreaks import CRITERIA, EARLIER, PRESETS, Results, Rounds, Totals, find_earlier, read_order, write_order

pytestmark = pytest.mark.rule("R2", "R3", "EV10")

ANNA, BRUNO, CARLA, DINO, ELSA = ENTRIES = (1, 2, 3, 4, 5)
# A danese of five, three rounds. Elsa rests in round 1 (14 VP), Dino in round 2 on request (10 VP), Bruno in round 3.
# Anna doesn't come to round 2 (a forfeit before the first card), Elsa goes away in the middle of round 3.
GAMES = (
    Game(ANNA, BRUNO, 0, False, (6, -6), (14, 6), (21, 15)),
    Game(CARLA, DINO, None, False, (0, 0), (10, 10), (18, 18)),
    Game(ELSA, ANNA, 0, False, (5, -11), (14, 0), (6, 0), forfeit_by=1, begun=False),
    Game(BRUNO, CARLA, 1, False, (-12, 12), (4, 16), (12, 24)),
    Game(ANNA, CARLA, 0, False, (1, -1), (12, 8), (20, 19)),
    Game(DINO, ELSA, 0, False, (7, -11), (15, 0), (11, 4), forfeit_by=1),
)
BYES = {ELSA: (5, 14), DINO: (0, 10), BRUNO: (5, 14)}
ROUNDS = Rounds(drawn=3, halves={ELSA: 2, DINO: 1, BRUNO: 2})
HALF = Fraction(1, 2)
LEVEL_ON_WINS = Asking("wins", 2, 5)  # Anna, Dino and Elsa
#                      Anna  Bruno  Carla  Dino  Elsa
BY_VP = {
    "vp":             (26,   24,    34,    35,   28),
    "mp":             (-4,   -13,   11,    7,    -1),
    "won":            (2,    0,     1,     1,    1),
    "points":         (41,   27,    61,    29,   10),
    "difference":     (1,    -18,   11,    7,    -1),
    # What the matches they began gave, and 10 for each round they didn't play: 36, 20, 34, 35, 20.
    # Anna: Bruno's 20, her own 26 for the round she missed, Carla's 34. Elsa: twice her own 28, Dino's 35.
    "buchholz":       (80,   94,    91,    89,   91),
    "buchholz_cut":   (60,   70,    71,    69,   63),
    # Anna: 24·14/20 + 34·12/20. Dino: 34·10/20 + 28·15/15. Elsa: nothing of Dino's, and Anna never came.
    "sonneborn":      (Fraction(186, 5), Fraction(73, 5), Fraction(471, 10), 45, 0),
    "forfeits":       (-1,   0,     0,     0,    -1),
}  # fmt: skip
BY_WINS = {
    "wins":           (2,    1,     3 * HALF, 2, 2),
    # In wins, and ½ for each round they didn't play: 2½, ½, 1½, 2, 1.
    "buchholz":       (4,    5,     5,     9 * HALF, 6),
    "buchholz_cut":   (7 * HALF, 4, 9 * HALF, 7 * HALF, 4),
    "sonneborn":      (5 * HALF, 0, 2, Fraction(11, 4), 0),
}  # fmt: skip


def make_results(*, by_wins: bool) -> Results:
    totals = {
        row.seed: Totals(row.played, row.won, row.drawn, row.mp, row.vp)
        for row in compute_standings(ENTRIES, GAMES, byes=BYES)
    }
    return Results(dict(sorted(totals.items())), GAMES, "un-lotto", ROUNDS, by_wins=by_wins)


@pytest.mark.parametrize(("by_wins", "code"), [(False, code) for code in BY_VP] + [(True, code) for code in BY_WINS])
def test_each_criterion_gives_what_was_worked_out_by_hand(by_wins: bool, code: str) -> None:
    expected = (BY_WINS if by_wins else BY_VP)[code]
    assert CRITERIA[code](ENTRIES, make_results(by_wins=by_wins)) == dict(zip(ENTRIES, expected, strict=True))


@pytest.mark.parametrize(
    ("order", "ranks", "reason"),
    [
        ("svizzero", [4, 3, 5, 1, 2], TieBreakReason("vp", 35, 34)),
        ("wins,mp", [4, 5, 1, 3, 2], TieBreakReason("mp", 7, -1, 3, (LEVEL_ON_WINS,))),
        ("wins,buchholz_cut,mp", [5, 4, 1, 3, 2], TieBreakReason("buchholz_cut", 4, 7 * HALF, 3, (LEVEL_ON_WINS,))),
        ("wins,direct,sonneborn", [4, 1, 5, 3, 2], None),
        ("wins,won,points", [1, 4, 5, 3, 2], None),
    ],
)
def test_an_order_ranks_by_its_criteria_one_after_the_other(
    order: str, ranks: list[int], reason: TieBreakReason | None
) -> None:
    rows = compute_standings(ENTRIES, GAMES, order, "un-lotto", BYES, rounds=ROUNDS)
    assert [row.seed for row in rows] == ranks
    assert reason is None or rows[0].separation == reason


def test_who_has_fewer_points_is_ahead_where_fewer_win_and_is_told_so() -> None:
    fewer = [game._replace(points=(-game.points[0], -game.points[1])) for game in GAMES]
    rows = compute_standings(ENTRIES, fewer, "wins,points", "", BYES, rounds=ROUNDS)
    assert [row.seed for row in rows][:3] == [ELSA, DINO, ANNA]
    separation = rows[0].separation
    assert separation is not None
    assert (separation.code, separation.own, separation.next) == ("points", 10, 29)


def test_a_match_that_waits_counts_with_what_its_two_have_and_no_round_is_missed() -> None:
    """Only the first round of Anna and Bruno is over: the second is drawn, and Anna meets Carla."""
    games = (GAMES[0], GAMES[1])
    rounds = Rounds(2, ((ANNA, CARLA),), {})
    totals = {entry: Totals(vp=vp) for entry, vp in zip(ENTRIES, (14, 6, 10, 10, 0), strict=True)}
    addends = Results(totals, games, rounds=rounds).addends
    assert sorted(addends[ANNA]) == [10, 16], "Carla's draw; Bruno's defeat, and 10 for the second round"
    assert sorted(addends[BRUNO]) == [6, 14], "Bruno's own for the second round; Anna's win"
    assert sorted(addends[ELSA]) == [0, 0]


@pytest.mark.parametrize(
    "order",
    ["", "mp", "vp,vp", "vp,lot,mp", "vp,wins", "wins,percentage", "vp,monetina", "direct,vp", "standard,mp", "vp,"],
)
def test_what_is_no_order_is_refused(order: str) -> None:
    with pytest.raises(ValueError, match=f"^{order}$"):
        read_order(order)


def test_an_order_that_is_a_preset_is_stored_as_that() -> None:
    for code, criteria in PRESETS.items():
        assert write_order(criteria) == code
        assert read_order(code) == (criteria, True)
    assert write_order(("wins", "vp", "sonneborn", "lot")) == "wins,vp,sonneborn,lot"
    assert read_order("wins,vp,sonneborn,lot").criteria == ("wins", "vp", "sonneborn", "lot")
    assert [find_earlier(code) for code in ("standard", "club", "rete", "vp,mp")] == [*EARLIER, "rete", "vp,mp"]


def test_the_readings_of_before_ask_the_direct_encounter_once() -> None:
    """Anna, Bruno and Carla are level, and Carla met neither: by the MP she is third, and Anna beat Bruno."""
    games = (
        Game(ANNA, DINO, 1, False, (-2, 2), (6, 14)),
        Game(BRUNO, ELSA, 0, False, (2, -2), (14, 6)),
        Game(CARLA, DINO, 1, False, (-4, 4), (8, 12)),
        Game(CARLA, ELSA, 0, False, (1, -1), (12, 8)),
        Game(ANNA, BRUNO, 0, False, (2, -2), (14, 6)),
    )
    now = compute_standings(ENTRIES, games, "standard")
    before = compute_standings(ENTRIES, games, "standard-1")
    assert [(row.seed, row.rank) for row in now[1:4]] == [(ANNA, 2), (BRUNO, 3), (CARLA, 4)]
    assert [(row.seed, row.rank) for row in before[1:4]] == [(ANNA, 2), (BRUNO, 2), (CARLA, 4)]


def test_fractions_come_back_from_what_is_stored_as_they_were() -> None:
    rows = compute_standings(ENTRIES, GAMES, "wins,sonneborn", "", BYES, rounds=ROUNDS)
    assert rows[0].separation is not None
    assert rows[0].separation.to_json() == {
        "code": "sonneborn", "own": "11/4", "next": "5/2", "among": 3, "before": [["wins", 2, 5]]
    }  # fmt: skip
    for row, following in pairwise(rows):
        assert row.separation is not None
        assert TieBreakReason.from_json(row.separation.to_json()) == row.separation
        wins = (row.separation.own_wins, row.separation.next_wins)
        assert wins == (BY_WINS["wins"][row.seed - 1], BY_WINS["wins"][following.seed - 1])
