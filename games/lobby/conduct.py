"""Conduct at the tables (U1): the matches that somebody left or let run out, and how long they seek no free match.

Nothing of it is stored: it is read from the matches, whatever their number in the same three queries. It judges nobody:
a match that a referee ended counts for nothing, nor does training, and what the line's partner did isn't one's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from games.engine.game import controlling_seat
from games.engine.match import FORFEITS
from games.locked_match import DESERTED
from games.models import Match, Move, Seat
from players import caps
from players.models import Player

DAY = timedelta(days=1)
LEAST_TOLD = 10  # matches from which on a rate is told
USUAL_RATE = 5  # per cent; whoever has no more is like everybody


@dataclass(frozen=True, slots=True)
class Conduct:
    """Latest matches of a player: how many there were, and when each ended that they quit, newest first."""

    matches: int
    quits: tuple[datetime, ...]

    @property
    def rate(self) -> int:
        """The quit rate, in whole per cent."""
        return (100 * len(self.quits) + self.matches // 2) // self.matches if self.matches else 0

    @property
    def is_telling(self) -> bool:
        """Tell whether the quit rate says something about its player, which one match doesn't."""
        return self.matches >= LEAST_TOLD and self.rate > USUAL_RATE

    def count_lately(self, now: datetime) -> int:
        """Count the matches that were quit within the last day."""
        return sum(at > now - DAY for at in self.quits)

    def find_ban(self, now: datetime) -> datetime | None:
        """Return until when there are no free seeks; None where there is no ban now."""
        if len(self.quits) < caps.QUITS_A_DAY:
            return None
        last = self.quits[0]
        until = last + caps.SEEK_BAN
        enough = self.quits[caps.QUITS_A_DAY - 1] > last - DAY
        return until if enough and now < until else None


def read_conduct(player: Player) -> Conduct:
    """Return the conduct of ``player`` in the last matches they finished (U1)."""
    ended = Q(match__stopped_at=None) | Q(match__decided_by=DESERTED)
    own = Seat.objects.filter(ended, player=player, match__status=Match.Status.FINISHED, match__training=False)
    seats = list(own.select_related("match").order_by("-match__finished_at", "-pk")[: caps.QUITS_COUNTED])
    lost = [seat.match_id for seat in seats if seat.match.offender == seat.number % 2]
    quitters = _read_quitters(lost)
    quits = [seat.match.finished_at for seat in seats if _has_quit(seat, quitters)]
    return Conduct(len(seats), tuple(at for at in quits if at is not None))


def find_seek_ban(player: Player, now: datetime) -> datetime | None:
    """Return until when ``player`` seeks no free match (U1): three left in a day close it for half an hour."""
    lately = Seat.objects.filter(player=player, match__finished_at__gt=now - DAY - caps.SEEK_BAN)
    if lately[: caps.QUITS_A_DAY].count() < caps.QUITS_A_DAY:  # most people: nothing else is read of them
        return None
    return read_conduct(player).find_ban(now)


def _has_quit(seat: Seat, quitters: Mapping[int, tuple[int, str]]) -> bool:
    """Tell whether who sat here left the match, let its time run out, or didn't come to the table; where the house
    plays for the absent, whether it was playing for them in the end."""
    match = seat.match
    if (match.taken_over | match.given_up) >> seat.number & 1:
        return True
    if match.both_forfeited:
        return seat.arrived_at is None
    if match.offender != seat.number % 2 or match.pk not in quitters:
        return False
    number, verb = quitters[match.pk]
    return seat.arrived_at is None if verb == "noshow" else controlling_seat(number, match.players) == seat.number


def _read_quitters(match_ids: list[int]) -> dict[int, tuple[int, str]]:
    """Return the seat and the verb that ended each of these matches, in one query."""
    ends = Q()
    for verb in sorted(FORFEITS):
        ends |= Q(text__endswith=f" {verb}")
    moves = Move.objects.with_results().filter(ends, match__in=match_ids)
    rows = moves.values_list("match_id", "text") if match_ids else []
    return {match_id: (int(text.split()[0]), text.split()[1]) for match_id, text in rows}
