"""The row of a match that one transaction holds, with the moves it is about to write; and how both are written.

It decides nothing: what becomes of a match is ``locked_match``'s. What it tells others, it tells after the commit.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from games import broadcast, clocks, match_cache, metrics
from games.clocks import Now
from games.match_cache import Position
from games.models import Match, Move
from games.prepared_sql import PreparedSql


@dataclass(slots=True)
class MoveRow:
    """A move of the record to be written, by the columns of ``Move``."""

    match_id: int
    deal_id: int
    ply: int
    version: int
    text: str
    played_at: datetime
    client_id: str | None = None
    undone_at: datetime | None = None


class LockedRow:
    """Row of a match that this transaction holds, at one instant, taken once the lock was held."""

    def __init__(self, match: Match, now: datetime) -> None:
        self.match = match.with_results()
        self.now = now
        self._position: Position | None = None
        self._rows: list[MoveRow] = []  # the moves made, to be written in one statement

    @classmethod
    def lock(cls, match_id: int, now: Now) -> Self:
        """Take the row's lock, waiting for it. Raises Match.DoesNotExist."""
        match = MATCHES.lock(match_id)
        if match is None:
            raise Match.DoesNotExist
        return cls(match, clocks.read_instant(now))

    @classmethod
    def lock_if_free(cls, match_id: int, now: Now) -> Self | None:
        """Take the row's lock; None if another transaction has it (PostgreSQL; SQLite waits)."""
        match = MATCHES.lock(match_id, skip_locked=True)
        return None if match is None else cls(match, clocks.read_instant(now))

    @property
    def position(self) -> Position:
        if self._position is None:
            self._position = match_cache.load_position(self.match)
        return self._position

    @property
    def playing(self) -> bool:
        return self.match.status == Match.Status.PLAYING

    @property
    def waiting(self) -> bool:
        return self.match.status == Match.Status.WAITING

    def _changed(self) -> None:
        """Write a new version that is no move, for everybody at the table."""
        if self.playing:
            self._position = self.position  # it is kept, at the new version
        self._bump()
        self._save()

    def _bump(self) -> None:
        self.match.version += 1
        if self._position is not None:
            self._position = replace(self._position, version=self.match.version)

    def _save(self) -> None:
        if self._rows:
            MOVES.insert(*self._rows)
            metrics.MOVES.inc(len(self._rows))
            self._rows = []
        self._write()
        if self._position is not None:
            match_cache.keep_position(self.match, self._position)
        match_cache.keep_committed(self.match, self._position)
        broadcast.publish_change(self.match)

    def _write(self) -> None:
        """Write the row, at a new revision."""
        self.match.revision += 1
        MATCHES.update(self.match)


WRITTEN = [
    "status", "version", "revision", "started_at", "finished_at", "clocks_ms", "turn_seat", "turn_from", "deadline_at",
    "deadline_verb", "noshow_at", "extension_ms", "bot_due_at", "score_0", "score_1", "winner", "decided_by", "margin",
    "offender", "both_forfeited", "stakes_0", "stakes_1", "opening_until", "by_hand",
    "paused_at", "stopped_at", "controls", "taken_over", "given_up", "beginners", "first_dealer",
    "mixing_until",
]  # fmt: skip
MATCHES = PreparedSql(Match, WRITTEN).with_results()
MOVES = PreparedSql(Move)
