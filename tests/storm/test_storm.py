"""Short storms on both layouts, and what shows that the checker would see what they might break (H1, H3, H5, H8, AT1).

Long ones, and faults planted into the product itself, are ``make soak``'s (tests/storm/soak.py).
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from copy import deepcopy
from dataclasses import replace

import pytest

from tests.storm.history import Answered, Evidence, check
from tests.storm.layouts import Layout, run_deployed, run_started
from tests.storm.run import Plan, run_storm

Start = Callable[[dict[str, str]], AbstractContextManager[Layout]]
SHORT = {
    "deployed": (run_deployed, Plan(tables=20, moves=120, kills=10, kill_every=1.2, seconds=200, hostile_frames=300)),
    "started": (run_started, Plan(tables=10, moves=40, kills=3, kill_every=2.0, seconds=200)),
}


def lose_a_move(evidence: Evidence) -> None:
    match = next(match for match in evidence.matches.values() if any(row.client_id for row in match.moves))
    del match.moves[next(at for at, row in enumerate(match.moves) if row.client_id)]


def make_a_move_twice(evidence: Evidence) -> None:
    match = next(match for match in evidence.matches.values() if match.moves)
    match.moves.insert(1, match.moves[0])


def end_a_turn_early(evidence: Evidence) -> None:
    matches = [match for match in evidence.matches.values() if match.moves and match.moves[-1].verb == "timeout"]
    for match in matches:
        match.moves[-1] = match.moves[-1]._replace(at=match.moves[-1].at - 10)


def answer_in_two_ways(evidence: Evidence) -> None:
    answer = next(answer for answer in evidence.history.answered if not answer.code)
    evidence.history.answered.append(Answered(*answer[:3], "stale", answer.version, answer.at))


def go_back(evidence: Evidence) -> None:
    latest = next(view for view in reversed(evidence.history.viewed) if view.version > 0)
    evidence.history.viewed.append(latest._replace(version=latest.version - 1))


def show_two_tables(evidence: Evidence) -> None:
    evidence.history.viewed.append(evidence.history.viewed[0]._replace(connection=99, body="{}"))


def change_a_result(evidence: Evidence) -> None:
    for name, match in evidence.matches.items():
        evidence.matches[name] = replace(match, score=(99, 0))  # type: ignore[index]


SPOILED: dict[str, Callable[[Evidence], None]] = {
    "is lost": lose_a_move,
    "two moves have one version": make_a_move_twice,
    "too early": end_a_turn_early,
    "in more than one way": answer_in_two_ways,
    "was sent": go_back,
    "two tables": show_two_tables,
    "the record gives": change_a_result,
}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("layout", SHORT)
def test_a_storm_loses_nothing_and_doubles_nothing_h1(layout: str) -> None:
    start, plan = SHORT[layout]
    with start({}) as running:
        evidence, report = run_storm(running, plan)
    assert report.faults == []
    assert report.figures["processes killed"] == plan.kills
    assert report.figures["moves acknowledged"] >= plan.moves
    assert report.figures["turns that ran out"]
    for words, spoil in SPOILED.items():
        spoiled = deepcopy(evidence)
        spoil(spoiled)
        assert any(words in fault for fault in check(spoiled).faults), words
