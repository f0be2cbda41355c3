"""Parts of the export about the account: preferences, what it shows to whom, fixed pairs, sessions, keys, devices."""

from collections.abc import Iterator

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.db.models import Q

from players.faces import find_face
from players.models import AUTOMATIC, PUSH_WISHES, WISHES, AccessToken, FixedPair, Player, PushDevice
from players.selectors import PARTS, read_audience
from players.services.own_data import Row, register_part

PREFERENCES = (
    "language", "time_zone", "sound", "banner", "deck", "indices", "one_click", "second_tap", "table_sound",
    "vibration", "theme",
)  # fmt: skip


def read_account(player: Player) -> Iterator[Row]:
    """Yield the account, its addresses and its preferences."""
    user = player.user
    addresses = EmailAddress.objects.filter(user=user).order_by("pk")
    wanted = (*PREFERENCES, *WISHES, *PUSH_WISHES, *(f"auto_{verb}" for verb in AUTOMATIC))
    yield {
        "id": player.public_id,
        "name": player.name,
        "kind": player.kind,
        "face": find_face(player),
        "since": player.created_at,
        "addresses": [{"address": row.email, "confirmed": row.verified} for row in addresses],
        "preferences": {name: getattr(user, name) for name in wanted},
    }


def read_shown(player: Player) -> Iterator[Row]:
    """Yield who is shown what of the player's page."""
    audience = read_audience(player)
    yield {**{part: getattr(audience, part) for part in PARTS}, "indexed": audience.indexed}


def read_fixed_pairs(player: Player) -> Iterator[Row]:
    """Yield the player's pairs and invitations to one."""
    own = FixedPair.objects.filter(Q(first=player) | Q(second=player)).select_related("first", "second")
    for pair in own.order_by("pk").iterator():
        yield {
            "id": pair.public_id,
            "name": pair.name,
            "players": [one.name for one in pair.players],
            "invited_at": pair.invited_at,
            "formed_at": pair.formed_at,
            "ended_at": pair.ended_at,
        }


def read_ways_in(player: Player) -> Iterator[Row]:
    """Yield the sessions and the keys of programs; never what opens one."""
    for session in UserSession.objects.filter(user=player.user).order_by("pk").iterator():
        yield {"what": "session", "browser": session.user_agent, "address": session.ip, "seen_at": session.last_seen_at}
    for token in AccessToken.objects.filter(user=player.user).order_by("pk").iterator():
        yield {"what": "key", "name": token.name, "scopes": token.scopes, "made_at": token.created_at}


def read_devices(player: Player) -> Iterator[Row]:
    """Yield the devices that are told of the player's tables; never where to, nor the keys."""
    for device in PushDevice.objects.filter(user=player.user).order_by("pk").iterator():
        yield {
            "browser": device.browser,
            "language": device.language,
            "added_at": device.added_at,
            "told_at": device.told_at,
            "messages": list(device.messages.order_by("pk").values("kind", "title", "created_at", "sent_at")),
        }


def register_parts() -> None:
    """Add these parts, at start."""
    register_part("account", read_account)
    register_part("audience", read_shown)
    register_part("pairs", read_fixed_pairs)
    register_part("access", read_ways_in)
    register_part("devices", read_devices)
