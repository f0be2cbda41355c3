"""Words of how many games decide a fixture, and of their points (EV1)."""

from django.utils.translation import gettext as _

from tournaments.core.result import Games, GameScore
from tournaments.core.wording import describe_decision
from tournaments.game_counts import ONE, GameCounts
from tournaments.models import Tournament


def describe_games(number: int) -> str:
    """Return of how many games a fixture is (EV1)."""
    return _("una partita") if number == 1 else _("al meglio di %(n)d partite") % {"n": number}


def describe_game_counts(counts: GameCounts) -> str:
    """Return how many games the fixtures of a tournament have (EV1); empty where each is one match."""
    if counts.most == ONE:
        return ""
    words = [describe_games(counts.games)]
    if counts.games_in_ko is not None and counts.games_in_ko != counts.games:
        words.append(_("nell'eliminazione diretta %(games)s") % {"games": describe_games(counts.games_in_ko)})
    if counts.late_games is not None:
        words.append(f"{Tournament.LateFrom(counts.late_from).label} {describe_games(counts.late_games)}")
    return ", ".join(words)


def describe_game_scores(games: Games) -> str:
    """Return the points of each game of a fixture, and how one was won that they don't say: "21–11, 8–21, 21–15"."""
    return ", ".join(_describe_game(game) for game in games)


def _describe_game(game: GameScore) -> str:
    if game.points is None:
        return _("una data al secondo") if game.winner else _("una data al primo")
    score = f"{game.points[0]}–{game.points[1]}"
    how = describe_decision(game.decided_by)
    return f"{score} ({how})" if how else score
