"""The address of a player's own calendar: whoever has it reads when he plays, so it is a secret of his, made when he
asks for it, and he may have another one or none."""

import secrets

from players.models import Player


def renew_calendar(*, player: Player) -> str:
    """Store and return a new token. The address with the old one is dead."""
    player.calendar_token = secrets.token_urlsafe(18)
    player.save(update_fields=["calendar_token"])
    return player.calendar_token


def drop_calendar(*, player: Player) -> None:
    player.calendar_token = ""
    player.save(update_fields=["calendar_token"])
