"""Reads about people: the player of a user, their looks, a session's validity, time zones. They never write."""

import functools
import zoneinfo
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any, NamedTuple
from unicodedata import normalize

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from players.models import AUTOMATIC, Follow, ModerationAct, Player, PlayerBlock, ProfileAudience, User
from players.names import make_name_key

ESTABLISHED_AFTER = timedelta(days=7)
PARTS = ("presence", "levels", "history", "tournaments", "statistics", "pairs", "stakes")  # of a person's page
Readers = ProfileAudience.Readers


@dataclass(frozen=True, slots=True)
class Looks:
    """Looks and sounds that a reader chose; the defaults hold for the others, and for a choice that isn't offered any
    more."""

    deck: str = User.Deck.NAPOLETANE.value
    indices: bool = True
    one_click: bool = False
    second_tap: str = User.SecondTap.DEVICE.value
    sound: bool = True  # at the table
    vibration: bool = False  # there too, at one's turn
    theme: str = User.Theme.AUTO.value


class Relation(NamedTuple):
    """Choices of a reader about another player: to follow them, to block them (B6)."""

    follows: bool
    blocks: bool


def read_looks(user: Any) -> Looks:
    """Return the reader's chosen looks (G1), a visitor's defaults for everybody else."""
    if not getattr(user, "is_authenticated", False):
        return Looks()
    return Looks(
        user.deck if user.deck in User.Deck else Looks().deck,
        user.indices,
        user.one_click,
        user.second_tap if user.second_tap in User.SecondTap else Looks().second_tap,
        user.table_sound,
        user.vibration,
        user.theme if user.theme in User.Theme else Looks().theme,
    )


def player_for(user: Any) -> Player | None:
    """Return the player a request's user plays as, read once for each user object. None for a visitor and for an
    account without a player."""
    if not getattr(user, "is_authenticated", False):
        return None
    try:
        return user.player
    except Player.DoesNotExist:
        return None


def has_confirmed_address(player: Player) -> bool:
    """Return whether the player is a member with a confirmed address."""
    member = player.kind == Player.Kind.MEMBER
    return member and EmailAddress.objects.filter(user=player.user_id, verified=True).exists()


def is_established(player: Player, now: datetime) -> bool:
    """Return whether the player is a member of at least seven days with a confirmed address (W3)."""
    return player.created_at <= now - ESTABLISHED_AFTER and has_confirmed_address(player)


def may_see(owner: Player, reader: Player | None, what: str) -> bool:
    """Return whether ``owner`` shows ``reader`` (None: a visitor) this part of their page, one of ``PARTS``."""
    return bool(find_shown([owner], reader, what))


def list_seen_parts(owner: Player, reader: Player | None) -> frozenset[str]:
    """Return every part of the owner's page that the reader is shown, in two queries at most."""
    if owner.is_house or (reader is not None and reader.pk == owner.pk):
        return frozenset(PARTS)
    audience = read_audience(owner)
    friend = owner.pk in find_friends([owner.pk], reader)
    return frozenset(part for part in PARTS if _admits(getattr(audience, part), friend))


def find_shown(owners: Iterable[Player], reader: Player | None, what: str) -> set[int]:
    """Return the ids of those owners who show ``reader`` this part of their page, in two queries for any number."""
    if what not in PARTS:
        raise ValueError(what)
    by_id = {owner.pk: owner for owner in owners}
    chosen = dict(ProfileAudience.objects.filter(player__in=by_id).values_list("player", what))
    friends = find_friends(by_id, reader)
    usual = getattr(ProfileAudience(), what)
    return {
        pk
        for pk, owner in by_id.items()
        if owner.is_house or (reader is not None and reader.pk == pk) or _admits(chosen.get(pk, usual), pk in friends)
    }


def _admits(readers: str, friend: bool) -> bool:
    return readers == Readers.EVERYBODY or (friend and readers == Readers.FRIENDS)


def find_friends(owner_ids: Iterable[int], reader: Player | None) -> set[int]:
    """Return those owners who follow the reader (B6)."""
    if reader is None:
        return set()
    rows = Follow.objects.filter(player__in=owner_ids, followed=reader)
    return set(rows.values_list("player_id", flat=True))


def read_audience(player: Player) -> ProfileAudience:
    """Return what the player shows to whom; a row that isn't stored where they have chosen nothing."""
    return ProfileAudience.objects.filter(player=player).first() or ProfileAudience(player=player)


def find_by_name(name: str) -> Player | None:
    """Return the player of that name, however it was typed; None for a closed account."""
    key = make_name_key(name)
    return Player.objects.filter(name_key=key, user__is_active=True).first() if key else None


def find_username(name: str) -> str:
    """Return the user name of the member of that name, whatever its case: databases differ on that of letters with
    accents, and of other scripts. Empty for nobody's."""
    named = Player.objects.filter(name_key=make_name_key(name), kind=Player.Kind.MEMBER)
    username = named.values_list("user__username", flat=True).first() or ""
    return username if normalize("NFC", name).strip().casefold() == username.casefold() else ""


def list_blocked(player: Player) -> list[Player]:
    """Return whom the player takes no invitation of, by name."""
    return list(Player.objects.filter(blocked_by__player=player).order_by("name_key"))


def find_blockers(player_ids: Collection[int], by: Collection[int]) -> set[int]:
    """Return those of these players who take no invitation of one of ``by``, all by id, in one query."""
    rows = PlayerBlock.objects.filter(player__in=player_ids, blocked__in=by)
    return set(rows.values_list("player_id", flat=True))


def find_blocks(player_ids: Collection[int]) -> set[frozenset[int]]:
    """Return the pairs of these players of whom either blocks the other (B6), in one query."""
    rows = PlayerBlock.objects.filter(player__in=player_ids, blocked__in=player_ids)
    return {frozenset(pair) for pair in rows.values_list("player_id", "blocked_id")}


def find_blocks_with(player_ids: Collection[int]) -> set[frozenset[int]]:
    """Return the pairs of anybody with one of these players of whom either blocks the other, in one query."""
    rows = PlayerBlock.objects.filter(Q(player__in=player_ids) | Q(blocked__in=player_ids))
    return {frozenset(pair) for pair in rows.values_list("player_id", "blocked_id")}


def is_muted(player_id: int, now: datetime) -> bool:
    """Tell whether moderators have closed the chat, or the site, to this player for now (U2)."""
    closed = Q(muted_until__gt=now) | Q(suspended_until__gt=now)
    return User.objects.filter(closed, player=player_id).exists()


def is_suspended(user: User, now: datetime) -> bool:
    """Tell whether moderators keep this account from everything but the page that says why (U2)."""
    return user.suspended_until is not None and user.suspended_until > now


def list_acts_about(player: Player) -> list[ModerationAct]:
    """Return the acts of moderation about a player, the latest first (U2)."""
    return list(ModerationAct.objects.filter(player=player))


def find_suspended(player_ids: Collection[int], now: datetime) -> set[int]:
    """Return those of these players whom moderators keep from playing now (U2)."""
    rows = User.objects.filter(player__in=player_ids, suspended_until__gt=now)
    return set(rows.values_list("player", flat=True))


def find_relation(player: Player, other: Player) -> Relation:
    """Return what ``player`` has chosen about ``other`` (B6); never what the other has chosen."""
    return Relation(
        follows=Follow.objects.filter(player=player, followed=other).exists(),
        blocks=PlayerBlock.objects.filter(player=player, blocked=other).exists(),
    )


def list_followed(player: Player) -> list[Player]:
    """Return whom the player follows (B6), by name; not those who have gone."""
    rows = Player.objects.filter(followed_by__player=player, user__is_active=True)
    return list(rows.select_related("user").order_by("name_key"))


def find_calendar_owner(token: str) -> Player | None:
    """Return the player whose calendar has this token in its address."""
    return Player.objects.select_related("user").filter(calendar_token=token).first() if token else None


def read_automatic_calls(player_ids: Collection[int]) -> dict[int, tuple[str, ...]]:
    """Return the calls that a table makes for each of these players (X1), in one query."""
    rows = User.objects.filter(player__in=player_ids).values_list("player", *(f"auto_{verb}" for verb in AUTOMATIC))
    return {
        player_id: tuple(verb for verb, wanted in zip(AUTOMATIC, chosen, strict=True) if wanted)
        for player_id, *chosen in rows
    }


class Session(NamedTuple):
    """A session by its key, and the user it is of."""

    key: str
    user_id: int


def read_signed_in(session_key: str | None) -> User | None:
    """Return the active user that a session is of, with their player; None where it is of nobody (any more)."""
    if not session_key:
        return None
    store = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    if store.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return None
    user = User.objects.select_related("player").filter(pk=store[SESSION_KEY], is_active=True).first()
    if user is None or is_suspended(user, timezone.now()):
        return None
    return user if _has_password_of(store, user) else None


def is_session_valid(session_key: str | None, user_id: int) -> bool:
    """Return whether that session still exists and still belongs to an active user with the same password."""
    user = read_signed_in(session_key)
    return user is not None and user.pk == user_id


def find_valid_sessions(sessions: Collection[Session]) -> set[Session]:
    """Return those sessions that still exist and still belong to an active user with the same password."""
    now = timezone.now()
    store = import_module(settings.SESSION_ENGINE).SessionStore
    kept = store.get_model_class().objects.filter(
        session_key__in=[session.key for session in sessions], expire_date__gt=now
    )
    values = {row.session_key: row.get_decoded() for row in kept}
    users = User.objects.filter(is_active=True).in_bulk({session.user_id for session in sessions})
    return {
        session
        for session in sessions
        if (values_kept := values.get(session.key)) is not None
        and values_kept.get(SESSION_KEY) == str(session.user_id)
        and (user := users.get(session.user_id)) is not None
        and _has_password_of(values_kept, user)
        and not is_suspended(user, now)
    }


def _has_password_of(session: Any, user: User) -> bool:
    return constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())


@functools.cache
def list_time_zones() -> frozenset[str]:
    """Return the zones one may choose: places ("Europe/Rome"), and UTC. Not the old names some of them had."""
    regions = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
    return frozenset({"UTC", *(name for name in zoneinfo.available_timezones() if name.startswith(regions))})
