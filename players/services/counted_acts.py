"""Counted acts: those of a person, an address or the whole site, counted in the database under a lock of their own.

What is refused here is refused with Redis away, too, and however many ask at once. A counter is locked after a
tournament and before a match; several at once in the order of their keys. It knows no act: callers name the key and its
caps.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef

from players import caps
from players.models import ActCounter, CountedAct


class TooMany(Exception):
    """Refusal of an act by its cap. ``wait``: the time until it is possible again."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(str(wait))
        self.wait = wait


@transaction.atomic
def count_act(limits: Mapping[str, caps.Caps], *, now: datetime) -> None:
    """Count an act under all these keys. Raise TooMany, having counted nothing, where a cap is reached."""
    counters = _lock(sorted(limits), now)
    waits = [_find_wait(counter, limits[counter.key], now) for counter in counters]
    if any(waits):
        raise TooMany(max(waits))
    CountedAct.objects.bulk_create([CountedAct(counter=counter, at=now) for counter in counters])


@transaction.atomic
def note_act(key: str, *, now: datetime) -> None:
    """Count an act that is never refused itself; it makes a later one wait (``require_room``)."""
    CountedAct.objects.bulk_create([CountedAct(counter=counter, at=now) for counter in _lock([key], now)])


def require_room(key: str, limits: caps.Caps, *, now: datetime) -> None:
    """Raise TooMany where a cap of the acts under ``key`` is reached; count nothing."""
    counter = ActCounter.objects.filter(key=key).first()
    wait = timedelta() if counter is None else _find_wait(counter, limits, now)
    if wait:
        raise TooMany(wait)


def lock_if_free(key: str, *, now: datetime) -> bool:
    """Lock a counter until the transaction ends; False where somebody has it (PostgreSQL; SQLite has one writer)."""
    if not ActCounter.objects.filter(key=key).exists():
        ActCounter.objects.bulk_create([ActCounter(key=key, seen_at=now)], ignore_conflicts=True)
    return ActCounter.objects.select_for_update(skip_locked=True).filter(key=key).first() is not None


@transaction.atomic
def forget_acts(*, now: datetime) -> int:
    """Delete a batch of acts that no window reaches any more, and of counters without any. Return how many.

    The few counters of the whole site stay, and those that somebody has locked.
    """
    before = now - caps.COUNTED_ACTS_KEPT
    old = list(CountedAct.objects.filter(at__lte=before).order_by("at").values_list("pk", flat=True)[: _count_batch()])
    CountedAct.objects.filter(pk__in=old).delete()
    acts = CountedAct.objects.filter(counter=OuterRef("pk"))
    empty = ActCounter.objects.filter(~Exists(acts), seen_at__lte=before, key__contains=":")
    free = list(empty.select_for_update(skip_locked=True).values_list("pk", flat=True)[: _count_batch()])
    return len(old) + ActCounter.objects.filter(pk__in=free).delete()[0]


def _count_batch() -> int:
    return 10 * caps.HOUSEKEEPING_BATCH  # small rows, one statement


def _lock(keys: list[str], now: datetime) -> list[ActCounter]:
    """Lock the counters of these sorted keys, made where they are missing."""
    counters: list[ActCounter] = []
    while len(counters) < len(keys):  # again if the housekeeping took one in between
        ActCounter.objects.bulk_create([ActCounter(key=key, seen_at=now) for key in keys], ignore_conflicts=True)
        counters = list(ActCounter.objects.select_for_update().filter(key__in=keys).order_by("key"))
    ActCounter.objects.filter(pk__in=[counter.pk for counter in counters]).update(seen_at=now)
    return counters


def _find_wait(counter: ActCounter, limits: caps.Caps, now: datetime) -> timedelta:
    """Return the time until none of these caps is reached; nothing where there is room."""
    wait = timedelta()
    for cap in limits:
        recent = counter.acts.filter(at__gt=now - cap.window).order_by("-at").values_list("at", flat=True)
        for at in recent[cap.most - 1 : cap.most]:
            wait = max(wait, at + cap.window - now)
    return wait
