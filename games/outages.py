"""The signs of life of sweepers, web servers and the front door, and what an outage does to the running deadlines.

Each process beats for its kind, and whoever reaches the site by its own address for the door (games/front_door.py). Who
beats after a silence extends every running deadline by the part of the silence that fell into its turn: nobody is
punished for our fault. While a kind that ever lived is silent, nothing may expire. An outage of the database is covered
too: nobody can beat while it lasts. It decides nothing about any match, but for this: a turn gets a minute back, a
match ten, and then the clocks stand until a referee lets them run, where there is one. Who keeps others from the door
stretches nobody's clocks without end.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from django.db import DatabaseError, connection, connections, transaction
from django.db.models import DurationField, ExpressionWrapper, F, Q, QuerySet, Value
from django.utils import timezone

from games.broadcast import publish_change, publish_end_of_rest, publish_new_deadlines
from games.clocks import OPENING, Now, read_instant
from games.models import HOUSE_ALONE, Liveness, Match
from games.signals import clocks_held
from games.site_rest import REST_SECONDS, SiteRest

logger = logging.getLogger(__name__)

SWEEPER, WEB, DOOR = "sweeper", "web", "door"
SILENCE = timedelta(seconds=2)  # longer than this is an outage
DOOR_SILENCE = timedelta(seconds=4)  # of the door: twice in a row nobody answered in time
TURN_GIVEN, MATCH_GIVEN = timedelta(seconds=60), timedelta(minutes=10)  # given back without a referee
BEAT_EVERY = timedelta(milliseconds=500)
REST = timedelta(seconds=REST_SECONDS)  # a beat at rest holds for so long
LOG_ROUNDS = 3  # of copying at a beat, at most


_referees: list[Callable[[Match], bool]] = []


def register_referee_policy(has_referee: Callable[[Match], bool]) -> None:
    """Add who knows whether a match has a referee: at start, by apps that know more than a table does."""
    if has_referee not in _referees:
        _referees.append(has_referee)


class Span(NamedTuple):
    """Span of time, from one instant to a later one."""

    start: datetime
    end: datetime


def has_outage(now: datetime) -> bool:
    """Return whether some kind of process that ever lived is silent at ``now``. Ask it with the match's lock held."""
    silent = ~Q(kind=DOOR) & Q(beat_at__lt=now - SILENCE) | Q(kind=DOOR, beat_at__lt=now - DOOR_SILENCE)
    return Liveness.objects.filter(silent).exists()


def record_beat(kind: str, now: Now) -> timedelta:
    """Write a sign of life of ``kind``. Return the length of the outage that it ended, zero if there was none."""
    if _go_on(kind, read_instant(now)):
        return timedelta()
    return _end_outage(kind, now)


def _go_on(kind: str, at: datetime) -> bool:
    """Write a beat that comes in time, in one statement: moves wait for whoever writes, twice a second. False if it
    comes after a silence, or is the first."""
    rows = Liveness.objects.filter(kind=kind, beat_at__lt=at, beat_at__gte=at - _limit_silence(kind))
    return bool(rows.update(beat_at=at))


def _limit_silence(kind: str) -> timedelta:
    return DOOR_SILENCE if kind == DOOR else SILENCE


@transaction.atomic
def _end_outage(kind: str, now: Now) -> timedelta:
    Liveness.objects.get_or_create(kind=kind, defaults={"beat_at": read_instant(now)})
    rows = {row.kind: row for row in Liveness.objects.select_for_update().order_by("kind")}
    row, at = rows[kind], read_instant(now)
    silence = Span(row.beat_at, at)
    if at <= row.beat_at:
        if row.beat_at - at > SILENCE:  # no older clock: a rest that another process of the kind has announced
            row.beat_at = at
            row.save(update_fields=["beat_at"])
        return timedelta()
    row.beat_at = at
    if at - silence.start <= _limit_silence(kind):
        row.save(update_fields=["beat_at"])
        return timedelta()
    others = [other.outage for other in rows.values() if other is not row]
    for span in subtract_spans(silence, [Span(*has_outage) for has_outage in others if has_outage is not None]):
        extend_deadlines(span)
    row.outage_from, row.outage_until = silence
    row.save()
    publish_new_deadlines()
    return at - silence.start


def announce_rest(kind: str, now: datetime) -> bool:
    """Beat for all the time of a rest, if no clock runs for anybody: there is nothing that an outage could take. Return
    whether it may begin; not out of a silence, which has to be made good first."""
    if list_running_clocks().exists():
        return False
    rows = Liveness.objects.filter(kind=kind, beat_at__gte=now - _limit_silence(kind), beat_at__lt=now + REST)
    return bool(rows.update(beat_at=now + REST))


def end_rest(now: datetime) -> None:
    """Have every kind beat for the present alone again, and tell the web processes, who may still rest: from now on an
    outage of any of them counts."""
    if Liveness.objects.filter(beat_at__gt=now + SILENCE).update(beat_at=now):
        publish_end_of_rest()


def list_running_clocks() -> QuerySet[Match]:
    """List the matches whose clocks run, or that wait for somebody; not those at which the house sits alone."""
    due = (
        Q(deadline_at__isnull=False)
        | Q(noshow_at__isnull=False)
        | Q(mixing_until__isnull=False)
        | Q(opening_until__isnull=False)
    )
    return Match.objects.filter(due, paused_at=None).exclude(HOUSE_ALONE)


@transaction.atomic
def extend_for_shut_door(shut_since: datetime, now: datetime) -> bool:
    """Make good a door that stays shut: each minute's clocks, and after ten minutes it isn't watched any more until
    somebody reaches it. Return whether it was given up just now."""
    row = Liveness.objects.select_for_update().filter(kind=DOOR).first()
    if row is None or now - row.beat_at <= DOOR_SILENCE:
        return False
    if now - shut_since >= MATCH_GIVEN:
        record_beat(DOOR, now)
        row.delete()
        return True
    if now - row.beat_at >= TURN_GIVEN:
        record_beat(DOOR, now)
    return False


def subtract_spans(span: Span, others: Iterable[Span]) -> list[Span]:
    """Return the parts of ``span`` outside all of ``others``."""
    parts = [span]
    for other in others:
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
    given = whole // timedelta(milliseconds=1)
    spent = Q(extension_ms__gt=_count_ms(TURN_GIVEN) - given) | Q(outage_ms__gt=_count_ms(MATCH_GIVEN) - given)
    for match in running.filter(spent, turn_from__lt=span.end).select_for_update():
        if any(has_referee(match) for has_referee in _referees):
            _hold_clocks(match, span)
    running.filter(turn_from__lte=span.start).update(
        deadline_at=F("deadline_at") + whole,
        extension_ms=F("extension_ms") + given,
        outage_ms=F("outage_ms") + given,
    )
    for match in running.filter(turn_from__gt=span.start, turn_from__lt=span.end).select_for_update():
        assert match.turn_from is not None
        assert match.deadline_at is not None
        part = span.end - match.turn_from
        match.deadline_at = match.deadline_at + part
        match.extension_ms += _count_ms(part)
        match.outage_ms += _count_ms(part)
        match.save(update_fields=["deadline_at", "extension_ms", "outage_ms"])
    waiting = going.filter(noshow_at__isnull=False, opened_at__lt=span.end)
    waiting.filter(opened_at__lte=span.start).update(noshow_at=F("noshow_at") + whole)
    since_opening = ExpressionWrapper(Value(span.end) - F("opened_at"), output_field=DurationField())
    waiting.filter(opened_at__gt=span.start).update(noshow_at=F("noshow_at") + since_opening)
    mixing = Match.objects.filter(mixing_until__gt=span.start)
    mixing.filter(Q(paused_at=None) | Q(paused_at__gt=span.start)).update(mixing_until=F("mixing_until") + whole)


def _count_ms(time: timedelta) -> int:
    return time // timedelta(milliseconds=1)


def _hold_clocks(match: Match, span: Span) -> None:
    """Give a turn what may be given without a referee, and let its clocks stand from that instant on, as a referee
    would; nothing of the outage is charged to anybody."""
    assert match.turn_from is not None
    assert match.deadline_at is not None
    begun = max(span.start, match.turn_from)
    left = min(_count_ms(TURN_GIVEN) - match.extension_ms, _count_ms(MATCH_GIVEN) - match.outage_ms)
    given = max(0, left)
    if begun + timedelta(milliseconds=given) >= span.end:
        return  # it was only part of the outage
    match.deadline_at += timedelta(milliseconds=given)
    match.extension_ms += given
    match.outage_ms += given
    match.paused_at = begun + timedelta(milliseconds=given)
    match.save(update_fields=["deadline_at", "extension_ms", "outage_ms", "paused_at"])
    publish_change(match)
    transaction.on_commit(partial(clocks_held.send_robust, sender=Match, match_id=match.pk, now=span.end))


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
        self._rests = False

    def __call__(self) -> bool:
        """Beat if it is time; False while the database won't take it."""
        if time.monotonic() < self._next and not self._rests:
            return self.well
        self._next = time.monotonic() + BEAT_EVERY.total_seconds()
        try:
            if self._rests:
                end_rest(self.clock())
                self._rests = False
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

    def announce_rest(self) -> bool:
        """Beat for a rest of REST_SECONDS; False where none may begin, and beats go on as ever. Never raises."""
        try:
            announced = announce_rest(self.kind, self.clock())
        except Exception:
            logger.exception("no rest can be announced for %s", self.kind)
            tidy_connections()
            return False
        self._rests = self._rests or announced
        return announced


class Heart(threading.Thread):
    """A thread with a connection of its own that beats for its process until stopped."""

    def __init__(self, kind: str, rest: SiteRest | None = None) -> None:
        super().__init__(name=f"heart-{kind}", daemon=True)
        self.pulse = Pulse(kind)
        self.rest = SiteRest() if rest is None else rest
        self.ended = threading.Event()
        self.beaten = threading.Event()  # set once the first beat has been tried

    def run(self) -> None:
        while not self.ended.is_set():
            if self.rest.is_quiet and self.pulse.announce_rest():
                empty_log()
                self.beaten.set()
                self.rest.wait(self.ended)
                continue
            if self.pulse():
                empty_log()
            self.beaten.set()
            self.ended.wait(BEAT_EVERY.total_seconds())
        connections.close_all()

    def stop(self) -> None:
        self.ended.set()
        self.rest.call()
        if self.is_alive():
            self.join(timeout=5)


def empty_log() -> None:
    """Copy SQLite's log into its file, from the thread that calls: whose commit does it waits for the disk. Once more
    where moves came meanwhile, so that the log begins anew and doesn't grow."""
    if connection.vendor != "sqlite":
        return
    try:
        with connection.cursor() as cursor:
            for _ in range(LOG_ROUNDS):
                cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")
                _busy, logged, copied = cursor.fetchone()
                if logged == copied:
                    return
    except DatabaseError as error:
        logger.info("the log stays as it is: %r", error)


def tidy_connections() -> None:
    """Close every connection that broke or was left inside a transaction by a fault."""
    for used in connections.all(initialized_only=True):
        if used.in_atomic_block:
            used.close()
            del connections[used.alias]  # a wrapper closed inside a transaction stays inside it
        elif not used.is_usable():
            used.close()
