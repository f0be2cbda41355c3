"""Players: create guests and members, convert guests, expire them. The house's are in ``services.house``.

The hour is always passed in. Nothing here knows matches or tournaments: a guest has played if other rows point at them,
and is then kept so that the others' results stand.
"""

import hashlib
import ipaddress
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Coalesce

from players.models import AUTOMATIC, GuestArrival, Player, User, make_public_id
from players.names import BadName, clean_name, make_look_key, make_name_key
from players.services.close_account import delete_unreferenced, forget_person

GUESTS_AN_ADDRESS = 20  # in ARRIVAL_WINDOW: a club behind one address can sit down together
GUESTS_AN_ADDRESS_A_DAY = 100
ARRIVAL_WINDOW = timedelta(minutes=10)
DAY = timedelta(days=1)
UNUSED_AFTER = timedelta(days=1)  # a guest who never sat down is deleted after so long
IDLE_AFTER = timedelta(days=30)  # one who did is closed after so long: their session is over by then
SEEN_EVERY = timedelta(minutes=1)


class TooManyGuests(Exception):
    """Refusal of a guest: too many came from this address of late."""

    code = "too_many_guests"


class NameTaken(Exception):
    code = "name_taken"


class NotAGuest(Exception):
    """The player is a member already, or was closed."""

    code = "not_a_guest"


def _compute_address_digest(address: str) -> str:
    """Return a digest of the address, which itself is never kept. IPv6 counts by /64: one household."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        known = address
    else:
        if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped:
            parsed = parsed.ipv4_mapped
        bits = 64 if parsed.version == 6 else 32
        known = str(ipaddress.ip_network((parsed, bits), strict=False))
    return hashlib.blake2b(known.encode(), key=settings.SECRET_KEY.encode()[:64], digest_size=24).hexdigest()


def create_guest(*, now: datetime, address: str) -> Player:
    """Create a guest, ready to be logged in. Raise TooManyGuests if too many came from ``address``."""
    digest = _compute_address_digest(address)
    with transaction.atomic():
        arrivals = GuestArrival.objects.filter(address=digest, at__gt=now - DAY)
        if (
            arrivals.count() >= GUESTS_AN_ADDRESS_A_DAY
            or arrivals.filter(at__gt=now - ARRIVAL_WINDOW).count() >= GUESTS_AN_ADDRESS
        ):
            raise TooManyGuests
        GuestArrival.objects.create(address=digest, at=now)
        return _create(_free_guest_name(), Player.Kind.GUEST, now)


def _free_guest_name() -> str:
    """Return a free name such as "Ospite 4821": short enough to say aloud; longer where those are used up."""
    for digits in (4, 4, 4, 5, 6, 8):
        name = f"Ospite {secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)}"
        if not Player.objects.filter(name_key=make_name_key(name)).exists():
            return name
    return f"Ospite {make_public_id()}"


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


def expire_guests(*, now: datetime) -> tuple[int, int]:
    """Delete idle guests without results, close those with results, forget old arrivals. Return (deleted, closed)."""
    deleted = closed = 0
    GuestArrival.objects.filter(at__lte=now - DAY).delete()
    guests = Player.objects.filter(kind=Player.Kind.GUEST, user__is_active=True)
    idle = guests.annotate(last=Coalesce("seen_at", "created_at")).filter(last__lte=now - UNUSED_AFTER)
    for player_id in list(idle.values_list("pk", flat=True)):
        with transaction.atomic():
            player = idle.select_for_update(of=("self",)).select_related("user").filter(pk=player_id).first()
            if player is None:  # came back, or became a member, meanwhile
                continue
            if delete_unreferenced(player.user):
                deleted += 1
            elif (player.seen_at or player.created_at) <= now - IDLE_AFTER:
                # The name was the house's.
                forget_person(player.user, username=player.user.username)
                closed += 1
    return deleted, closed


def choose_automatic(*, player_id: int, automatic: Collection[str]) -> None:
    """Store the calls that a table makes for the player (X1). The caller updates the tables."""
    chosen = {f"auto_{verb}": verb in automatic for verb in AUTOMATIC}
    User.objects.filter(player=player_id).update(**chosen)
