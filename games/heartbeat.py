"""The signs of life of sweepers and web servers, and what an outage of theirs does to the running deadlines.

Each process beats for its kind. Who beats after a silence of more than two seconds extends every running deadline by
the part of the silence that fell into its turn: nobody is punished for our fault. While a kind that ever lived is
silent, nothing may expire. An outage of the database is covered too: nobody can beat while it lasts. It decides
nothing about any match.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import connections, transaction
from django.db.models import DurationField, ExpressionWrapper, F, Value
from django.utils import timezone

from games.clocks import OPENING, Now, read_instant
from games.models import Liveness, Match

logger = logging.getLogger(__name__)

SWEEPER, WEB = "sweeper", "web"
SILENCE = timedelta(seconds=2)  # longer than this is an outage
BEAT_EVERY = timedelta(milliseconds=500)


class Span(NamedTuple):
    """Span of time, from one instant to a later one."""

    start: datetime
    end: datetime


def has_outage(now: datetime) -> bool:
    """Return whether some kind of process that ever lived is silent at ``now``. Ask it with the match's lock held."""
    return Liveness.objects.filter(beat_at__lt=now - SILENCE).exists()


@transaction.atomic
def record_beat(kind: str, now: Now) -> timedelta:
    """Write a sign of life of ``kind``. Return the length of the outage that it ended, zero if there was none."""
    Liveness.objects.get_or_create(kind=kind, defaults={"beat_at": read_instant(now)})
    rows = {row.kind: row for row in Liveness.objects.select_for_update().order_by("kind")}
    row, at = rows[kind], read_instant(now)
    silence = Span(row.beat_at, at)
    if at <= row.beat_at:
        return timedelta()
    row.beat_at = at
    if at - silence.start <= SILENCE:
        row.save(update_fields=["beat_at"])
        return timedelta()
    others = [other.outage for other in rows.values() if other is not row]
    for span in subtract_spans(silence, [Span(*has_outage) for has_outage in others if has_outage is not None]):
        extend_deadlines(span)
    row.outage_from, row.outage_until = silence
    row.save()
    return at - silence.start


def subtract_spans(span: Span, known: Iterable[Span]) -> list[Span]:
    """Return the parts of ``span`` outside all of ``known``."""
    parts = [span]
    for other in known:
        cut: list[Span] = []
        for part in parts:
            cut.append(Span(part.start, min(part.end, other.start)))
            cut.append(Span(max(part.start, other.end), part.end))
        parts = [part for part in cut if part.start < part.end]
    return parts


def extend_deadlines(span: Span) -> None:
    """Extend every running deadline by the part of ``span`` that fell into its turn, or into the wait at its table."""
    whole = span.end - span.start
    for match in Match.objects.filter(paused_at__gt=span.start).select_for_update():
        _extend_paused(match, span)
    going = Match.objects.filter(paused_at=None)
    for match in going.filter(opening_until__gt=span.start).select_for_update():
        _extend_opening(match, span)
    running = going.filter(deadline_at__isnull=False).exclude(opening_until__gt=span.start)
    running.filter(turn_from__lte=span.start).update(
        deadline_at=F("deadline_at") + whole,
        extension_ms=F("extension_ms") + whole // timedelta(milliseconds=1),
    )
    for match in running.filter(turn_from__gt=span.start, turn_from__lt=span.end).select_for_update():
        assert match.turn_from is not None
        assert match.deadline_at is not None
        part = span.end - match.turn_from
        match.deadline_at = match.deadline_at + part
        match.extension_ms += part // timedelta(milliseconds=1)
        match.save(update_fields=["deadline_at", "extension_ms"])
    waiting = going.filter(noshow_at__isnull=False, opened_at__lt=span.end)
    waiting.filter(opened_at__lte=span.start).update(noshow_at=F("noshow_at") + whole)
    since_opening = ExpressionWrapper(Value(span.end) - F("opened_at"), output_field=DurationField())
    waiting.filter(opened_at__gt=span.start).update(noshow_at=F("noshow_at") + since_opening)


def _extend_paused(match: Match, span: Span) -> None:
    """Extend clocks that a referee holds by the part of ``span`` before the pause; they stood from then on."""
    assert match.paused_at is not None
    part = min(span.end, match.paused_at) - span.start
    match.noshow_at = None if match.noshow_at is None else match.noshow_at + part
    match.deadline_at = None if match.deadline_at is None else match.deadline_at + part
    match.extension_ms += part // timedelta(milliseconds=1)
    match.save(update_fields=["noshow_at", "deadline_at", "extension_ms"])


def _extend_opening(match: Match, span: Span) -> None:
    """Give back the time to call before the first card (C2, C5) that the outage took; the clock waits on."""
    assert match.opening_until is not None
    assert match.turn_from is not None
    part = span.end - max(span.start, match.opening_until - OPENING)
    if part <= timedelta():
        return
    match.opening_until += part
    match.turn_from += part
    match.deadline_at = None if match.deadline_at is None else match.deadline_at + part
    match.save(update_fields=["opening_until", "turn_from", "deadline_at"])


class Pulse:
    """The sign of life of one thread: at most every BEAT_EVERY, never raising, loud only when things change."""

    def __init__(self, kind: str, clock: Callable[[], datetime] = timezone.now) -> None:
        self.kind, self.clock = kind, clock
        self.well = True  # whether the last beat could be written
        self._next = 0.0

    def __call__(self) -> bool:
        """Beat if it is time; False while the database won't take it."""
        if time.monotonic() < self._next:
            return self.well
        self._next = time.monotonic() + BEAT_EVERY.total_seconds()
        try:
            ended = record_beat(self.kind, self.clock)
        except Exception:
            if self.well:
                logger.exception("no sign of life can be written for %s", self.kind)
            self.well = False
            tidy_connections()
            return False
        self.well = True
        if ended:
            logger.warning("%s was away for %.1f s, running deadlines extended", self.kind, ended.total_seconds())
        return True


class Heart(threading.Thread):
    """A thread with a connection of its own that beats for its process until stopped."""

    def __init__(self, kind: str) -> None:
        super().__init__(name=f"heart-{kind}", daemon=True)
        self.pulse = Pulse(kind)
        self.ended = threading.Event()
        self.beaten = threading.Event()  # set once the first beat has been tried

    def run(self) -> None:
        while not self.ended.is_set():
            self.pulse()
            self.beaten.set()
            self.ended.wait(BEAT_EVERY.total_seconds())
        connections.close_all()

    def stop(self) -> None:
        self.ended.set()
        if self.is_alive():
            self.join(timeout=5)


def tidy_connections() -> None:
    """Close every connection that broke or was left inside a transaction by a fault."""
    for connection in connections.all(initialized_only=True):
        if connection.in_atomic_block:
            connection.close()
            del connections[connection.alias]  # a wrapper closed inside a transaction stays inside it
        elif not connection.is_usable():
            connection.close()
