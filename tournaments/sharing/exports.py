"""Tables of a tournament for other programs (W2). It never writes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction

from django.utils.translation import gettext as _

from games.engine.record import Json
from players.clean_text import clean_line
from scoring.standings import write_number
from tournaments.core import wording
from tournaments.core.order_wording import write_wins
from tournaments.core.result import NO_RESULT, GameScore
from tournaments.core.rows import EntryRow, InvitedRow, RankedEntry, TournamentPage
from tournaments.desk.game_fields import write_games
from tournaments.equal.wording import describe_share
from tournaments.formats.common.partners import LISTS
from tournaments.models import Fixture, PlayInvitation, Tournament
from tournaments.pages.tournament_page import count_held, read_page
from tournaments.play_offs.queries import read_shown_play_offs
from tournaments.standings import wording as standings_wording
from tournaments.standings.explained import read_standings_tables

State = Tournament.State
Scalar = str | int | None
Code = Scalar | Mapping[str, Scalar | Sequence[Mapping[str, Scalar]]] | Sequence[Json]
SHARED_STATES = (State.OPEN, State.CHECKIN, State.RUNNING, State.FINISHED, State.CANCELLED)


@dataclass(frozen=True, slots=True)
class Coded:
    """Value that programs read as ``code``, the same in every language, and people as ``text``, in theirs."""

    code: Code
    text: str | int


Cell = str | int | bool | Coded | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """Table of values. ``columns`` are keys, the same in every language; each row has one value a column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    headings: Mapping[str, str] = field(default_factory=dict)  # of columns that people read by another name here

    def records(self) -> list[dict[str, Code]]:
        """Return a row as programs read it: keys and codes, no word of any language."""
        codes = ([cell.code if isinstance(cell, Coded) else cell for cell in row] for row in self.rows)
        return [dict(zip(self.columns, row, strict=True)) for row in codes]

    def texts(self) -> list[list[str | int | bool | None]]:
        """Return the rows as people read them, in the language of the moment."""
        return [[cell.text if isinstance(cell, Coded) else cell for cell in row] for row in self.rows]


def _clean_name(entry: EntryRow | None) -> str | None:
    return None if entry is None else clean_line(entry.name)


def _list_people(entry: EntryRow | None) -> str | None:
    """Return who is in a pair or a team, or plays for it in a fixture (O12); None for one person: the name says it."""
    if entry is None or (len(entry.linked) < 2 and not entry.team):
        return None
    return ", ".join(clean_line(name) for name, _page in entry.linked) or None


def _split_pair(values: tuple[int, int] | None) -> tuple[int | None, int | None]:
    return (None, None) if values is None else values


def _code_reason(row: RankedEntry) -> Coded | None:
    """Return what put the entry before the next one, as the API has it; people read it once something was played."""
    why = row.separation
    if why is None:
        return None
    text = clean_line(standings_wording.describe_reason(why)) if row.played else ""
    before = [{"code": one.code, "value": write_number(one.value), "among": one.among} for one in why.before]
    own, other = write_number(why.own), write_number(why.next)
    plain = {"code": why.code, "own": own, "next": other, "among": why.among, "before": before}
    return Coded(plain, text)


def _code_share(share: Fraction | None) -> Coded | None:
    """Return a percentage as the API has it, an exact fraction; people read two decimals, half up (J10)."""
    return None if share is None else Coded(str(share), describe_share(share))


def _code_game(game: GameScore) -> Json:
    """Return a game as the API has it."""
    points = None if game.points is None else list(game.points)
    return {"points": points, "winner": game.winner, "decided_by": game.decided_by}


def export_entries(shown: TournamentPage) -> Sheet:
    """Return the entries, by seed after the draw; their people each apart, under the names that lists of people have,
    so that the file can be read in again. Where pairs are yet to be drawn also who is on which list, and who stays with
    whom (EV2)."""
    tournament, entries = shown.header.tournament, shown.entries.rows
    kind = tournament.entry_kind
    places = range(1, max([kind.seats // kind.joins, *(len(entry.persons) for entry in entries)]) + 1)
    apart = tuple(f"{what}_{place}" for place in places for what in ("person", "club"))
    team = ("team",) if kind.has_name else ()
    listed = ("list",) if kind.awaits_partner and tournament.partners == LISTS else ()
    paired = ("pair",) if kind.keeps_pairs else ()
    columns = (
        "number", "seed", "name", *team, *apart, *listed, *paired, "group", "house", "guest", "confirmed", "withdrawn",
        "people",
    )  # fmt: skip
    headings = {"name": _("Iscrizione")}
    if not tournament.takes_places:
        headings["seed"] = _("Numero del sorteggio")  # nobody's choice: not to be chosen again
    rows = (
        (
            number,
            entry.seed,
            _clean_name(entry),
            *((clean_line(entry.team),) if team else ()),
            *_list_apart(entry, len(places)),
            *((entry.side or None,) if listed else ()),
            *((entry.tie,) if paired else ()),
            entry.group,
            entry.house,
            entry.guest,
            not entry.pending,
            entry.withdrawn,
            _list_people(entry),
        )
        for number, entry in enumerate(entries, start=1)
    )
    return Sheet(columns, tuple(rows), headings)


def _list_apart(entry: EntryRow, places: int) -> Iterator[str | None]:
    """Yield the name and the club of each of an entry's people, None where there are fewer."""
    for place in range(places):
        name, club, _page = entry.persons[place] if place < len(entry.persons) else ("", "", "")
        yield clean_line(name) or None
        yield clean_line(club) or None


def export_fixtures(shown: TournamentPage) -> Sheet:
    """Return every fixture with its result. ``winner`` and ``forfeit_by`` are 0 (first) or 1 (second)."""
    columns = (
        "round", "round_name", "group", "board", "first", "second", "state", "points_first", "points_second",
        "cards_first", "cards_second", "mp_first", "mp_second", "vp_first", "vp_second", "winner", "forfeit_by",
        "double_forfeit", "annulled", "decided_by", "match", "first_people", "second_people", "wave", "hall_table",
        "part", "games",
    )  # fmt: skip
    rows = (
        (
            f.round,
            Coded(round_.name, wording.name_round(round_.name, f.round)),
            f.group,
            f.board,
            _clean_name(f.first),
            _clean_name(f.second),
            Coded(f.state, wording.name_fixture_state(f.state)),
            *_split_pair(f.points),
            *_split_pair(f.cards),
            *_split_pair(f.mp if f.second else None),
            *_split_pair(f.vp if f.second else None),
            f.winner,
            f.forfeit_by,
            f.double_forfeit,
            f.annulled,
            Coded(f.decided_by, wording.describe_decision(f.decided_by)),
            f.table if f.state == Fixture.State.DONE else None,
            _list_people(f.first),
            _list_people(f.second),
            f.wave,
            f.hall_table,
            f.part,
            Coded([_code_game(game) for game in f.result.games], write_games(f.result.games)),
        )
        for round_ in shown.schedule.rounds
        for f in round_.fixtures
    )
    return Sheet(columns, tuple(rows))


def export_standings(shown: TournamentPage) -> Sheet:
    """Return the ranks with their sums; ``why`` is the reason that put each entry before the next one (R3).

    ``rank`` and ``group_rank`` are among people, and the house has none (E8); ``overall`` counts every entry.
    ``percentage`` is the mean of the rounds with equal deals (J10), of an entry that has one; ``wins`` the matches won
    with halves, where the standings go by them (EV10).
    """
    columns = (
        "group", "group_rank", "rank", "overall", "name", "seed", "out_of_competition", "played", "won", "drawn",
        "lost", "mp", "vp", "percentage", "wins", "why",
    )  # fmt: skip
    in_group = {
        row.entry.entry_id: row.place
        for table in read_standings_tables(shown)
        if table.group is not None
        for row in table.rows
    }
    rows = (
        (
            row.entry.group,
            in_group.get(row.entry.entry_id),
            row.place,
            row.rank,
            _clean_name(row.entry),
            row.entry.seed,
            row.out_of_competition,
            row.played,
            row.won,
            row.drawn,
            row.lost,
            row.mp,
            row.vp,
            _code_share(row.percentage),
            None if row.wins is None else Coded(write_number(row.wins), write_wins(row.wins)),
            _code_reason(row),
        )
        for row in shown.standings.rows
    )
    return Sheet(columns, tuple(rows))


def export_play_offs(shown: TournamentPage) -> Sheet:
    """Return the matches of the play-offs (EV11); ``counts``: whether the one that it belongs to decides ranks."""
    columns = (
        "play_off", "rank", "counts", "round", "round_name", "board", "first", "second", "points_first",
        "points_second", "winner", "forfeit_by", "double_forfeit", "decided_by",
    )  # fmt: skip
    rows = (
        (
            play_off.plan.number,
            play_off.plan.rank,
            play_off.counts,
            round_.number,
            Coded(round_.name, wording.name_round(round_.name, round_.number)),
            match.slot.board,
            _clean_name(match.first),
            _clean_name(match.second),
            *_split_pair(result.points),
            result.winner,
            result.forfeit_by,
            result.double_forfeit,
            Coded(result.decided_by, wording.describe_decision(result.decided_by)),
        )
        for play_off in read_shown_play_offs(shown.header.tournament)
        for round_ in play_off.rounds
        for match in round_.matches
        for result in (match.result or NO_RESULT,)
    )
    return Sheet(columns, tuple(rows))


def export_invitations(invited: Sequence[InvitedRow]) -> Sheet:
    """Return the invitations with their answers (E3), for whoever runs the tournament; hours are ISO."""
    columns = ("number", "name", "kind", "outcome", "invited_at", "expires_at", "answered_at")
    kinds, outcomes = PlayInvitation.Kind, PlayInvitation.Outcome
    rows = (
        (
            number,
            clean_line(row.name),
            Coded(row.kind, str(kinds(row.kind).label)),
            Coded(row.outcome or "open", str(outcomes(row.outcome).label) if row.outcome else _("senza risposta")),
            _write_hour(row.made_at),
            _write_hour(row.until),
            _write_hour(row.ended_at),
        )
        for number, row in enumerate(invited, start=1)
    )
    return Sheet(columns, tuple(rows))


def _write_hour(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="seconds")


INVITATIONS = "inviti"  # for whoever runs the tournament
SHEETS = {
    "iscritti": export_entries,
    "incontri": export_fixtures,
    "classifica": export_standings,
    "spareggi": export_play_offs,
}
KEYS = {
    "iscritti": "entries",
    "incontri": "fixtures",
    "classifica": "standings",
    "spareggi": "play_offs",
    INVITATIONS: "invitations",
}


def export_sheet(tournament: Tournament, what: str) -> Sheet:
    """Return one of ``SHEETS``, as a visitor may see it."""
    return SHEETS[what](read_page(tournament, None))


def export_header(tournament: Tournament) -> Json:
    """Return the tournament itself, as a program reads it beside a table."""
    return {
        "public_id": tournament.public_id,
        "name": clean_line(tournament.name),
        "state": tournament.state,
        "format": tournament.format,
        "ruleset": tournament.ruleset,
        "length_kind": tournament.length_kind,
        "length_value": tournament.length_value,
        "starts_at": tournament.starts_at,
        "drawn_at": tournament.drawn_at,
        "finished_at": tournament.finished_at,
        "closed_at": tournament.closed_at,
        "time_zone": tournament.time_zone,
        "held_places": count_held(tournament),
        "version": tournament.version,
    }
