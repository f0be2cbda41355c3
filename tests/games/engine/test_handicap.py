"""Handicap: points that each line starts with, at free tables alone (L7)."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import match, record
from games.engine.game import HeaderError, Length, Points, Setup
from games.engine.match import Progress, start
from games.engine.record import RecordError
from games.rules import RULESETS
from records.results import list_deal_summaries, replay_record

pytestmark = pytest.mark.rule("L7")
HANDICAPS = st.tuples(st.integers(0, 20), st.integers(0, 20))


def make_setup(ruleset: str, length: Length, handicap: Points = (0, 0), context: str = "free") -> Setup:
    return Setup(ruleset, RULESETS[ruleset].players[0], length, context, {}, 0, handicap)  # type: ignore[arg-type]


def play_by_chance(setup: Setup, seed: int) -> tuple[Progress, dict[str, Any]]:
    """Play a match to its end by chance; with its record."""
    dice, progress, deals = random.Random(seed), start(setup), []
    while progress.outcome is None:
        deck = dice.sample(range(40), 40)
        progress, moves = match.deal(progress, deck), []
        while progress.deal is not None:
            legal = match.legal(progress)
            move = dice.choice([move for move in legal if move.verb == "play"] or list(legal))
            progress = match.play(progress, move)
            moves.append(record.write_move(move))
        deals.append((deck, moves))
    return progress, record.dump(setup, deals)


@given(st.sampled_from(sorted(RULESETS)), HANDICAPS, st.integers(0, 1000))
def test_it_counts_in_the_score_and_in_no_margin(ruleset: str, handicap: Points, seed: int) -> None:
    length = Length("deals", 2) if ruleset not in ("tressette-accusa", "tressette-classico") else Length("points", 21)
    progress, written = play_by_chance(make_setup(ruleset, length, handicap), seed)
    outcome = progress.outcome
    assert outcome is not None
    scored = tuple(sum(deal.points[line] for deal in progress.deals) for line in (0, 1))
    assert progress.score == (scored[0] + handicap[0], scored[1] + handicap[1])
    if outcome.decided_by == "points":
        assert outcome.winner == match.find_leader(progress.terms, progress.score)
    if outcome.winner is not None:
        ahead = scored[outcome.winner] - scored[1 - outcome.winner]
        assert outcome.margin == max(0, -ahead if progress.terms.fewest_wins else ahead)
    result = replay_record(written)
    assert result["score"] == list(progress.score)
    assert result["margin"] == outcome.margin
    assert list_deal_summaries(written)[-1].score == progress.score


def test_it_leads_to_the_target_of_a_points_match() -> None:
    setup = make_setup("scopa", Length("points", 21), (20, 20))
    progress, _written = play_by_chance(setup, 7)
    assert sum(not deal.void for deal in progress.deals) == 1  # a deal has at least a point


def test_the_record_has_it_only_where_there_is_one() -> None:
    _progress, written = play_by_chance(make_setup("scopa", Length("deals", 1), (3, 0)), 1)
    assert written["handicap"] == [3, 0]
    assert record.parse(written).setup.handicap == (3, 0)
    _progress, written = play_by_chance(make_setup("scopa", Length("deals", 1)), 1)
    assert "handicap" not in written


@pytest.mark.parametrize("context", ["ko", "round_robin"])
def test_it_is_given_at_free_tables_alone(context: str) -> None:
    with pytest.raises(HeaderError, match="handicap_only_free"):
        start(make_setup("scopa", Length("deals", 1), (1, 0), context))
    start(make_setup("scopa", Length("deals", 1), (0, 0), context))


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ([21, 0], "handicap_not_allowed"),
        ([0, -1], "handicap_not_allowed"),
        ([1], "wrong_type"),
        ([1, 2, 3], "wrong_type"),
        ([True, 0], "wrong_type"),
        (["1", 0], "wrong_type"),
        ({"a": 1}, "wrong_type"),
        (None, "wrong_type"),
    ],
)
def test_another_value_is_a_fault_of_the_header(value: object, code: str) -> None:
    _progress, written = play_by_chance(make_setup("scopa", Length("deals", 1)), 1)
    with pytest.raises(RecordError, match=code) as refused:
        record.parse({**written, "handicap": value})
    assert (refused.value.deal, refused.value.move) == (None, None)


def test_who_has_fewer_points_of_their_own_wins_without_a_margin() -> None:
    progress = match.start(make_setup("scopa", Length("deals", 1), (0, 20)))
    progress = match.deal(progress, [*range(40)])
    while progress.deal is not None:
        progress = match.play(progress, match.legal(progress)[0])
    assert progress.outcome is not None
    assert progress.outcome.winner == 1
    assert progress.outcome.margin == max(0, progress.score[1] - 20 - progress.score[0])
