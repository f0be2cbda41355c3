"""Acts of a referee at a table (F2): hold its clocks, give time back, declare a forfeit, end it without a result.

Who may do it, and what becomes of a tournament, is settled upstairs. Each call is one transaction that holds the match;
a match that is over is refused with Finished, for its result stands.
"""

from collections.abc import Callable
from datetime import timedelta

from django.db import transaction

from games.clocks import Now
from games.engine.game import GameMove, controlling_seat
from games.locked_match import NOSHOW, LockedMatch
from games.models import Match, Seat
from games.services.errors import Finished, NothingToGive, NotSeated
from games.services.settlement import deliver_when_over

DUE = ("turn_from", "deadline_at", "noshow_at", "mixing_until", "opening_until", "bot_due_at")


class RefereedMatch(LockedMatch):
    """A match in a referee's hands."""

    def pause(self) -> None:
        """Stop the clocks and all play. The time thought before is charged."""
        if self.match.paused_at is None:
            self.match.paused_at = self.now
            self._changed()

    def resume(self) -> None:
        """Let the clocks run, every due time later by the length of the pause. A table that filled up meanwhile
        starts."""
        match = self.match
        if match.paused_at is None:
            return
        self._later(self.now - match.paused_at, DUE)
        match.paused_at = None
        if self.playing:
            self._recall()
        elif match.mixing_until is not None or Seat.objects.filter(match=match, arrived_at=None).exists():
            self._changed()
        else:
            self.start()

    def give_time(self, seat: int, extra: timedelta) -> None:
        """Longer waiting before the match; in it, a longer match clock, and a longer turn for whoever is to move."""
        match = self.match
        if self.waiting:
            if match.noshow_at is None:
                raise NothingToGive(match.version)
            self._later(extra, ("noshow_at",))
        else:
            turn = match.turn_seat is not None and controlling_seat(match.turn_seat, match.players) == seat
            if not match.clocks_ms and not (turn and match.deadline_at is not None):
                raise NothingToGive(match.version)
            if match.clocks_ms:
                match.clocks_ms = [
                    left + (extra // timedelta(milliseconds=1) if owner == seat else 0)
                    for owner, left in enumerate(match.clocks_ms)
                ]
            if turn:
                self._later(extra, ("deadline_at",))
        self._changed()

    def forfeit(self, seat: int) -> None:
        """The line of ``seat`` loses, by a verb of the record: it didn't come to the table, or it is taken from it."""
        verb = "abandon"
        if self.waiting:
            if not Seat.objects.filter(match=self.match, number=seat, arrived_at__isnull=False).exists():
                verb = NOSHOW
            self._begin_play()
            self._deal()
        self.match.paused_at = None
        self.play([GameMove(seat, verb)])

    def stop(self) -> None:
        """End the match without a result; whoever sat here is free."""
        self.match.stopped_at = self.now
        self._close()
        self._changed()

    def _later(self, by: timedelta, names: tuple[str, ...]) -> None:
        for name in names:
            at = getattr(self.match, name)
            if at is not None:
                setattr(self.match, name, at + by)

    def _recall(self) -> None:
        """Write a new version, with the calls that became due meanwhile (X1)."""
        self._position = self.position  # it is kept, at the new version
        self._bump()
        self._call()
        self._save()


def pause(*, match_id: int, now: Now) -> None:
    """Hold the clocks; done again it changes nothing. Raises Finished."""
    _judge(match_id, now, RefereedMatch.pause)


def resume(*, match_id: int, now: Now) -> None:
    """Let the clocks run on; done again it changes nothing. Raises Finished."""
    _judge(match_id, now, RefereedMatch.resume)


def give_time(*, match_id: int, seat: int, seconds: int, now: Now) -> None:
    """Give time back to the player at ``seat``. Raises Finished, NotSeated, NothingToGive."""
    _require_seat(match_id, seat)
    _judge(match_id, now, lambda table: table.give_time(seat, timedelta(seconds=seconds)))


def forfeit(*, match_id: int, seat: int, now: Now) -> None:
    """Declare that the line of ``seat`` forfeits. Raises Finished, NotSeated."""
    _require_seat(match_id, seat)
    _judge(match_id, now, lambda table: table.forfeit(seat))


def stop(*, match_id: int, now: Now) -> None:
    """End the match without a result; done again it changes nothing. Raises Finished where it has a result."""
    try:
        _judge(match_id, now, RefereedMatch.stop)
    except Finished:
        if not Match.objects.filter(pk=match_id, stopped_at__isnull=False).exists():
            raise


def _require_seat(match_id: int, seat: int) -> None:
    if not Seat.objects.filter(match_id=match_id, number=seat).exists():
        raise NotSeated


def _judge(match_id: int, now: Now, act: Callable[[RefereedMatch], None]) -> None:
    """Act on the table at one instant, after what was due before. Finished if it is over by then."""
    with transaction.atomic():
        table = RefereedMatch.lock(match_id, now)
        table.expire()
        over = table.match.status == Match.Status.FINISHED
        if not over:
            act(table)
        deliver_when_over(table)
    if over:
        raise Finished(table.match.version)
