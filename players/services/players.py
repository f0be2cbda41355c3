"""Players: create guests and members, convert guests, expire them. The house's are in ``services.house``.

The hour is always passed in. Nothing here knows matches or tournaments: a guest has played if other rows point at them,
and is then kept so that the others' results stand.
"""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models import PROTECT, Exists, ForeignObjectRel, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import get_language

from players import caps
from players.addresses import compute_address_digest
from players.models import AUTOMATIC, Person, Player, User, make_public_id
from players.names import GUEST_WORDS, BadName, clean_name, make_look_key, make_name_key
from players.services.close_account import delete_unreferenced, forget_person
from players.services.counted_acts import TooMany, count_act
from players.services.halls import is_hall

SEEN_EVERY = timedelta(minutes=1)


class TooManyGuests(TooMany):
    """Refusal of a guest: too many came from this address of late, or from everywhere."""

    code = "too_many_guests"


class TooManySignups(TooMany):
    """Refusal of an account: too many were made from this address of late, or from everywhere."""

    code = "too_many_signups"


class NameTaken(Exception):
    code = "name_taken"


class NotAGuest(Exception):
    """The player is a member already, or was closed."""

    code = "not_a_guest"


def create_guest(*, now: datetime, address: str, link: str = "") -> Player:
    """Create a guest, ready to be logged in. Raise TooManyGuests if too many came from ``address``.

    ``link``: the key of the tournament by whose link or code they come; they are counted apart.
    """
    digest = compute_address_digest(address)
    limits = {f"guests:{digest}": caps.GUESTS_AN_ADDRESS_IN_ALL, "guests": caps.GUESTS_ON_THE_SITE}
    if not is_hall(address=address, now=now):
        limits[f"guests:{digest}:{link}"] = caps.GUESTS_AN_ADDRESS
    with transaction.atomic():
        try:
            count_act(limits, now=now)
        except TooMany as refused:
            raise TooManyGuests(refused.wait) from None
        return _create(_free_guest_name(), Player.Kind.GUEST, now)


def count_signup(*, address: str, now: datetime) -> None:
    """Count an account that is about to be made, by a guest too. Raise TooManySignups."""
    own = caps.SIGNUPS_IN_A_HALL if is_hall(address=address, now=now) else caps.SIGNUPS_AN_ADDRESS
    limits = {f"signups:{compute_address_digest(address)}": own, "signups": caps.SIGNUPS_ON_THE_SITE}
    try:
        count_act(limits, now=now)
    except TooMany as refused:
        raise TooManySignups(refused.wait) from None


def _free_guest_name() -> str:
    """Return a free name such as "Ospite 4821", in the reader's language: short enough to say aloud; longer where those
    are used up."""
    word = GUEST_WORDS.get(get_language() or "", GUEST_WORDS["it"])
    for digits in (4, 4, 4, 5, 6, 8):
        name = f"{word} {secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)}"
        if not Player.objects.filter(name_key=make_name_key(name)).exists():
            return name
    return f"{word} {make_public_id()}"


def _create(name: str, kind: str, now: datetime) -> Player:
    public_id = make_public_id()
    user = User.objects.create(
        username=f"{kind}:{public_id}",  # a colon can't be typed in a name: nobody logs in as this
        password=make_password(None),
        date_joined=now,
    )
    return Player.objects.create(user=user, public_id=public_id, name=name, kind=kind, created_at=now, seen_at=now)


def is_name_taken(name: str, *, by_other_than: Player | None = None) -> bool:
    """Return True if somebody has this name or one that looks like it. Case, accents and look-alikes don't count."""
    others = Player.objects.filter(Q(name_key=make_name_key(name)) | Q(look_key=make_look_key(name)))
    users = User.objects.filter(username__iexact=name)
    if by_other_than is not None:
        others = others.exclude(user_id=by_other_than.user_id)
        users = users.exclude(pk=by_other_than.user_id)
    return others.exists() or users.exists()


def create_member(*, user: User, name: str, now: datetime) -> Player:
    """Create the player of an account that has just signed up. Raise NameTaken if somebody was faster."""
    try:
        with transaction.atomic():
            return Player.objects.create(user=user, name=name, kind=Player.Kind.MEMBER, created_at=now, seen_at=now)
    except IntegrityError as error:
        raise NameTaken from error


def ensure_player(*, user: User, now: datetime) -> Player:
    """Return the account's player, created if it has none (createsuperuser, the admin) and named as the account."""
    player = Player.objects.filter(user=user).first()
    if player is not None:
        return player
    try:
        name = clean_name(user.username)
        if is_name_taken(name, by_other_than=Player(user=user)):
            raise BadName("reserved")
    except BadName:
        name = f"Socio {make_public_id()}"
    return create_member(user=user, name=name, now=now)


def convert_guest(*, player_id: int, name: str, email: str, password: str, now: datetime) -> Player:
    """Make a guest a member on the same rows: entries, seats and results stay theirs. Raise NotAGuest, NameTaken."""
    try:
        with transaction.atomic():
            player = Player.objects.select_for_update().select_related("user").get(pk=player_id)
            if not player.is_guest or not player.user.is_active:
                raise NotAGuest
            if is_name_taken(name, by_other_than=player):
                raise NameTaken
            user = player.user
            user.username, user.email = name, email
            user.set_password(password)
            user.save(update_fields=["username", "email", "password"])
            player.name, player.kind, player.seen_at = name, Player.Kind.MEMBER, now
            player.save(update_fields=["name", "kind", "seen_at"])
            return player
    except IntegrityError as error:
        raise NameTaken from error


def touch_seen(*, player: Player, now: datetime) -> bool:
    """Store that the player is here, at most once a minute. Return True if it was stored."""
    if player.seen_at is not None and now - player.seen_at < SEEN_EVERY:
        return False
    Player.objects.filter(pk=player.pk).update(seen_at=now)
    player.seen_at = now
    return True


def exclude_referenced(players: QuerySet[Player]) -> QuerySet[Player]:
    """Return those of the players on whom nothing hangs: no seat, no entry, no tournament, whatever app has them."""
    for relation in _list_protecting(Player):
        players = players.filter(~Exists(_refer(relation, OuterRef("pk"))))
    for relation in _list_protecting(Person):
        players = players.filter(~Exists(_refer(relation, OuterRef("person__pk"))))
    return players


def _list_protecting(model: type[Player] | type[Person]) -> list[ForeignObjectRel]:
    """Return the relations that keep a row of the model from being deleted."""
    return [relation for relation in model._meta.related_objects if relation.on_delete is PROTECT]


def _refer(relation: ForeignObjectRel, key: OuterRef) -> QuerySet[Any]:
    rows: QuerySet[Any] = relation.related_model._base_manager.filter(**{relation.field.name: key})
    return rows


def _list_idle_guests(since: datetime) -> QuerySet[Player]:
    guests = Player.objects.filter(kind=Player.Kind.GUEST, user__is_active=True)
    return guests.annotate(last=Coalesce("seen_at", "created_at")).filter(last__lte=since)


def _lock_batch(players: QuerySet[Player]) -> list[Player]:
    """Lock a batch of the players, but for those that somebody else has at this moment."""
    free = players.select_for_update(of=("self",), skip_locked=True).select_related("user")
    return list(free.order_by("pk")[: caps.HOUSEKEEPING_BATCH])


@transaction.atomic
def forget_unused_guests(*, now: datetime) -> int:
    """Delete a batch of guests who never sat down and weren't seen for a day. Return how many."""
    unused = exclude_referenced(_list_idle_guests(now - caps.GUEST_UNUSED_KEPT))
    return sum(delete_unreferenced(player.user) for player in _lock_batch(unused))


@transaction.atomic
def close_idle_guests(*, now: datetime) -> int:
    """Close a batch of guests who have played and weren't seen for a month; results stay. Return how many."""
    idle = _lock_batch(_list_idle_guests(now - caps.GUEST_IDLE_KEPT))
    for player in idle:
        forget_person(player.user, username=player.user.username)  # the name was the house's
    return len(idle)


@transaction.atomic
def forget_unused_house_players(*, now: datetime) -> int:
    """Delete a batch of house players on whom nothing hangs, but for the oldest. Return how many."""
    house = Player.objects.filter(kind=Player.Kind.HOUSE)
    staying = list(house.order_by("pk").values_list("pk", flat=True)[: caps.HOUSE_PLAYERS_KEPT])
    old = house.filter(created_at__lte=now - caps.HOUSE_PLAYER_KEPT).exclude(pk__in=staying)
    return sum(delete_unreferenced(player.user) for player in _lock_batch(exclude_referenced(old)))


def choose_automatic(*, player_id: int, automatic: Collection[str]) -> None:
    """Store the calls that a table makes for the player (X1). The caller updates the tables."""
    chosen = {f"auto_{verb}": verb in automatic for verb in AUTOMATIC}
    User.objects.filter(player=player_id).update(**chosen)
