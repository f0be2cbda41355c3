"""Results of fixtures of several games (EV1), judged: who has won, and what can't be. Nothing is stored here.

The points of each game are judged by whoever calls this, as those of a match are.
"""

from collections.abc import Callable
from dataclasses import dataclass

from games.engine.scores import CUT_SHORT, POINTS
from scoring.best_of import is_decided
from tournaments.core.errors import TournamentError
from tournaments.core.game_terms import GamesTerms
from tournaments.core.result import FORFEIT, FixtureResult, Games, GameScore, Pair

# Judges the points of one game; the flag tells if the time of the round may have ended it (O6).
Judge = Callable[[GameScore, bool], GameScore]


@dataclass(frozen=True, slots=True)
class TypedGames:
    """Games of a fixture as they were typed: each of them, or how many each side has ``won`` where no more is
    written. ``winner``: who wins the fixture, None as the games say; ``decided_by``: "forfeit" of the other side."""

    won: Pair
    games: Games = ()
    winner: int | None = None
    decided_by: str = ""


def judge_games(terms: GamesTerms, typed: TypedGames, judge: Judge, *, time_is_up: bool = False) -> FixtureResult:
    """Return the result of a fixture with these games. TournamentError for what can't be: games_undecided where nobody
    has won more than half, and the time of the round isn't over.

    When it is (O6) whoever is ahead in games wins. Level, one deal more decides, which is written as a game.
    """
    games, won = _count_games(terms, typed, judge, time_is_up=time_is_up)
    forfeits = typed.decided_by == FORFEIT and typed.winner is not None
    if forfeits:
        return FixtureResult.from_ruling(terms, typed.winner, won, FORFEIT, games=games)
    decided_by = POINTS
    if not is_decided(terms.games, won):
        if not time_is_up and typed.decided_by != CUT_SHORT:
            raise TournamentError("games_undecided", needed=terms.winning_count, won=won)
        if won[0] == won[1]:
            raise TournamentError("games_level", won=won)
        decided_by = CUT_SHORT
    elif typed.decided_by not in ("", POINTS):
        raise TournamentError("way_impossible", victory=typed.decided_by)
    winner = int(won[1] > won[0])
    if typed.winner not in (None, winner):
        raise TournamentError("games_winner")
    return FixtureResult.from_ruling(terms, winner, won, decided_by, games=games)


def _count_games(terms: GamesTerms, typed: TypedGames, judge: Judge, *, time_is_up: bool) -> tuple[Games, Pair]:
    """Return the games, each with its winner, and how many each side has won."""
    if terms.only_won:
        if typed.games:
            raise TournamentError("games_only_won")
        if min(typed.won) < 0 or max(typed.won) > terms.winning_count or min(typed.won) >= terms.winning_count:
            raise TournamentError("games_many", needed=terms.winning_count)
        return (), typed.won
    if not typed.games and typed.decided_by != FORFEIT:
        raise TournamentError("games_missing")
    judged: list[GameScore] = []
    won = (0, 0)
    for number, game in enumerate(typed.games, start=1):
        if is_decided(terms.games, won):
            raise TournamentError("games_many", needed=terms.winning_count)
        left = len(typed.games) - number
        try:
            # The last one may be the deal that decides, after a game that the clock ended too.
            judged.append(judge(game, time_is_up and left < 2))
        except TournamentError as error:
            raise TournamentError("game_impossible", game=number, fault=error.code, details=error.values) from None
        won = (won[0] + (judged[-1].winner == 0), won[1] + (judged[-1].winner == 1))
        if left and judged[-1].decided_by == CUT_SHORT and (left > 1 or won[0] != won[1]):
            raise TournamentError("game_after_time", game=number)
    if typed.won not in ((0, 0), won):  # it needn't be said beside the games
        raise TournamentError("games_score", won=won)
    return tuple(judged), won
