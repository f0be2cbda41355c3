"""Fixed pairs: formed by an invitation and a yes, named by both, left by either. What was played together stays."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from players import caps
from players.clean_text import clean_line
from players.models import MAX_PAIR_NAME_CHARACTERS, FixedPair, Player
from players.names import sounds_like_staff
from players.selectors import find_blocks, find_relation
from players.services.counted_acts import TooMany, count_act


class PairRefused(Exception):
    """Refusal of an act about a fixed pair. ``code``: nobody_to_pair, pair_exists, too_many_pairs, pair_invitations,
    no_such_pair, pair_name_short, pair_name_long, pair_name_reserved."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@transaction.atomic
def invite_to_pair(*, player: Player, other: Player | None, now: datetime) -> FixedPair:
    """Invite a member to form a pair; their own invitation, if there is one, is accepted by it. Who blocks the player
    isn't shown it, and the player not that it is so (B6). PairRefused(code)."""
    if other is None or not _may_pair(player, other):
        raise PairRefused("nobody_to_pair")
    _lock_players(player, other)
    standing = _list_standing(player).filter(Q(first=other) | Q(second=other)).first()
    if standing is not None and standing.formed_at is None and standing.first_id == other.pk:
        if not find_blocks([player.pk, other.pk]):
            return _form(standing, now)
        standing.delete()  # of whoever blocks the player since
        standing = None
    if standing is not None:
        raise PairRefused("pair_exists")
    if _list_standing(player).exclude(second=player, formed_at=None).count() >= caps.FIXED_PAIRS_A_PERSON:
        raise PairRefused("too_many_pairs")
    try:
        count_act({f"pair:{player.pk}": caps.PAIR_INVITATIONS_A_PERSON}, now=now)
    except TooMany:
        raise PairRefused("pair_invitations") from None
    return FixedPair.objects.create(first=player, second=other, invited_at=now)


@transaction.atomic
def answer_pair(*, public_id: str, player: Player, accepts: bool, now: datetime) -> FixedPair | None:
    """Form the pair that ``player`` was invited to, or decline it: then it is gone. PairRefused(code)."""
    pair = _lock_own(public_id, player)
    if pair.formed_at is not None or pair.second_id != player.pk:
        raise PairRefused("no_such_pair")
    if accepts and find_blocks([pair.first_id, pair.second_id]):
        raise PairRefused("no_such_pair")
    if not accepts:
        pair.delete()
        return None
    if _list_standing(player).exclude(formed_at=None).count() >= caps.FIXED_PAIRS_A_PERSON:
        raise PairRefused("too_many_pairs")
    return _form(pair, now)


@transaction.atomic
def leave_pair(*, public_id: str, player: Player, now: datetime) -> None:
    """End a pair, or take an invitation back. What was played together stays. PairRefused(code)."""
    pair = _lock_own(public_id, player)
    if pair.formed_at is None:
        pair.delete()
        return
    pair.ended_at, pair.proposal, pair.proposed_by = now, "", None
    pair.save(update_fields=["ended_at", "proposal", "proposed_by"])


@transaction.atomic
def name_pair(*, public_id: str, player: Player, name: str) -> FixedPair:
    """Propose a name for a formed pair; the one that the other proposes too is its name. PairRefused(code)."""
    pair = _lock_own(public_id, player)
    if pair.formed_at is None:
        raise PairRefused("no_such_pair")
    text = _clean_pair_name(name)
    if pair.proposed_by_id not in (None, player.pk) and pair.proposal == text:
        pair.name, pair.proposal, pair.proposed_by = text, "", None
    else:
        pair.proposal, pair.proposed_by = text, player
    pair.save(update_fields=["name", "proposal", "proposed_by"])
    return pair


def end_pairs(*, player: Player, now: datetime) -> None:
    """End every pair of a closing account, without the name that it chose; its invitations are gone."""
    own = FixedPair.objects.filter(Q(first=player) | Q(second=player))
    own.filter(formed_at=None).delete()
    own.update(name="", proposal="", proposed_by=None)
    own.filter(ended_at=None).update(ended_at=now)


def _may_pair(player: Player, other: Player) -> bool:
    members = all(one.kind == Player.Kind.MEMBER and one.user.is_active for one in (player, other))
    return members and player.pk != other.pk and not find_relation(player, other).blocks


def _form(pair: FixedPair, now: datetime) -> FixedPair:
    pair.formed_at = now
    pair.save(update_fields=["formed_at"])
    return pair


def _lock_players(*players: Player) -> None:
    """Lock these players, always in the same order: so that two invitations at once are one pair."""
    rows = Player.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=[one.pk for one in players])
    list(rows.order_by("pk"))


def _list_standing(player: Player) -> QuerySet[FixedPair]:
    return FixedPair.objects.filter(Q(first=player) | Q(second=player), ended_at=None)


def _lock_own(public_id: str, player: Player) -> FixedPair:
    pair = _list_standing(player).select_for_update(of=("self",)).filter(public_id=public_id).first()
    if pair is None:
        raise PairRefused("no_such_pair")
    return pair


def _clean_pair_name(name: str) -> str:
    text = clean_line(name)
    if sum(char.isalpha() for char in text) < 2:
        raise PairRefused("pair_name_short")
    if len(text) > MAX_PAIR_NAME_CHARACTERS:
        raise PairRefused("pair_name_long")
    if sounds_like_staff(text):
        raise PairRefused("pair_name_reserved")
    return text
