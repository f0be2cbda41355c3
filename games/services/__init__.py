"""Everything that changes a table: open, arrive, take control, play, abandon, and whatever is due.

Each call is one transaction that holds the match's row. ``now`` is an instant, or the clock to read once the lock is
held (production passes ``timezone.now``): one instant decides, so a turn ends by its move or by its timeout, never by
both. Who may sit where is settled before a match is opened; the rules of the game are the engine's.
"""

from games.services.due import settle, settle_result
from games.services.judging import forfeit, give_time, pause, resume, stop
from games.services.playing import Ack, abandon, play_house_move, play_move
from games.services.preferences import choose_automatic, follow_preference
from games.services.refusals import (
    CallsOpen,
    Finished,
    GoesWithCard,
    NotConfirmed,
    NothingToGive,
    NotSeated,
    NotStarted,
    Paused,
    Refused,
    Replaced,
    SeatTaken,
    Stale,
    WindowOver,
)
from games.services.seating import arrive, claim_seat, open_match

__all__ = [
    "Ack",
    "CallsOpen",
    "Finished",
    "GoesWithCard",
    "NotConfirmed",
    "NotSeated",
    "NotStarted",
    "NothingToGive",
    "Paused",
    "Refused",
    "Replaced",
    "SeatTaken",
    "Stale",
    "WindowOver",
    "abandon",
    "arrive",
    "choose_automatic",
    "claim_seat",
    "follow_preference",
    "forfeit",
    "give_time",
    "open_match",
    "pause",
    "play_house_move",
    "play_move",
    "resume",
    "settle",
    "settle_result",
    "stop",
]
