"""The deal that decided a match: with it the winner went ahead for good, or made a victory of another kind."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import match, record
from games.engine.deciding import ON_POINTS, DecidingDeal, find_deciding_deal
from games.engine.game import Length, Points, Setup
from games.engine.match import DealPoints
from tests.games.random_matches import RandomMatch, choose_setups
from tests.games.setups import TABLES

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.json"))
SCOPA = Setup("scopa", 2, Length("points", 11), "free", {}, 0)
FEWEST = Setup("tresette-a-perdere", 2, Length("points", 21), "free", {}, 0)
VOID = None

points = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=8)
heads = st.tuples(st.integers(0, 5), st.integers(0, 5))


def deals_of(*scored: Points | None) -> list[DealPoints]:
    return [DealPoints(0, deal is VOID, deal or (0, 0)) for deal in scored]


@pytest.mark.parametrize(
    ("scored", "winner", "found"),
    [
        ([(5, 0), (1, 2), (5, 3)], 0, (1, 1, 5, 3)),  # never behind: the first
        ([(5, 0), (0, 8), (6, 0)], 0, (3, 3, 6, 3)),  # the lead came back with the last
        ([(3, 5), (4, 2), (3, 0), (1, 0)], 0, (3, 3, 3, 4)),  # level after the second: ahead with the third
        ([(3, 5), VOID, (8, 2)], 0, (3, 2, 6, 2)),  # the record counts the void one, people don't
        ([(2, 5), (2, 6)], 1, (1, 1, 3, 2)),
    ],
)
def test_it_is_the_deal_with_which_the_winner_went_ahead_for_good(
    scored: list[Points | None], winner: int, found: DecidingDeal
) -> None:
    assert find_deciding_deal(SCOPA, deals_of(*scored), winner, "points") == found


@pytest.mark.rule("A1")
def test_where_fewest_win_the_winner_went_ahead_with_fewer_points() -> None:
    assert find_deciding_deal(FEWEST, deals_of((3, 8), (9, 2), (2, 9)), 0, "points") == (3, 3, 7, 3)


@pytest.mark.parametrize("decided_by", ["called_out", "cappotto", "last_trick", "tie_break_last_trick"])
def test_any_other_victory_was_made_in_the_last_deal(decided_by: str) -> None:
    assert find_deciding_deal(SCOPA, deals_of((5, 0), VOID, (2, 3)), 0, decided_by) == (3, 2, -1, 2)


@pytest.mark.parametrize("decided_by", sorted(match.FORFEITS))
def test_no_deal_decides_a_forfeit(decided_by: str) -> None:
    assert find_deciding_deal(SCOPA, deals_of((0, 5), (6, 0)), 0, decided_by) is None


def test_no_deal_decides_a_draw_nor_a_head_start_that_was_never_lost() -> None:
    assert find_deciding_deal(SCOPA, deals_of((5, 5)), None, "draw") is None
    ahead = Setup("scopa", 2, Length("points", 11), "free", {}, 0, (6, 0))
    assert find_deciding_deal(ahead, deals_of((0, 2), (5, 3)), 0, "points") is None
    assert find_deciding_deal(ahead, deals_of((0, 7), (5, 1)), 0, "points") == (2, 2, 4, 2)


@given(points, heads)
def test_it_is_the_first_after_which_the_winner_was_always_ahead(scored: list[Points], head: Points) -> None:
    """Looked for the other way round: from each deal on, is the winner ahead at every end?"""
    setup = Setup("scopa", 2, Length("points", 11), "free", {}, 0, head)
    leads = [
        sum(mine for mine, _ in scored[:n]) + head[0] - sum(other for _, other in scored[:n]) - head[1]
        for n in range(len(scored) + 1)
    ]
    if leads[-1] == 0:
        return
    winner = int(leads[-1] < 0)
    ahead = [lead > 0 if winner == 0 else lead < 0 for lead in leads]
    first = next(n for n in range(len(ahead)) if all(ahead[n:]))
    found = find_deciding_deal(setup, deals_of(*scored), winner, "points")
    assert (0 if found is None else found.number) == first
    assert found is None or found.gain > 0, "who went ahead scored more"


@given(points, heads)
def test_it_is_the_same_whichever_line_is_named_first(scored: list[Points], head: Points) -> None:
    setup = Setup("scopa", 2, Length("points", 11), "free", {}, 0, head)
    turned = Setup("scopa", 2, Length("points", 11), "free", {}, 0, head[::-1])
    for winner in (0, 1):
        mirrored = deals_of(*(deal[::-1] for deal in scored))
        assert find_deciding_deal(setup, deals_of(*scored), winner, "points") == find_deciding_deal(
            turned, mirrored, 1 - winner, "points"
        )


def check_laws(progress: match.Progress) -> None:
    """A deal decides whatever was won, but for forfeits; and on points the winner wasn't ahead before it."""
    outcome = progress.outcome
    assert outcome is not None
    found = find_deciding_deal(progress.setup, progress.deals, outcome.winner, outcome.decided_by)
    assert (found is None) == (outcome.winner is None or outcome.decided_by in match.FORFEITS)
    if found is None:
        return
    assert not progress.deals[found.place - 1].void
    assert found.number == sum(not deal.void for deal in progress.deals[: found.place])
    assert found.of == sum(not deal.void for deal in progress.deals)
    if outcome.decided_by not in ON_POINTS:
        assert found.place == len(progress.deals)
        return
    score = (0, 0)
    for place, deal in enumerate(progress.deals, start=1):
        if place == found.place:
            assert match.find_leader(progress.terms, score) != outcome.winner
        score = (score[0] + deal.points[0], score[1] + deal.points[1])
        if place >= found.place:
            assert match.find_leader(progress.terms, score) == outcome.winner


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_golden_match_has_one_or_was_drawn_or_forfeited(path: Path) -> None:
    check_laws(record.replay(record.parse(json.loads(path.read_text()))).progress)


@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_every_match_played_by_chance_has_one_or_was_drawn(ruleset: str, players: int) -> None:
    for setup in choose_setups(ruleset, players)[:4]:
        game = RandomMatch(setup, "deciding")
        for _ in game.moments():
            pass
        check_laws(game.progress)
