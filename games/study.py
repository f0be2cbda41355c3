"""Leave to study (HP6, HP7): analyses, hints and problems are for whoever has no card to play that counts.

Nobody who sits live at a table gets any, and what apps above know of adds to it: they say so at start. It never writes.
"""

from collections.abc import Callable
from datetime import datetime

from games.models import Match, Seat
from players.models import Player

SEATED = "study_seated"
RUNNING = "study_running"

PlayerCheck = Callable[[Player, datetime], str | None]  # the code of what keeps them from studying
MatchCheck = Callable[[Match], str | None]  # the code of what keeps everybody from studying this finished match

_player_checks: list[PlayerCheck] = []
_match_checks: list[MatchCheck] = []


def register_player_check(check: PlayerCheck) -> None:
    """Add a reason for which a player may not study, at start."""
    if check not in _player_checks:
        _player_checks.append(check)


def register_match_check(check: MatchCheck) -> None:
    """Add a reason for which a match may not be studied yet, at start."""
    if check not in _match_checks:
        _match_checks.append(check)


def find_refusal(player: Player, now: datetime) -> str | None:
    """Return the code of what keeps the player from any analysis, hint or problem now; None where nothing does."""
    if Seat.objects.filter(player=player, live=True).exists():
        return SEATED
    return next((code for check in _player_checks if (code := check(player, now)) is not None), None)


def find_match_refusal(match: Match) -> str | None:
    """Return the code of what keeps everybody from studying this match; None where nothing does."""
    if match.status != Match.Status.FINISHED or not match.is_shown:
        return RUNNING
    return next((code for check in _match_checks if (code := check(match)) is not None), None)
