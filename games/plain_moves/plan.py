"""Plans of plain moves: all that a move writes, worked out on the match as this process knows it, without a query.

A plan decides nothing new: it runs the same code as the long way, on a copy. What it was made on may be out of date:
it holds only if the row is still at the revision it was made at, which whoever writes it makes sure of.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, NoReturn

from games import clocks, match_cache
from games.clocks import Now
from games.engine.game import IllegalMove
from games.engine.record import parse_move
from games.locked_match import PLAY, LockedMatch
from games.locked_row import MoveRow
from games.match_cache import CommittedMatch, Position
from games.models import Match
from games.services.errors import ActionRefused
from games.services.playing import choose_moves, join_calls_and_card

# The columns that a plain move may change.
CHANGED = (
    "version", "revision", "clocks_ms", "turn_seat", "turn_from", "deadline_at", "deadline_verb", "extension_ms",
    "bot_due_at", "beginners",
)  # fmt: skip


class MoveRequest(NamedTuple):
    """A move as a socket asks for it: the arguments of ``play_move``."""

    public_id: str
    match_id: int
    seat: int
    control: str
    text: str
    client_id: str
    version: int
    calls: Sequence[str] | None = None


@dataclass(slots=True, repr=False)
class MovePlan:
    """A plain move and the match after it. ``made_at``: seconds of a clock that only ever grows."""

    request: MoveRequest
    match: Match
    position: Position
    move: MoveRow
    made_at: float = field(default_factory=time.monotonic)

    @property
    def revision_before(self) -> int:
        """The revision at which the row must still be."""
        return self.match.revision - 1

    @property
    def after(self) -> CommittedMatch:
        """The match as it stands once the plan is committed."""
        return CommittedMatch(self.match, self.position)


class NotPlain(Exception):
    """A move that writes more than its own row and the match's."""


class PlannedMatch(LockedMatch):
    """A copy of a match, held by nobody: what would need the database isn't plain."""

    def __init__(self, committed: CommittedMatch, now: Now) -> None:
        super().__init__(match_cache.copy_row(committed.match), clocks.read_instant(now))
        self._position = committed.position

    def plan(self, request: MoveRequest) -> MovePlan:
        """Return what was played as a plan. NotPlain if it was more than one move."""
        if self._position is None or len(self._rows) != 1:
            raise NotPlain
        return MovePlan(request, self.match, self._position, self._rows[0])

    def _count(self, *_: object) -> NoReturn:
        raise NotPlain

    def _deal(self, *_: object) -> NoReturn:
        raise NotPlain

    def _close(self) -> NoReturn:
        raise NotPlain

    def _save(self) -> None:
        """Raise the revision. It is written by whoever has the plan."""
        self.match.revision += 1


def plan_move(request: MoveRequest, now: Now) -> MovePlan | None:
    """Plan a move; None where it isn't plain, may not be made, or can't be judged from memory: the long way says."""
    committed = match_cache.find_committed(request.public_id)
    if committed is None or committed.position is None or committed.match.version != request.version:
        return None
    seat = request.seat
    try:
        move = parse_move(f"{seat} {request.text}")
        if move.verb != PLAY or request.calls:
            return None
        table = PlannedMatch(committed, now)
        if table.match.taken_over >> seat & 1:
            return None
        if table.match.opening_until is not None or clocks.is_over(table.match.deadline_at, table.now):
            return None
        chosen_calls = None if request.calls is None else ()
        moves = choose_moves(table, seat, partial(join_calls_and_card, move, chosen_calls), request.control)
        table.play(moves, request.client_id)
        return table.plan(request)
    except (NotPlain, ActionRefused, IllegalMove):
        return None
