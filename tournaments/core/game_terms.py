"""Terms of a fixture, whatever decides it: one match, or several games of which the better half does (EV1).

Whoever has a fixture asks here for its terms. They value a result; what can't be is refused elsewhere.
"""

from dataclasses import dataclass, replace

from scoring import best_of
from scoring.vp import MatchPoints
from tournaments.core.result import Games, Pair, ResultTerms, find_context, sum_margins
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Context
from tournaments.models import Fixture, Tournament


@dataclass(frozen=True, slots=True)
class GamesTerms(ResultTerms):
    """The terms of a fixture of several games (EV1). Each is a match by ``setup``, which is never a draw.

    ``only_won``: of a result nothing is written but how many each side won.
    """

    games: int
    only_won: bool

    @property
    def winning_count(self) -> int:
        """The number of games that wins it."""
        return best_of.count_needed(self.games)

    @property
    def of_game(self) -> ResultTerms:
        """The terms of one of its games, which has no VP of its own."""
        return ResultTerms(self.setup, has_vp=False)

    def compute_margin(self, points: Pair, winner: int | None, games: Games = ()) -> int:
        """Return the winner's MP: the sum of the margins of the games played to their end; of games of which nothing
        but the number was written, those won less those lost."""
        if winner is None:
            return 0
        ahead = self._compute_mp(points, games)
        return -ahead if winner else ahead

    def compute_worth(
        self, winner: int | None, forfeits: tuple[int, ...], points: Pair, games: Games, margin: int
    ) -> MatchPoints | None:
        mp = self._compute_mp(points, games)
        if forfeits:
            return best_of.score_forfeit(self.games, points, mp, forfeits)
        return best_of.score_games(self.games, points, mp)

    def score_unplayed(self, offender: int) -> Pair:
        return 0, 0

    def compute_bye(self) -> Pair | None:
        return best_of.compute_bye()

    def _compute_mp(self, points: Pair, games: Games) -> int:
        """Return the MP of line 0."""
        if self.only_won:
            return points[0] - points[1]
        return sum_margins(self.setup, games)


def find_terms(tournament: Tournament, context: Context, round_name: str = "") -> ResultTerms:
    """Return the terms of the fixtures of a round that ends like ``context`` and has this name."""
    plain = ResultTerms.of(tournament, context)
    counts = tournament.game_counts
    games = counts.count(context, round_name)
    if games == 1:
        return plain
    return GamesTerms(replace(plain.setup, context="ko"), plain.has_vp, games, counts.only_games_won)


def find_fixture_terms(tournament: Tournament, fixture: Fixture) -> ResultTerms:
    """Return what gives a fixture's points their MP and VP."""
    return find_terms(tournament, find_context(tournament, fixture), fixture.round.name)


def find_main_terms(tournament: Tournament) -> ResultTerms:
    """Return the terms of the fixtures whose results the standings sum up: those of its format's own rounds."""
    return find_terms(tournament, FORMATS[tournament.format].context)
