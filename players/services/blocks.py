"""Blocks (E3, B6): whom a player takes no invitation of, meets at no table but a tournament's, and reads no chat of.
Whoever is blocked is never told."""

from datetime import datetime

from django.db import transaction

from players.models import FixedPair, Follow, Player, PlayerBlock


def block_player(*, player: Player, blocked: Player, now: datetime) -> None:
    """Store that ``player`` wants nothing of ``blocked`` any more, whom they follow no longer and invite to no pair.
    Safe to repeat; nobody blocks themselves."""
    if player.pk == blocked.pk:
        return
    with transaction.atomic():
        PlayerBlock.objects.get_or_create(player=player, blocked=blocked, defaults={"at": now})
        Follow.objects.filter(player=player, followed=blocked).delete()
        FixedPair.objects.filter(first=player, second=blocked, formed_at=None).delete()


def unblock_player(*, player: Player, public_id: str) -> bool:
    """Take a block back. Return False where there was none."""
    deleted, _rows = PlayerBlock.objects.filter(player=player, blocked__public_id=public_id).delete()
    return deleted > 0
