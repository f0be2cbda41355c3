"""The part of a big tournament that the referee's page shows: so many tables and fixtures, and entries found by name.

As much is read for any field. Tables that wait for somebody, are suspended, near their time or called stand first; a
player who lost the connection is seen on the page of that table, which moves up as the time runs out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from django.db.models import Case, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When

from games.models import Match, Report
from players.models import Player
from players.web.requests import read_number
from tournaments.core import reads
from tournaments.core.card_points import read_card_points
from tournaments.core.name_search import search_entries
from tournaments.core.parts import MAX_NUMBER_DIGITS, choose_round, cut_sheet
from tournaments.core.rows import EntryRow, FixtureRow, PageRequest, RoundRow
from tournaments.core.visibility import plays_in
from tournaments.desk.queries import (
    CALL,
    HURRY,
    MAX_SHOWN,
    Desk,
    DeskPart,
    DeskTable,
    find_absent,
    group_calls,
    is_readable,
    make_table,
    read_reports,
    select_open_matches,
    waits_at_table,
)
from tournaments.desk.rulings import list_rulings
from tournaments.models import Entry, Fixture, LineUp, Round, Tournament
from tournaments.querysets import EntryQuerySet

AT_ONCE = 32  # tables, fixtures, entries


def read_desk_part(
    tournament: Tournament,
    player: Player,
    wanted: PageRequest,
    now: datetime,
    *,
    tables_page: int = 1,
    only_urgent: bool = False,
    chosen: Iterable[int] = (),
) -> Desk:
    """Return the page as ``wanted`` asks for it; ``chosen``: entries to read besides those found by name."""
    named, replaced = search_entries(tournament, wanted.name)
    matches = select_open_matches(tournament).filter(_match_name(wanted.name, named, "fixture__"))
    if only_urgent:
        matches = matches.filter(Q(_is_called()) | _is_urgent(now))
    tables, tables_cut = cut_sheet(matches.count(), AT_ONCE, replace(wanted, number=tables_page))
    shown = list(matches.order_by(_sort_urgent(now), "fixture__round__number", "fixture__board")[tables_cut])
    rounds = [
        RoundRow(row.number, row.name, row.finished, (), row.opens_at)
        for row in Round.objects.filter(tournament=tournament).order_by("number")
    ]
    turn = choose_round(rounds, wanted)
    all_ = Fixture.objects.of(tournament).select_related("round", "match")
    listed = all_.filter(round__number=turn.number, first__isnull=False, second__isnull=False)
    listed = listed.filter(_match_name(wanted.name, named))
    fixtures, cut = cut_sheet(listed.count(), AT_ONCE, wanted)
    page = list(listed.order_by("board")[cut])
    known = all_.in_the_open()
    forfeits = known.filter(Q(forfeit_by__isnull=False) | Q(double_forfeit=True))
    incidents = list(forfeits.order_by("-round__number", "-board")[:MAX_SHOWN])
    playing = list(all_.filter(pk__in=[match.fixture.pk for match in shown]))
    entries = named.drawn() if wanted.name else None
    by_name = [] if entries is None else list(entries[:AT_ONCE])
    entry_rows = _read_entries((*page, *incidents, *playing), {*(entry.pk for entry in by_name), *chosen}, tournament)
    fixtures_shown = (*page, *incidents, *playing)
    line_ups = reads.group_line_ups(LineUp.objects.filter(fixture__in=fixtures_shown))
    cards = read_card_points(tournament, fixtures_shown)
    rows = {
        fixture.pk: reads.make_fixture_row(fixture, entry_rows, line_ups, player, cards) for fixture in fixtures_shown
    }
    listed_ids = dict.fromkeys([*(entry.pk for entry in by_name), *chosen])
    plays = plays_in(tournament, player)
    reports = read_reports(tournament)
    readable = [report for report in reports if not plays or is_readable(report)]
    return Desk(
        tournament=tournament,
        tables=_make_tables(shown, rows, {row.number: row for row in rounds}, reports, plays=plays, now=now),
        rounds=tuple(rounds),
        entries=tuple(entry_rows[pk] for pk in listed_ids if pk in entry_rows),
        incidents=tuple(rows[fixture.pk] for fixture in incidents),
        reports=tuple(report for report in readable if not waits_at_table(report))[:MAX_SHOWN],
        rulings=list_rulings(tournament, entry_rows.values(), latest=MAX_SHOWN),
        plays=plays,
        calls=_unseen_calls().filter(match__in=select_open_matches(tournament).values("pk")).count(),
        part=DeskPart(
            tables=tables,
            turn=replace(turn, fixtures=tuple(rows[fixture.pk] for fixture in page)),
            fixtures=fixtures,
            entries=None if entries is None else cut_sheet(entries.count(), AT_ONCE, replace(wanted, number=1))[0],
            replaced=replaced,
        ),
    )


def _unseen_calls() -> QuerySet[Report]:
    return Report.objects.filter(reason=CALL, seen_at__isnull=True)


def _is_called() -> Exists:
    return Exists(_unseen_calls().filter(match=OuterRef("pk")))


def _is_urgent(now: datetime) -> Q:
    """Match the tables that wait for somebody, are suspended or near their time."""
    waiting = Q(status=Match.Status.WAITING)
    return waiting | Q(paused_at__isnull=False) | (~waiting & Q(deadline_at__lt=now + HURRY))


def _sort_urgent(now: datetime) -> Case:
    """Return what sorts tables: first where a referee is called, then where somebody should look."""
    first, second = When(_is_called(), then=Value(0)), When(_is_urgent(now), then=Value(1))
    return Case(first, second, default=Value(2), output_field=IntegerField())


def _match_name(name: str, named: EntryQuerySet, path: str = "") -> Q:
    """Match the fixtures of the entries ``named`` so, or with that number; all where nothing is asked for."""
    if not name:
        return Q()
    entries = named.values("pk")
    either = Q(**{f"{path}first__in": entries}) | Q(**{f"{path}second__in": entries})
    board = read_number(name, None, digits=MAX_NUMBER_DIGITS)
    if board is None:
        return either
    return either | Q(**{f"{path}table": board}) | Q(**{f"{path}board": board, f"{path}table__isnull": True})


def _read_entries(fixtures: Sequence[Fixture], entries: set[int], tournament: Tournament) -> dict[int, EntryRow]:
    sides = {side for fixture in fixtures for side in (fixture.first_id, fixture.second_id) if side is not None}
    return reads.read_entries_of(Entry.objects.filter(tournament=tournament, pk__in=sides | entries))


def _make_tables(
    matches: Sequence[Match],
    rows: dict[int, FixtureRow],
    rounds: dict[int, RoundRow],
    reports: Iterable[Report],
    *,
    plays: bool,
    now: datetime,
) -> tuple[DeskTable, ...]:
    calls, gone = group_calls(reports), find_absent(matches)
    made = [
        make_table(rounds[row.round], row, match, calls, gone, plays=plays, now=now)
        for match in matches
        for row in [rows[match.fixture.pk]]
    ]
    return tuple(sorted(made, key=lambda table: (not table.calls, not table.urgent)))
