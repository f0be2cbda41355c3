"""A match in the hands of one transaction that holds its row: moves, deals, clocks and the result.

It decides nothing of the game (the rules do) nor who may act (the services do). All that follows from a move is written
with it: the next deadline, the count of a deal, the next deal, the result. Everything it tells others, it tells after
the commit.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from secrets import SystemRandom
from typing import Self

from games import broadcast, clocks, liveness, positions
from games.clocks import Now
from games.engine import match as engine
from games.engine.cards import DECK_SIZE
from games.engine.game import Move as GameMove
from games.engine.match import Progress
from games.engine.record import deck_to_stored, move_text
from games.models import Deal, Match, Move, Seat
from games.positions import Position
from games.rows import Rows

NOSHOW = "noshow"
PLAY = "play"  # any other verb of the seat to move is a call: the turn goes on, on the same clock

_dice = SystemRandom()


def shuffled() -> list[int]:
    """Forty cards in an order from a cryptographic source (G4)."""
    deck = list(range(DECK_SIZE))
    _dice.shuffle(deck)
    return deck


class Table:
    """One locked match at one instant, taken once the lock was held."""

    def __init__(self, match: Match, now: datetime) -> None:
        self.match = match
        self.now = now
        self._position: Position | None = None

    @classmethod
    def lock(cls, match_id: int, now: Now) -> Self:
        """Take the row's lock, waiting for it. Raises Match.DoesNotExist."""
        match = MATCHES.lock(match_id)
        if match is None:
            raise Match.DoesNotExist
        return cls(match, clocks.instant(now))

    @classmethod
    def lock_if_free(cls, match_id: int, now: Now) -> Self | None:
        """Take the row's lock; None if another transaction has it (PostgreSQL; SQLite waits)."""
        match = MATCHES.lock(match_id, skip_locked=True)
        return None if match is None else cls(match, clocks.instant(now))

    @property
    def position(self) -> Position:
        if self._position is None:
            self._position = positions.at(self.match)
        return self._position

    @property
    def playing(self) -> bool:
        return self.match.status == Match.Status.PLAYING

    @property
    def waiting(self) -> bool:
        return self.match.status == Match.Status.WAITING

    def expire(self) -> bool:
        """Do what is overdue at this instant, unless somebody had no means to be in time; whether something was."""
        due = self.match.noshow_at if self.waiting else self.match.deadline_at
        if not clocks.is_over(due, self.now) or liveness.outage(self.now):
            return False
        if self.waiting:
            self._close_to_absent()
        else:
            assert self.match.turn_seat is not None
            self.play(GameMove(self.match.turn_seat, self.match.deadline_verb))
        return True

    # --- Playing ----------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Everybody is here: the clocks are wound and the first deal is dealt."""
        self._seated()
        self._deal()
        self._next_turn(pause=timedelta())
        self._bump()
        self._save()

    def play(self, move: GameMove, client_id: str | None = None) -> None:
        """Make a move and all that follows from it. IllegalMove if the rules refuse it: nothing is changed then."""
        before = self.position
        progress = engine.play(before.progress, move)
        match = self.match
        same_turn = move.verb not in engine.FORFEITS | {PLAY}
        match.version += 1
        assert before.deal_id is not None
        MOVES.insert(
            Move(
                match_id=match.pk,
                deal_id=before.deal_id,
                ply=before.ply,
                version=match.version,
                text=move_text(move),
                client_id=client_id,
                played_at=self.now,
            )
        )
        self._position = replace(before, version=match.version, progress=progress, ply=before.ply + 1)
        if move.seat == match.turn_seat and match.turn_from is not None and not same_turn:
            match.clocks_ms = clocks.spend(match.clocks_ms, move.seat, match.turn_from, match.extension_ms, self.now)
        if len(progress.deals) > len(before.progress.deals):
            self._count(before.deal_id, progress)
        if progress.outcome is not None:
            self._finish(progress)
        elif progress.needs_deck:
            self._add_tie_break_share(before.progress, progress)
            self._deal()
            self._next_turn(pause=clocks.PAUSE_DEAL)
        elif not same_turn:
            self._next_turn(pause=clocks.PAUSE_TRICK if _taken(before.progress, progress) else timedelta())
        self._save()

    def arrived(self) -> None:
        """Somebody sat down; the others' pages show it."""
        self._bump()
        self._save()

    # --- What follows -----------------------------------------------------------------------------------------------

    def _seated(self) -> None:
        match = self.match
        match.status = Match.Status.PLAYING
        match.started_at = self.now
        match.noshow_at = None
        match.clocks_ms = [] if match.match_clock is None else [match.match_clock * 1000] * match.players

    def _deal(self) -> None:
        """Deal until a deal isn't void (G5). The order is stored before anybody sees a card, and never changed."""
        position = self.position
        progress, number = position.progress, position.number + (position.deal_id is not None)
        while progress.needs_deck:
            deck = shuffled()
            dealt = engine.deal(progress, deck)
            void = len(dealt.deals) > len(progress.deals)
            row = Deal.objects.create(
                match=self.match,
                number=number,
                dealer=progress.dealer,
                deck=deck_to_stored(deck),
                dealt_at=self.now,
                finished=void,
                void=void,
            )
            position = Position(self.match.version, dealt, number, row.pk, 0)
            progress, number = dealt, number + 1
        self._position = position

    def _count(self, deal_id: int, progress: Progress) -> None:
        done = progress.deals[-1]
        self.match.score_0, self.match.score_1 = progress.score
        Deal.objects.filter(pk=deal_id).update(
            finished=True, void=done.void, points_0=done.points[0], points_1=done.points[1]
        )

    def _add_tie_break_share(self, before: Progress, after: Progress) -> None:
        match = self.match
        if after.tie_break > before.tie_break and match.match_clock is not None:
            share = clocks.tie_break_share(match.match_clock, match.length_kind, match.length_value)
            match.clocks_ms = [left + share for left in match.clocks_ms]

    def _next_turn(self, pause: timedelta) -> None:
        match, seat = self.match, engine.turn(self.position.progress)
        assert seat is not None
        match.turn_seat = seat
        match.turn_from = self.now + pause
        match.extension_ms = 0
        end = clocks.deadline(match.turn_from, match.turn_timeout, match.clocks_ms[seat] if match.clocks_ms else None)
        match.deadline_at, match.deadline_verb = (end.at, end.verb) if end else (None, "")
        match.bot_due_at = clocks.house_due(match.turn_from) if match.house_seats >> seat & 1 else None

    def _finish(self, progress: Progress) -> None:
        outcome = progress.outcome
        assert outcome is not None
        match = self.match
        match.winner, match.decided_by, match.margin = outcome.winner, outcome.decided_by, outcome.margin
        match.offender = outcome.offender
        self._close()

    def _close(self) -> None:
        match = self.match
        match.status = Match.Status.FINISHED
        match.finished_at = self.now
        match.turn_seat = match.turn_from = match.deadline_at = match.noshow_at = match.bot_due_at = None
        match.deadline_verb = ""
        Seat.objects.filter(match=match).update(live=False)
        broadcast.closed(match)

    def _close_to_absent(self) -> None:
        """The no-show time is over (E9, G8): the absent line forfeits before the first card; both, if both are (K5)."""
        absent = list(Seat.objects.filter(match=self.match, arrived_at=None).values_list("number", flat=True))
        if len({number % 2 for number in absent}) == 2:
            self.match.both_forfeited = True
            self.match.decided_by = NOSHOW
            self._close()
            self._bump()
            self._save()
            return
        self._seated()
        self._deal()
        self.play(GameMove(absent[0], NOSHOW))

    # --- Writing ----------------------------------------------------------------------------------------------------

    def _bump(self) -> None:
        self.match.version += 1
        if self._position is not None:
            self._position = replace(self._position, version=self.match.version)

    def _save(self) -> None:
        MATCHES.update(self.match)
        if self._position is not None:
            positions.keep(self.match, self._position)
        positions.keep_committed(self.match, self._position)
        broadcast.changed(self.match)


WRITTEN = [
    "status", "version", "started_at", "finished_at", "clocks_ms", "turn_seat", "turn_from", "deadline_at",
    "deadline_verb", "noshow_at", "extension_ms", "bot_due_at", "score_0", "score_1", "winner", "decided_by", "margin",
    "offender", "both_forfeited",
]  # fmt: skip
MATCHES = Rows(Match, WRITTEN)
MOVES = Rows(Move)


def _taken(before: Progress, after: Progress) -> bool:
    """Whether the last play ended a trick or captured: there is something to look at."""
    piles = engine.view(before, None).piles, engine.view(after, None).piles
    return piles[0] != piles[1]
