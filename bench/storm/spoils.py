"""Ways to spoil the evidence of a storm, each by the words of the fault that the checker then has to find."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace

from bench.storm.history import Answered, Evidence, check


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


def list_unseen(evidence: Evidence) -> list[str]:
    """Return the words of the faults that the checker doesn't find, one planted into a copy after the other."""
    unseen = []
    for words, spoil in SPOILED.items():
        spoiled = deepcopy(evidence)
        spoil(spoiled)
        if not any(words in fault for fault in check(spoiled).faults):
            unseen.append(words)
    return unseen
