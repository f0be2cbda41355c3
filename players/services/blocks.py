"""Blocks (E3): whom a player takes no invitation of. Whoever is blocked is never told."""

from datetime import datetime

from players.models import Player, PlayerBlock


def block_player(*, player: Player, blocked: Player, now: datetime) -> None:
    """Store that ``player`` takes no invitation of ``blocked`` any more. Safe to repeat; nobody blocks themselves."""
    if player.pk != blocked.pk:
        PlayerBlock.objects.get_or_create(player=player, blocked=blocked, defaults={"at": now})


def unblock_player(*, player: Player, public_id: str) -> bool:
    """Take a block back. Return False where there was none."""
    deleted, _rows = PlayerBlock.objects.filter(player=player, blocked__public_id=public_id).delete()
    return deleted > 0
