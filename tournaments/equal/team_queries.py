"""Reads of a match of two teams at two tables with equal deals, for its page (J11): after the reveal deal by deal, what
each swings. It never writes.
"""

from dataclasses import dataclass
from typing import cast

from games.engine.game import Points
from players.models import Player
from scoring.team_match import Swing
from tournaments.core.reads import group_line_ups, make_fixture_row, read_entries_of
from tournaments.core.rows import EntryRow, FixtureRow
from tournaments.equal.team_results import TeamResult, combine_boards
from tournaments.models import Entry, Fixture, LineUp, Round, Tournament


@dataclass(frozen=True, slots=True)
class SwingRow:
    """A deal of both tables, by team: its points, and what the first team is ahead by. ``place``: of the deal in the
    records, from 1."""

    place: int
    first: Points
    second: Points
    ahead: int


@dataclass(frozen=True, slots=True)
class TeamMatch:
    """Match of two teams: its ``tables``, of which the second has its seats exchanged. ``result`` is None until both
    are over and everybody may know them; then ``rows`` are the deals that swing."""

    teams: tuple[EntryRow, EntryRow]
    tables: tuple[FixtureRow, FixtureRow]
    is_shown: bool
    result: TeamResult | None
    rows: tuple[SwingRow, ...]


def read_team_match(tournament: Tournament, round_: Round, board: int, player: Player | None) -> TeamMatch | None:
    """Return the match on a board of a round; None where no two teams meet there."""
    fixtures = list(Fixture.objects.filter(round=round_, board=board).select_related("round", "match").order_by("part"))
    if len(fixtures) != 2:
        return None
    first, second = fixtures
    ids = (cast(int, first.first_id), cast(int, first.second_id))
    entries = read_entries_of(Entry.objects.filter(pk__in=ids))
    line_ups = group_line_ups(LineUp.objects.filter(fixture__in=fixtures))
    one, other = (make_fixture_row(fixture, entries, line_ups, player) for fixture in fixtures)
    known = combine_boards(tournament, {board: (first, second)}).get(board) if round_.is_shown else None
    return TeamMatch(
        (entries[ids[0]], entries[ids[1]]),
        (one, other),
        round_.is_shown,
        known,
        () if known is None else tuple(map(_make_row, known.swings)),
    )


def _make_row(swing: Swing) -> SwingRow:
    return SwingRow(swing.number + 1, swing.first, (swing.second[1], swing.second[0]), swing.ahead)
