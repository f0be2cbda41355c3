"""Reads of the referee's page: tables in play, calls and reports. It never writes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet

from games import presence, reports
from games.engine.game import controlling_seat
from games.models import Match, Report, Seat
from players.models import Player
from players.web.requests import read_number
from tournaments.core.log_details import ResultActDetail, read_detail
from tournaments.core.name_search import search_entries
from tournaments.core.parts import MAX_NUMBER_DIGITS
from tournaments.core.permissions import REFEREES
from tournaments.core.reads import read_entries, read_rounds
from tournaments.core.rows import EntryRow, FixtureRow, ListPage, Replacement, RoundRow, TournamentPage
from tournaments.desk.rulings import Ruling, list_rulings
from tournaments.models import ClubMember, Fixture, LogEntry, Referee, Tournament

CALL = Report.Reason.CALL
HURRY = timedelta(seconds=30)  # with less time than that somebody should look
MAX_SHOWN = 30  # incidents, reports
IN_PLAY = (Fixture.State.READY, Fixture.State.PLAYING)


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """A player at a table. ``left``: of the match clock, as their turn began; None without a match clock."""

    seat: int
    player_id: int
    name: str
    house: bool
    here: bool  # has come to the table
    away: bool  # and has no window open there now, as far as anybody knows
    turn: bool
    left: timedelta | None


@dataclass(frozen=True, slots=True)
class DeskTable:
    """A table in play. ``may``: the reader may decide there (F1); ``reads``: and look on, and read what is written."""

    fixture: FixtureRow
    round: RoundRow
    people: tuple[SeatedPlayer, ...]
    waiting: bool
    paused_at: datetime | None
    ends: datetime | None  # when the player to move, or who hasn't come, loses by time
    left: timedelta | None  # until then, where the clocks are held
    score: tuple[int, int] | None  # None: it is withheld (J12)
    deals: int  # played to their end
    calls: tuple[Report, ...]  # that nobody has seen to
    may: bool
    reads: bool
    urgent: bool


@dataclass(frozen=True, slots=True)
class DeskPart:
    """The shown part of a big tournament: a page of its tables and of a round's fixtures, the entries found by name.

    ``turn`` has the shown fixtures alone; ``entries`` is None where no name was asked for.
    """

    tables: ListPage
    turn: RoundRow
    fixtures: ListPage
    entries: ListPage | None
    replaced: tuple[Replacement, ...] = ()  # who went, among those of the name that was asked for


@dataclass(frozen=True, slots=True)
class Desk:
    """The referee's page. Of a big tournament ``rounds`` have no fixtures, and ``entries`` are those found by name."""

    tournament: Tournament
    tables: tuple[DeskTable, ...]  # what wants somebody first
    rounds: tuple[RoundRow, ...]
    entries: tuple[EntryRow, ...]
    incidents: tuple[FixtureRow, ...]  # forfeits, the last first
    reports: tuple[Report, ...]  # what was reported, and calls seen to or whose match is over; the last first
    rulings: tuple[Ruling, ...]
    plays: bool  # the reader is entered too
    calls: int
    part: DeskPart | None = None  # what is shown of a big tournament; None: all of it

    @property
    def current_rounds(self) -> tuple[int, ...]:
        """The numbers of the first round that isn't over, and of later ones that are played beside it (EV4)."""
        left = [row for row in self.rounds if not row.finished]
        return tuple(
            row.number for row in left if row is left[0] or any(fixture.state in IN_PLAY for fixture in row.fixtures)
        )

    @property
    def table_count(self) -> int:
        """The tables in play, of which a big tournament's page shows some."""
        return len(self.tables) if self.part is None else self.part.tables.total


def read_desk(tournament: Tournament, player: Player, now: datetime) -> Desk:
    """Read everything the referee's page shows, in a number of queries that doesn't grow with the tables."""
    by_id = read_entries(tournament)
    all_rounds = read_rounds(tournament, by_id, player)
    rows = [(round_, fixture) for round_ in all_rounds for fixture in round_.fixtures]
    plays = any(player.pk in entry.player_ids for entry in by_id.values()) or any(row.mine for _round, row in rows)
    reports = read_reports(tournament)
    calls = group_calls(reports)
    matches = {match.fixture.pk: match for match in select_open_matches(tournament)}
    gone = find_absent(matches.values())
    tables = [
        make_table(round_, fixture, matches[fixture.id], calls, gone, plays=plays, now=now)
        for round_, fixture in rows
        if fixture.live and fixture.id in matches
    ]
    forfeited = [fixture for _round, fixture in rows if fixture.forfeit_by is not None or fixture.double_forfeit]
    readable = [report for report in reports if not plays or is_readable(report)]
    return Desk(
        tournament=tournament,
        tables=tuple(sorted(tables, key=lambda table: (not table.calls, not table.urgent))),
        rounds=all_rounds,
        entries=tuple(by_id.values()),
        incidents=tuple(reversed(forfeited))[:MAX_SHOWN],
        reports=tuple(report for report in readable if not waits_at_table(report))[:MAX_SHOWN],
        rulings=list_rulings(tournament, by_id.values()),
        plays=plays,
        calls=sum(len(table.calls) for table in tables),
    )


def narrow_desk(desk: Desk, name: str) -> Desk:
    """Return the page with only the tables and fixtures of entries with that name, or with that number."""
    if not name:
        return desk
    named = set(search_entries(desk.tournament, name)[0].values_list("pk", flat=True))
    number = read_number(name, None, digits=MAX_NUMBER_DIGITS)

    def is_found(row: FixtureRow) -> bool:
        return number == (row.hall_table or row.board) or any(
            side.entry_id in named for side in (row.first, row.second) if side
        )

    rounds = (replace(row, fixtures=tuple(filter(is_found, row.fixtures))) for row in desk.rounds)
    tables = tuple(table for table in desk.tables if is_found(table.fixture))
    return replace(desk, tables=tables, rounds=tuple(row for row in rounds if row.fixtures))


def read_fixture_table(
    tournament: Tournament, fixture: Fixture, row: FixtureRow, *, plays: bool, now: datetime
) -> DeskTable | None:
    """Return the table in play of one fixture, with its running clocks; None where there is none."""
    matches = list(select_open_matches(tournament).filter(fixture=fixture))
    if not matches:
        return None
    round_ = RoundRow(fixture.round.number, fixture.round.name, fixture.round.finished, (), fixture.round.opens_at)
    calls = group_calls(read_reports(tournament))
    return make_table(round_, row, matches[0], calls, find_absent(matches), plays=plays, now=now)


def waits_at_table(report: Report) -> bool:
    """Tell if a call is still open: nobody has seen to it, and the match isn't over."""
    return report.reason == CALL and report.seen_at is None and report.match.status != Match.Status.FINISHED


def is_readable(report: Report) -> bool:
    """Tell if a referee who plays in the tournament may read a report, which may tell of cards (N2, J12)."""
    return report.match.status == Match.Status.FINISHED and report.match.is_shown


def select_open_matches(tournament: Tournament) -> QuerySet[Match]:
    """Return the matches in play, with their seats, and as ``played`` how many deals are over."""
    playing = Match.objects.filter(fixture__round__tournament=tournament, fixture__state=Fixture.State.PLAYING).exclude(
        status=Match.Status.FINISHED
    )
    played = Count("deals", filter=Q(deals__finished=True, deals__void=False))
    return playing.annotate(played=played).select_related("fixture").prefetch_related("seats__player")


def find_absent(matches: Iterable[Match]) -> set[presence.Place]:
    """Return the places at these tables where nobody has a window open, as far as anybody knows."""
    seats = {(match.pk, seat.number) for match in matches for seat in match.seats.all()}
    present_players = presence.find_present(seats)
    return set() if present_players is None else seats - present_players


def group_calls(reports: Iterable[Report]) -> dict[int, list[Report]]:
    """Return the calls that nobody has seen to, by match."""
    calls: dict[int, list[Report]] = {}
    for report in reports:
        if report.reason == CALL and report.seen_at is None:
            calls.setdefault(report.match_id, []).append(report)
    return calls


def read_reports(tournament: Tournament) -> list[Report]:
    """Return calls and reports of its tables, the last first; also of tables that a replay replaced."""
    about = Q(match__fixture__round__tournament=tournament)
    replays = LogEntry.objects.filter(tournament=tournament, code="ruling_replay")
    names = [table for entry in replays if (table := read_detail(entry, ResultActDetail).table)]
    if names:
        about |= Q(match__public_id__in=names)
    reports = Report.objects.filter(about).select_related("match", "reporter", "about", "seen_by")
    return list(reports.order_by("-pk")[: 10 * MAX_SHOWN])


def make_table(
    round_: RoundRow,
    row: FixtureRow,
    match: Match,
    calls: dict[int, list[Report]],
    gone: set[presence.Place],
    *,
    plays: bool,
    now: datetime,
) -> DeskTable:
    waiting = match.status == Match.Status.WAITING
    ends = match.noshow_at if waiting else match.deadline_at
    left = None if ends is None or match.paused_at is None else max(timedelta(), ends - match.paused_at)
    people = tuple(_make_player(match, seat, (match.pk, seat.number) in gone) for seat in match.seats.all())
    called = tuple(calls.get(match.pk, ()))
    away = any(person.turn and person.away if person.here else waiting for person in people)
    late = match.paused_at is None and ends is not None and ends - now < HURRY and not waiting
    return DeskTable(
        fixture=row,
        round=round_,
        people=people,
        waiting=waiting,
        paused_at=match.paused_at,
        ends=None if match.paused_at is not None else ends,
        left=left,
        score=match.score,
        deals=match.played,  # type: ignore[attr-defined]  # annotated above
        calls=called,
        may=not row.mine,
        reads=not plays and match.is_shown,
        urgent=bool(called) or match.paused_at is not None or away or late,
    )


def _make_player(match: Match, seat: Seat, gone: bool) -> SeatedPlayer:
    left = None
    if match.clocks_ms:
        left = timedelta(seconds=match.clocks_ms[seat.number] // 1000)
    turn = match.turn_seat is not None and controlling_seat(match.turn_seat, match.players) == seat.number
    return SeatedPlayer(
        seat=seat.number,
        player_id=seat.player_id,
        name=seat.player.name,
        house=seat.player.is_house,
        here=seat.arrived_at is not None,
        away=gone and seat.arrived_at is not None and not seat.player.is_house,
        turn=turn,
        left=left,
    )


def list_referee_ids(tournament: Tournament) -> set[int]:
    """Return the ids of the players who referee it (F1), for a call to reach them."""
    referees = {
        tournament.organiser_id,
        *Referee.objects.filter(tournament=tournament).values_list("player_id", flat=True),
    }
    if tournament.club_id is not None:
        members = ClubMember.objects.filter(club=tournament.club_id, confirmed=True, role__in=REFEREES)
        referees.update(members.values_list("player_id", flat=True))
    return referees


def has_referee(table: str) -> bool:
    """Tell if somebody answers a call from the table of that public id: one of a tournament that isn't the house's."""
    fixtures = Fixture.objects.filter(match__public_id=table, round__tournament__state=Tournament.State.RUNNING)
    tournament = Tournament.objects.filter(rounds__fixtures__in=fixtures).select_related("organiser").first()
    if tournament is None:
        return False
    return not tournament.organiser.is_house or len(list_referee_ids(tournament)) > 1


def list_seats(fixture: Fixture) -> Sequence[Seat]:
    """Return the seats of a fixture's table, with their players."""
    return (
        [] if fixture.match_id is None else list(Seat.objects.filter(match=fixture.match_id).select_related("player"))
    )


def list_reports(tournament: Tournament, page: TournamentPage, *, staff: bool) -> list[Report]:
    """Return the reports from its tables, for its referees and the site's staff.

    A referee who plays in it reads of a table only when it is over: a report may tell of cards (N2).
    """
    if not page.viewer.is_referee and not staff:
        return []
    tables = Match.objects.filter(fixture__round__tournament=tournament)
    if page.viewer.entered:
        tables = tables.in_the_open().filter(status=Match.Status.FINISHED)
    return reports.list_reports(tables.values_list("pk", flat=True))
