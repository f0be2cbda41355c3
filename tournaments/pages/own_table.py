"""The reader's open table as the tournament's page calls them to it (W1, G8). It never writes."""

from dataclasses import dataclass
from datetime import datetime

from games.models import Seat
from players.services.open_tables import OpenTable
from tournaments.core.rows import EntryRow, FixtureRow, RoundRow, TournamentPage


@dataclass(frozen=True, slots=True)
class OwnTable:
    """The reader's open table of this tournament, and who meets them there."""

    public_id: str
    round: RoundRow | None
    fixture: FixtureRow | None
    opponent: EntryRow | None
    opponent_came: bool
    awaited: bool  # the reader hasn't been there yet
    until: datetime | None  # when they lose, if they don't come
    seconds: int  # that they had from the beginning


def read_own_table(shown: TournamentPage, open_table: OpenTable | None) -> OwnTable | None:
    """Return the reader's open table of this tournament; None where none is open. One query."""
    public_id = shown.viewer.my_table
    if public_id is None:
        return None
    part = shown.schedule.part
    near = (*shown.schedule.live, *(() if part is None or part.own is None else (part.own,)))
    fixture = next((row for row in near if row.table == public_id), None)
    own = shown.viewer.own
    opponent = None if fixture is None else fixture.second if _is_side(fixture.first, own) else fixture.first
    here = open_table if open_table is not None and public_id in open_table.url else None
    return OwnTable(
        public_id=public_id,
        round=None if fixture is None else next(r for r in shown.schedule.rounds if r.number == fixture.round),
        fixture=fixture,
        opponent=opponent,
        opponent_came=opponent is not None and _has_come(public_id, opponent),
        awaited=here is not None and here.awaited,
        until=None if here is None else here.until,
        seconds=shown.header.tournament.noshow_after or 0,
    )


def _is_side(side: EntryRow | None, own: EntryRow | None) -> bool:
    return side is not None and own is not None and side.entry_id == own.entry_id


def _has_come(public_id: str, opponent: EntryRow) -> bool:
    """Tell whether all of an entry who sit at this table have come to it."""
    seats = Seat.objects.filter(match__public_id=public_id, player__in=opponent.player_ids)
    arrivals = list(seats.values_list("arrived_at", flat=True))
    return bool(arrivals) and all(arrivals)
