"""Devices that are told of their owner's tables (U4): asked for on them, and gone with the session that asked.

An endpoint is an address that a browser gives, so it is checked like any other that people give (W4), and shown to
nobody: whoever has it may send there. Nothing is sent here.
"""

import hashlib
from datetime import datetime
from typing import Any

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from players import caps
from players.models import MAX_ENDPOINT_CHARACTERS, PushDevice, User
from players.outgoing import OutgoingRefused, Resolver, check_address
from players.services.counted_acts import TooMany, count_act
from players.web_push import KeyInvalid, read_keys

PUSH_CODES = frozenset(
    {
        "not_a_service",  # the address or the keys are none that a browser makes for us
        "service_away",  # its name is unknown at the moment
        "too_many_devices",  # values: limit
        "devices_often",  # values: wait, the time until it is possible again
    }
)
LONGEST_BROWSER = PushDevice._meta.get_field("browser").max_length


class PushRefused(Exception):
    """A device that can't be told. ``code`` is one of PUSH_CODES, ``values`` what its sentence needs."""

    def __init__(self, code: str, **values: Any) -> None:
        if code not in PUSH_CODES:
            raise ValueError(f"not a code of devices: {code}")
        super().__init__(code)
        self.code, self.values = code, values


def add_device(
    *,
    user: User,
    session_key: str,
    endpoint: str,
    p256dh: str,
    auth: str,
    browser: str,
    language: str,
    now: datetime,
    resolve: Resolver | None = None,
) -> PushDevice:
    """Store that a browser is told from now on, until its session ends. Asked again, or by another account, it is the
    same device. PushRefused."""
    _check_endpoint(endpoint, resolve)
    try:
        read_keys(p256dh, auth)
    except KeyInvalid:
        raise PushRefused("not_a_service") from None
    digest = compute_digest(endpoint)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two requests at once are counted in turn
        others = PushDevice.objects.filter(user=user).exclude(digest=digest)
        if others.count() >= caps.PUSH_DEVICES_A_PERSON:
            raise PushRefused("too_many_devices", limit=caps.PUSH_DEVICES_A_PERSON)
        try:
            count_act({f"push:{user.pk}": caps.PUSH_DEVICES_OFTEN}, now=now)
        except TooMany as refused:
            raise PushRefused("devices_often", wait=refused.wait) from None
        PushDevice.objects.filter(digest=digest).exclude(user=user).delete()  # with what it was told of another's
        values = {
            "user": user,
            "session_key": session_key,
            "endpoint": endpoint,
            "p256dh": p256dh,
            "auth": auth,
            "browser": browser[:LONGEST_BROWSER],
            "language": language,
            "added_at": now,
            "failing_since": None,
        }
        PushDevice.objects.bulk_create(
            [PushDevice(digest=digest, **values)],
            update_conflicts=True,
            unique_fields=["digest"],
            update_fields=list(values),
        )
        return PushDevice.objects.get(digest=digest)


def _check_endpoint(endpoint: str, resolve: Resolver | None) -> None:
    if len(endpoint) > MAX_ENDPOINT_CHARACTERS or "[" in endpoint:  # a service has a name
        raise PushRefused("not_a_service")
    try:
        check_address(endpoint, resolve=resolve)
    except OutgoingRefused as refused:
        raise PushRefused("service_away" if refused.code == "unknown_name" else "not_a_service") from None


def compute_digest(endpoint: str) -> str:
    """Return what a device is known by, which its own page computes too (static/js/devices.js)."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def list_devices(user: User, now: datetime) -> QuerySet[PushDevice]:
    """Return an account's devices whose session stands, the latest first."""
    return filter_standing(PushDevice.objects.filter(user=user), now).order_by("-added_at", "-pk")


def filter_standing(devices: QuerySet[PushDevice], now: datetime) -> QuerySet[PushDevice]:
    """Return those of these devices at which somebody is signed in who may play."""
    sessions = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=now)
    free = Q(user__suspended_until=None) | Q(user__suspended_until__lte=now)
    return devices.filter(free, Exists(sessions), user__is_active=True)


def remove_device(*, user: User, device_id: int) -> bool:
    """Forget one of the account's devices. Return False if it was none, or gone before."""
    return bool(PushDevice.objects.filter(user=user, pk=device_id).delete()[0])


def end_devices(*, user_id: int, session_key: str | None = None) -> None:
    """Forget the devices of a session that ended, or all of the account."""
    devices = PushDevice.objects.filter(user=user_id)
    (devices if session_key is None else devices.filter(session_key=session_key)).delete()


def move_devices(*, user_id: int, before: str | None, after: str | None) -> None:
    """Keep the devices of a session that goes on under another key."""
    if before and after:
        PushDevice.objects.filter(user=user_id, session_key=before).update(session_key=after)


def forget_ended_devices(*, now: datetime) -> int:
    """Delete a batch of devices whose session is gone: a step of the housekeeping."""
    standing = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=now)
    ended = PushDevice.objects.filter(~Exists(standing)).values_list("pk", flat=True)[: caps.HOUSEKEEPING_BATCH]
    return PushDevice.objects.filter(pk__in=list(ended)).delete()[0]
