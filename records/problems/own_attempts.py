"""Part of the export of one's own data: the answers to problems, and the level after each."""

from collections.abc import Iterator

from players.models import Player
from players.services.own_data import Row
from records.problems.queries import choose_attempts
from scoring import ratings


def read_own_attempts(player: Player) -> Iterator[Row]:
    """Yield a member's answers, the oldest first."""
    for attempt in choose_attempts(player).iterator(chunk_size=200):
        yield {
            "problem": attempt.problem.public_id,
            "ruleset": attempt.problem.ruleset,
            "answer": attempt.chosen,
            "right": attempt.right,
            "at": attempt.at,
            "level": ratings.scale(attempt.mu),
        }
