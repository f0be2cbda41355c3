"""What a tournament's page shows, as tables for spreadsheets and programs, and as entries of a calendar.

Exactly what a visitor without an account may see, and nothing of a running deal; whoever hasn't confirmed a pair is not
in it, nor any link's token. Texts are lines without anything that can't be seen (``clean_line``): no file format's
control characters come from a name. How a file is written is the views'.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from players.models import Player
from players.text import clean_line
from tournaments import sentences, words
from tournaments.models import EntryMember, Fixture, Tournament
from tournaments.selectors.explained import tables
from tournaments.selectors.pages import page
from tournaments.selectors.shown import Line, StandingRow, TournamentPage

State = Tournament.State
Code = str | int | dict[str, str | int | None] | None
SHOWN = (State.OPEN, State.CHECKIN, State.RUNNING, State.FINISHED, State.CANCELLED)
LASTS = timedelta(hours=2)  # what a calendar keeps free where nobody knows yet


@dataclass(frozen=True, slots=True)
class Coded:
    """A value that programs read as ``code``, the same in every language, and people as ``text``, in theirs."""

    code: Code
    text: str | int


Cell = str | int | bool | Coded | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table. ``columns`` are keys, the same in every language; each row has one value a column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def records(self) -> list[dict[str, Code]]:
        """Return a row as programs read it: keys and codes, no word of any language."""
        codes = ([cell.code if isinstance(cell, Coded) else cell for cell in row] for row in self.rows)
        return [dict(zip(self.columns, row, strict=True)) for row in codes]

    def texts(self) -> list[list[str | int | bool | None]]:
        """Return the rows as people read them, in the language of the moment."""
        return [[cell.text if isinstance(cell, Coded) else cell for cell in row] for row in self.rows]


def _name(line: Line | None) -> str | None:
    return None if line is None else clean_line(line.name)


def _pair(values: tuple[int, int] | None) -> tuple[int | None, int | None]:
    return (None, None) if values is None else values


def _side(line: int | None) -> Coded | None:
    return None if line is None else Coded(line, line + 1)


def _why(row: StandingRow) -> Coded | None:
    """Return what put the entry before the next one, as the API has it; people read it once something was played."""
    why = row.separation
    if why is None:
        return None
    text = clean_line(sentences.reason(why)) if row.played else ""
    return Coded({"code": why.code, "own": why.own, "next": why.next}, text)


def entries(shown: TournamentPage) -> Sheet:
    """Who takes part, by seed after the draw."""
    columns = ("number", "seed", "name", "group", "house", "guest", "confirmed", "withdrawn")
    rows = (
        (number, line.seed, _name(line), line.group, line.house, line.guest, not line.pending, line.withdrawn)
        for number, line in enumerate(shown.entries, start=1)
    )
    return Sheet(columns, tuple(rows))


def fixtures(shown: TournamentPage) -> Sheet:
    """Return every fixture with its result. ``winner`` and ``forfeit`` are 0 (first) or 1 (second) as in the API;
    people read 1 or 2, as first and second stand in the row."""
    columns = (
        "round", "round_name", "group", "board", "first", "second", "state", "points_first", "points_second",
        "mp_first", "mp_second", "vp_first", "vp_second", "winner", "forfeit", "double_forfeit", "annulled", "decided",
        "match",
    )  # fmt: skip
    rows = (
        (
            f.round,
            Coded(round_.name, words.round_name(round_.name, f.round)),
            f.group,
            f.board,
            _name(f.first),
            _name(f.second),
            Coded(f.state, words.fixture_state(f.state)),
            *_pair(f.points),
            *_pair(f.mp if f.second else None),
            *_pair(f.vp if f.second else None),
            _side(f.winner),
            _side(f.forfeit_by),
            f.double_forfeit,
            f.annulled,
            Coded(f.decided_by, words.decided_by(f.decided_by)),
            f.table if f.state == Fixture.State.DONE else None,
        )
        for round_ in shown.rounds
        for f in round_.fixtures
    )
    return Sheet(columns, tuple(rows))


def standings(shown: TournamentPage) -> Sheet:
    """Ranks with what they come of; ``why`` is what put each line before the next one (R3)."""
    columns = (
        "group", "group_rank", "rank", "place", "name", "seed", "out_of_competition", "played", "won", "drawn", "lost",
        "mp", "vp", "why",
    )  # fmt: skip
    in_group = {row.line.entry_id: row.rank for table in tables(shown) if table.group is not None for row in table.rows}
    rows = (
        (
            row.line.group,
            in_group.get(row.line.entry_id),
            row.rank,
            row.place,
            _name(row.line),
            row.line.seed,
            row.out_of_competition,
            row.played,
            row.won,
            row.drawn,
            row.lost,
            row.mp,
            row.vp,
            _why(row),
        )
        for row in shown.standings
    )
    return Sheet(columns, tuple(rows))


SHEETS = {"iscritti": entries, "incontri": fixtures, "classifica": standings}
KEYS = {"iscritti": "entries", "incontri": "fixtures", "classifica": "standings"}


def sheet(tournament: Tournament, what: str) -> Sheet:
    """One of ``SHEETS``, as a visitor may see it."""
    return SHEETS[what](page(tournament, None))


def about(tournament: Tournament) -> dict[str, Any]:
    """The tournament itself, as a program reads it beside a table."""
    return {
        "id": tournament.public_id,
        "name": clean_line(tournament.name),
        "state": tournament.state,
        "format": tournament.format,
        "ruleset": tournament.ruleset,
        "length": {"kind": tournament.length_kind, "value": tournament.length_value},
        "starts_at": tournament.starts_at,
        "drawn_at": tournament.drawn_at,
        "finished_at": tournament.finished_at,
        "time_zone": tournament.time_zone,
        "version": tournament.version,
    }


# --- Calendars -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Happening:
    """An entry of a calendar. ``uid`` never changes; ``sequence`` grows with every change of the tournament."""

    uid: str
    sequence: int
    starts: datetime
    ends: datetime
    title: str
    tournament: Tournament
    cancelled: bool = False
    tentative: bool = False


def happenings_of(tournament: Tournament) -> list[Happening]:
    """A tournament's own calendar: when it starts, and the rounds that have an hour (R6). One that starts when it is
    full has none before its draw."""
    found = _start(tournament)
    own = [] if found is None else [found]
    for round_ in page(tournament, None).rounds:
        if round_.opens_at is not None:
            own.append(
                Happening(
                    f"torneo-{tournament.public_id}-turno-{round_.number}@smazzata",
                    tournament.version,
                    round_.opens_at,
                    round_.opens_at + _round_lasts(tournament),
                    clean_line(f"{tournament.name}: {words.round_name(round_.name, round_.number)}"),
                    tournament,
                    cancelled=tournament.state == State.CANCELLED,
                )
            )
    return own


def happenings_for(player: Player) -> list[Happening]:
    """A player's own calendar: every tournament he is entered in, and his fixtures that have an hour, over or not."""
    members = EntryMember.objects.filter(player=player, tournament__state__in=SHOWN)
    rows = list(members.select_related("tournament", "entry").order_by("-tournament_id")[:200])
    found: list[Happening] = []
    for row in rows:
        start = _start(row.tournament, tentative=not row.entry.approved or row.entry.waiting_since is not None)
        if start is not None:
            found.append(start)
    found += _own_fixtures([row.entry_id for row in rows], {row.entry_id: row.tournament for row in rows})
    return found


def _own_fixtures(entry_ids: Sequence[int], of: Mapping[int, Tournament]) -> list[Happening]:
    """Fixtures whose round has an hour of its own (R6): the others are played as soon as they can be."""
    dated = Fixture.objects.filter(round__opens_at__isnull=False).select_related("round")
    found = [*dated.filter(first__in=entry_ids), *dated.filter(second__in=entry_ids)]
    out = []
    for fixture in found:
        tournament = of.get(fixture.first_id or 0) or of[fixture.second_id or 0]
        starts = fixture.round.opens_at
        if starts is None or None in (fixture.first_id, fixture.second_id):
            continue
        out.append(
            Happening(
                f"incontro-{tournament.public_id}-{fixture.round.number}-{fixture.board}@smazzata",
                tournament.version,
                starts,
                starts + _round_lasts(tournament),
                clean_line(f"{tournament.name}: {words.round_name(fixture.round.name, fixture.round.number)}"),
                tournament,
                cancelled=tournament.state == State.CANCELLED or fixture.state == Fixture.State.ANNULLED,
            )
        )
    return out


def _start(tournament: Tournament, *, tentative: bool = False) -> Happening | None:
    starts = tournament.starts_at or tournament.drawn_at
    if starts is None:
        return None
    ends = tournament.finished_at
    return Happening(
        f"torneo-{tournament.public_id}@smazzata",
        tournament.version,
        starts,
        ends if ends is not None and ends > starts else starts + LASTS,
        clean_line(tournament.name),
        tournament,
        cancelled=tournament.state == State.CANCELLED,
        tentative=tentative,
    )


def _round_lasts(tournament: Tournament) -> timedelta:
    return timedelta(minutes=tournament.round_minutes or 60)


__all__ = [
    "KEYS",
    "SHEETS",
    "Happening",
    "Sheet",
    "about",
    "clean_line",
    "happenings_for",
    "happenings_of",
    "sheet",
]
