"""Numbers of games that a fixture has (*al meglio di*, EV1), in each part of a tournament. It values no result.

Nothing asks for the columns that store them: whoever needs to know how many games decide a fixture asks here.
"""

from typing import Literal, NamedTuple

from scoring.best_of import NUMBERS

ONE = 1  # a fixture is one match
CHOICES = (ONE, *NUMBERS)
LATE = ("quarterfinal", "semifinal", "final")  # the rounds of a KO from which there may be another number
# Rounds that are played from each of them on, but not from the next one: of one bracket, and of two (EV4).
_STAGES = {
    "quarterfinal": frozenset(("quarterfinal",)),
    "semifinal": frozenset(("semifinal", "third_place", "upper_final", "lower_final")),
    "final": frozenset(("final", "decider")),
}


class GameCounts(NamedTuple):
    """Numbers of games that are stored, in columns of these names.

    ``games``: of every fixture, but for the KO after groups where that has its own (``games_in_ko``), and but for the
    rounds of a KO from ``late_from`` on (``late_games``). ``only_games_won``: of a result nothing is written but who
    won how many.
    """

    games: int
    games_in_ko: int | None
    late_games: int | None
    late_from: str
    only_games_won: bool

    @classmethod
    def of(cls, stored: object) -> "GameCounts":
        """Return the numbers of a tournament, or of its settings."""
        return cls(*(getattr(stored, name) for name in COUNTS))

    @property
    def most(self) -> int:
        """Return the greatest of them; 1: there is no fixture of several games."""
        return max(self.games, self.games_in_ko or ONE, self.late_games or ONE)

    def count(self, context: Literal["ko", "round_robin"], round_name: str = "") -> int:
        """Return how many games a fixture has whose round ends like ``context`` and has this name."""
        if context != "ko":
            return self.games
        if self.late_games is not None and is_late(round_name, self.late_from):
            return self.late_games
        return self.games if self.games_in_ko is None else self.games_in_ko


COUNTS = GameCounts._fields


def is_late(round_name: str, late_from: str) -> bool:
    """Tell if a round of a KO is one of those from quarter-finals, semifinals or the final on."""
    start = LATE.index(late_from) if late_from in LATE else len(LATE)
    return any(round_name in _STAGES[stage] for stage in LATE[start:])
