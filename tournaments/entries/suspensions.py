"""Suspensions (U2) where people come in: whom moderators keep from playing enters nothing, by themself or by others."""

from collections.abc import Iterable
from datetime import datetime

from players.models import Player
from players.selectors import find_suspended
from tournaments.core.errors import TournamentError


def require_leave_to_play(player: Player, now: datetime, *, others: Iterable[Player] = ()) -> None:
    """Raise TournamentError where the player who acts, or one of those who would come in with them, is suspended:
    suspended, cannot_play."""
    ids = {other.pk for other in others} - {player.pk}
    suspended = find_suspended({player.pk, *ids}, now)
    if player.pk in suspended:
        raise TournamentError("suspended")
    if suspended:
        raise TournamentError("cannot_play")
