"""Friends (B6): whom a player follows. Nobody is asked or told: who is followed shows what they choose to everybody."""

from datetime import datetime

from players import caps
from players.models import Follow, Player
from players.selectors import find_relation


class FollowRefused(Exception):
    """Refusal to follow somebody; ``code`` says why: nobody_to_follow, follows_blocked, too_many_follows."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def follow_player(*, player: Player, followed: Player, now: datetime) -> None:
    """Store that ``player`` follows ``followed``. Safe to repeat. FollowRefused for oneself, one of the house, a closed
    account, somebody one blocks, and beyond the cap."""
    if player.pk == followed.pk or followed.is_house or not followed.user.is_active:
        raise FollowRefused("nobody_to_follow")
    relation = find_relation(player, followed)
    if relation.blocks:
        raise FollowRefused("follows_blocked")
    if not relation.follows and Follow.objects.filter(player=player).count() >= caps.FOLLOWS_A_PERSON:
        raise FollowRefused("too_many_follows")
    Follow.objects.get_or_create(player=player, followed=followed, defaults={"at": now})


def unfollow_player(*, player: Player, public_id: str) -> bool:
    """Follow somebody no longer. Return False where nobody was followed."""
    deleted, _rows = Follow.objects.filter(player=player, followed__public_id=public_id).delete()
    return deleted > 0
