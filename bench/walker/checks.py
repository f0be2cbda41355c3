"""Checks after an act: what is stored is what the results give, the twin agrees, and a refusal changed nothing.

A ``Dump`` is every row that acts on tournaments may write; what the twin is told is read from it. A check that fails is
a sentence, never an exception.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from django.db import connection

from bench.walker import twin
from bench.walker.facts import Facts, Meeting, Standing
from games.models import Match, Seat
from players.models import Person
from scoring import vp
from tournaments.core import reads
from tournaments.core.draw_secret import read_drawn
from tournaments.core.result import find_length
from tournaments.formats import FORMATS
from tournaments.models import (
    Entry,
    EntryMember,
    Fixture,
    ForbiddenPairing,
    Invitee,
    LateRequest,
    LineUp,
    LogEntry,
    NameClaim,
    Payment,
    PlayInvitation,
    Referee,
    Round,
    RoundBye,
    RoundClock,
    ScoreSlip,
    ToldResult,
    Tournament,
    TournamentPoints,
)
from tournaments.rankings.points import find_point_differences
from tournaments.running.recompute import find_differences

Row = dict[str, Any]  # of a table, by column, as the database has it
Dump = Mapping[str, list[tuple[Any, ...]]]  # by table
MODELS = (
    Tournament, Entry, EntryMember, Person, Round, Fixture, RoundClock, RoundBye, ForbiddenPairing, LineUp, ScoreSlip,
    LateRequest, LogEntry, NameClaim, Payment, PlayInvitation, Invitee, Referee, ToldResult, TournamentPoints, Match,
    Seat,
)  # fmt: skip
OPEN = {str(state) for state in Fixture.OPEN}
COUNTED = {"tournaments_scoreslip": ("wrong",)}  # a wrong code is counted though it is refused


@cache
def _list_columns(model: Any) -> tuple[str, ...]:
    table = model._meta.db_table
    return tuple(field.column for field in model._meta.concrete_fields if field.column not in COUNTED.get(table, ()))


@cache
def _make_query(model: Any) -> str:
    quote = connection.ops.quote_name
    return f"SELECT {', '.join(map(quote, _list_columns(model)))} FROM {quote(model._meta.db_table)} ORDER BY 1"


def dump() -> Dump:
    """Return all rows of tournaments and their tables: there is one tournament."""
    rows: dict[str, list[tuple[Any, ...]]] = {}
    with connection.cursor() as cursor:
        for model in MODELS:
            cursor.execute(_make_query(model))
            rows[model._meta.db_table] = list(cursor.fetchall())
    return rows


def read_rows(dumped: Dump, model: Any) -> list[Row]:
    """Return the rows of a model in a dump."""
    columns = _list_columns(model)
    return [dict(zip(columns, row, strict=True)) for row in dumped[model._meta.db_table]]


def find_changes(before: Dump, after: Dump) -> list[str]:
    """Return where two dumps differ: the table, how many rows are new or gone, and what has become of one column."""
    changed = []
    for model in MODELS:
        table = model._meta.db_table
        old, new = ({row["id" if "id" in row else "fixture_id"]: row for row in read_rows(one, model)} for one in (before, after))  # fmt: skip  # noqa: E501
        columns = [
            f"{name} {old[key][name]!r} became {new[key][name]!r}"
            for key in old.keys() & new.keys()
            for name in old[key]
            if old[key][name] != new[key][name]
        ]
        if columns or old.keys() != new.keys():
            changed.append(f"{table}: {len(new.keys() - old)} new, {len(old.keys() - new)} gone; {', '.join(columns)}")
    return changed


def find_faults(tournament: Tournament, dumped: Dump, before: Facts | None) -> tuple[Facts | None, list[str]]:
    """Return what the tournament is now, as the twin sees it, and what is wrong with it."""
    faults = [f"stored isn't recomputed: {one}" for one in find_differences(tournament)]
    if tournament.drawn_at is None or tournament.state == Tournament.State.CANCELLED:
        return None, faults
    if tournament.state == Tournament.State.FINISHED:
        faults += [f"stored points aren't recomputed: {one}" for one in find_point_differences(tournament)]
    facts = read_facts(tournament, dumped)
    said = [*twin.find_faults(facts), *twin.find_new_faults(before, facts)]
    return facts, faults + [f"the twin says {one}" for one in said]


def list_namesakes(dumped: Dump) -> list[str]:
    """Return the names that several people of the tournament have."""
    playing = {row["person_id"] for row in read_rows(dumped, EntryMember)}
    people = [row for row in read_rows(dumped, Person) if row["id"] in playing]
    names = [row["typed_name"].casefold() for row in people if row["typed_name"]]
    return sorted({name for name in names if names.count(name) > 1})


def read_facts(tournament: Tournament, dumped: Dump) -> Facts:
    """Return a drawn tournament as the twin takes it."""
    entries = [row for row in read_rows(dumped, Entry) if row["seed"] is not None]
    seeds = {row["id"]: row["seed"] for row in entries}
    finished = tournament.state == Tournament.State.FINISHED
    shown = reads.read_standings(tournament, reads.read_entries(tournament)) if finished else ()
    places = {row.entry.entry_id: row for row in shown}
    rounds = {row["id"]: row for row in read_rows(dumped, Round)}
    out: dict[int, dict[int, str]] = {}
    for bye in read_rows(dumped, RoundBye):
        if bye["entry_id"] in seeds:
            out.setdefault(bye["number"], {})[seeds[bye["entry_id"]]] = bye["kind"]
    return Facts(
        format=tournament.format,
        options=tournament.format_options,
        ties=tournament.tie_break,
        equal=tournament.equal_deals,
        finished=finished,
        rounds=len(rounds),
        bye=(0, 14) if tournament.games > 1 else vp.compute_bye(tournament.ruleset, find_length(tournament)) or (0, 0),
        entries={
            row["seed"]: Standing(
                rank=row["rank"],
                place=places[row["id"]].place if finished else None,
                played=row["played"],
                won=row["won"],
                mp=row["mp"],
                vp=row["vp"],
                left_after=None if row["withdrawn_at"] is None else row["withdrawn_after"],
                group=row["group"],
                house=finished and places[row["id"]].entry.house,
            )
            for row in entries
        },
        meetings=tuple(_read_meetings(tournament, dumped, rounds, seeds)),
        out=out,
        fewest=tournament.ruleset == "tresette-a-perdere",
        clubs=_read_clubs(tournament),
        banned=bool(dumped[ForbiddenPairing._meta.db_table]),
        withheld=frozenset(row["number"] for row in rounds.values() if row["withheld"]),
        ways=frozenset(row["number"] for row in rounds.values() if row.get("way")),
    )


def _read_clubs(tournament: Tournament) -> dict[int, frozenset[int]]:
    """Return the clubs of the seeds by the log of the draw; none where places were changed by hand."""
    drawn = read_drawn(tournament)
    if drawn is None or drawn.swapped or not drawn.clubs:
        return {}
    return {seed: frozenset(drawn.clubs[number - 1]) for seed, number in enumerate(drawn.numbers, start=1)}


def _read_meetings(
    tournament: Tournament, dumped: Dump, rounds: Mapping[int, Row], seeds: Mapping[int, int]
) -> Iterator[Meeting]:
    has_vp = FORMATS[tournament.format].has_vp
    boards: dict[tuple[int, int], list[Row]] = {}
    for row in sorted(read_rows(dumped, Fixture), key=lambda row: row["part"]):
        boards.setdefault((row["round_id"], row["board"]), []).append(row)
    for tables in boards.values():
        one = next((table for table in tables if table["state"] != Fixture.State.ANNULLED), tables[0])
        forfeits = _list_forfeits(tables, any_table=tournament.equal_deals)
        yield Meeting(
            round=rounds[one["round_id"]]["number"],
            board=one["board"],
            first=seeds.get(one["first_id"]),
            second=seeds.get(one["second_id"]),
            state=next((table["state"] for table in tables if table["state"] in OPEN), one["state"]),
            group=one["group"],
            over=all(table["result_at"] is not None for table in tables) and one["state"] != Fixture.State.ANNULLED,
            annulled=all(table["annulled"] for table in tables),
            winner=one["winner"] if len(tables) == 1 else _find_winner(one, forfeits),
            double=len(forfeits) == 2,
            vp=(one["vp_0"] or 0, one["vp_1"] or 0) if has_vp else (0, 0),
            mp=(one["mp_0"] or 0, one["mp_1"] or 0) if has_vp else (0, 0),
            points=_add_points(tables),
            forfeits=forfeits,
            unplayed=all(table["unplayed"] or table["annulled"] for table in tables),
            margin=None if one["forfeit_by"] is not None or one["points_0"] is None else _find_margin(one),
        )


def _list_games(table: Row) -> list[Any]:
    """Return the games of a fixture that has several, and has them written (EV1)."""
    games = table["games"]
    return (json.loads(games) if isinstance(games, str) else games) or []


def _find_margin(one: Row) -> int:
    """Return by how much a fixture was won: the games that the winner won by so much, less those lost by so much."""
    games = [game for game in _list_games(one) if game["points"] is not None]
    if not games and not _list_games(one):
        return abs(one["points_0"] - one["points_1"])
    margins = [(game["winner"], abs(game["points"][0] - game["points"][1])) for game in games]
    return sum(margin if winner == one["winner"] else -margin for winner, margin in margins)


def _is_turned(table: Row, tables: list[Row]) -> bool:
    """Tell if a second table has its seats exchanged."""
    return table is not tables[0] and table["first_id"] == tables[0]["second_id"]


def _list_forfeits(tables: list[Row], *, any_table: bool) -> frozenset[int]:
    """Return the sides that forfeited: of two tables both, with equal deals any."""
    lost = []
    for table in tables:
        if table["annulled"] and not any_table:
            continue
        own = {0, 1} if table["double_forfeit"] else {table["forfeit_by"]} - {None}
        lost.append({1 - side for side in own} if _is_turned(table, tables) else own)
    if not lost:
        return frozenset()
    return frozenset(set.union(*lost) if any_table else set.intersection(*lost))


def _find_winner(one: Row, forfeits: frozenset[int]) -> int | None:
    """Return who won two tables together."""
    if forfeits:
        return None if len(forfeits) == 2 else 1 - min(forfeits)
    mp = (one["mp_0"] or 0, one["mp_1"] or 0)
    return None if mp[0] == mp[1] else int(mp[1] > mp[0])


def _read_points(table: Row) -> tuple[int, int]:
    """Return the points of a table, of several games those of all."""
    games = _list_games(table)
    if not games:
        return table["points_0"] or 0, table["points_1"] or 0
    written = [game["points"] for game in games if game["points"] is not None]
    return sum(points[0] for points in written), sum(points[1] for points in written)


def _add_points(tables: list[Row]) -> tuple[int, int]:
    pairs = [_read_points(table) for table in tables]
    sides = [pair[::-1] if _is_turned(table, tables) else pair for pair, table in zip(pairs, tables, strict=True)]
    return sum(pair[0] for pair in sides), sum(pair[1] for pair in sides)
