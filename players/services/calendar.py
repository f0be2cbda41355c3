"""Address of a player's own calendar.

Whoever has it reads when they play, so it is secret. It is made when the player asks, and may be replaced or removed.
"""

import secrets

from players.models import Player


def renew_calendar(*, player: Player) -> str:
    """Store a new token and return it. The old address is dead."""
    player.calendar_token = secrets.token_urlsafe(18)
    player.save(update_fields=["calendar_token"])
    return player.calendar_token


def drop_calendar(*, player: Player) -> None:
    player.calendar_token = ""
    player.save(update_fields=["calendar_token"])
