"""Sheets of the wall screen: what a projector shows of a tournament, one after the other (O7)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.core.rows import EntryRow, FixtureRow, RoundRow, TournamentPage
from tournaments.formats import FORMATS
from tournaments.formats.protocol import FedFormat
from tournaments.models import Fixture
from tournaments.play_offs.queries import read_shown_play_offs
from tournaments.standings.explained import StandingsTable, read_final_table, read_standings_tables

IN_PLAY = (Fixture.State.READY, Fixture.State.PLAYING)
TABLES_A_SHEET, NAMES_A_SHEET, RANKS_A_SHEET, ENTRIES_A_SHEET = 10, 20, 12, 24  # rows, readable from ten metres


@dataclass(frozen=True, slots=True)
class WallSheet:
    """Sheet of the wall screen, one of ``pages`` of its kind: entries, tables, names, playoffs or ranks."""

    kind: str
    rows: Sequence[Any]
    number: int = 1
    pages: int = 1
    table: StandingsTable | None = None  # of the ranks


@dataclass(frozen=True, slots=True)
class SeatedName:
    """Entry's name and the fixture it plays in the round that is shown. Of pairs that were drawn (EV2) each of the two
    finds their own ``name``, with the other's ``mate`` beside it."""

    name: str
    fixture: FixtureRow
    mate: str = ""


def find_shown_round(page: TournamentPage) -> RoundRow | None:
    """Return the round that is being played, else the last that was published; None before the draw."""
    rounds = [row for row in page.schedule.rounds if any(fixture.first is not None for fixture in row.fixtures)]
    current = next((row for row in rounds if not row.finished), None)
    return current or (rounds[-1] if rounds else None)


def list_rounds_beside(page: TournamentPage, round_: RoundRow | None) -> list[RoundRow]:
    """Return the other rounds that are being played too, where those who lose play on beside the others (EV4)."""
    if round_ is None or round_.finished or not isinstance(FORMATS[page.header.tournament.format], FedFormat):
        return []
    later = [row for row in page.schedule.rounds if row.number > round_.number]
    return [row for row in later if any(fixture.state in IN_PLAY for fixture in row.fixtures)]


def sort_by_table(fixtures: Sequence[FixtureRow]) -> list[FixtureRow]:
    """Return fixtures in the order of waves and real tables; those without a table come last."""
    return sorted(fixtures, key=lambda row: (row.hall_table is None, row.wave or 0, row.hall_table or 0, row.board))


def build_sheets(page: TournamentPage, round_: RoundRow | None, beside: Sequence[RoundRow] = ()) -> list[WallSheet]:
    """Return the sheets in the order in which they are turned: before the draw the entries; then the round, with what
    is played ``beside`` it, by table and by name, what is played for a shared rank (EV11), and the standings once
    anybody has played."""
    if round_ is None:
        return list(_cut("entries", page.entries.rows, ENTRIES_A_SHEET))
    others = [fixture for row in beside for fixture in row.fixtures if fixture.state in IN_PLAY]
    fixtures = [*(fixture for fixture in round_.fixtures if fixture.first is not None), *others]
    tables = sort_by_table(fixtures)
    names = [
        seated
        for fixture in fixtures
        for side in (fixture.first, fixture.second)
        if side is not None
        for seated in _list_seated(side, fixture, apart=page.header.tournament.entry_kind.is_drawn_pair)
    ]
    names.sort(key=lambda seated: seated.name.casefold())
    sheets = [*_cut("tables", tables, TABLES_A_SHEET)]
    if not round_.finished:
        sheets += _cut("names", names, NAMES_A_SHEET)
    running = [one for one in read_shown_play_offs(page.header.tournament) if not one.plan.over]
    sheets += _cut("playoffs", [match for one in running for match in one.matches if match.ready], TABLES_A_SHEET)
    final = read_final_table(page) if page.header.tournament.state == "finished" else None
    for table in (final,) if final is not None else read_standings_tables(page):
        if any(row.played for row in table.rows):
            sheets += _cut("ranks", table.rows, RANKS_A_SHEET, table)
    return sheets


def _list_seated(entry: EntryRow, fixture: FixtureRow, *, apart: bool) -> list[SeatedName]:
    """Return an entry by its name; of a pair that was drawn each of the two ``apart`` (EV2)."""
    names = [name for name, _page in entry.linked]
    if not apart or len(names) < 2:
        return [SeatedName(entry.name, fixture)]
    return [SeatedName(names[0], fixture, names[1]), SeatedName(names[1], fixture, names[0])]


def _cut(kind: str, rows: Sequence[Any], size: int, table: StandingsTable | None = None) -> Iterator[WallSheet]:
    pages = -(-len(rows) // size)
    for number in range(pages):
        yield WallSheet(kind, rows[number * size : (number + 1) * size], number + 1, pages, table)
