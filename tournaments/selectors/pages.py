"""A tournament as its page shows it: lines, rounds, standings, invitations."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from django.db.models import F

from games import reports
from games.models import Match, Report
from players.models import Player
from tournaments.formats import FORMATS
from tournaments.models import Entry, EntryMember, Fixture, LogEntry, Tournament
from tournaments.result import FixtureResult
from tournaments.selectors.places import ENTERING, refusal_to_join
from tournaments.selectors.rights import may_referee, may_run
from tournaments.selectors.shown import (
    Cell,
    CrossRow,
    FixtureRow,
    Invitation,
    Line,
    RoundRow,
    Separation,
    StandingRow,
    TournamentPage,
    Waiting,
)

State = Tournament.State


def lines(tournament: Tournament) -> dict[int, Line]:
    """Every entry that has a place, by id: by seed, before the draw in the order they came."""
    return {line.entry_id: line for line in all_lines(tournament) if line.approved and not line.waits}


def all_lines(tournament: Tournament) -> list[Line]:
    """Every entry, also who waits for a place or an answer: by seed, the waiting list by who came first."""
    members: dict[int, list[EntryMember]] = {}
    rows = tournament.members.select_related("player", "entry")
    for member in rows.order_by("entry__seed", "entry__waiting_since", "entry_id", "position"):
        members.setdefault(member.entry_id, []).append(member)
    return [_line(group) for group in members.values()]


def lines_of(entries: Iterable[Entry]) -> dict[int, Line]:
    """These entries alone, by id."""
    known = {entry.pk: entry for entry in entries}
    members: dict[int, list[EntryMember]] = {}
    for member in EntryMember.objects.filter(entry__in=known).select_related("player").order_by("position"):
        member.entry = known[member.entry_id]
        members.setdefault(member.entry_id, []).append(member)
    return {pk: _line(group) for pk, group in members.items()}


def _line(members: list[EntryMember]) -> Line:
    players = [member.player for member in members]
    return Line(
        entry_id=members[0].entry_id,
        name=" – ".join(player.name for player in players),
        seed=members[0].entry.seed,
        house=all(player.is_house for player in players),
        guest=any(player.is_guest for player in players),
        player_ids=tuple(player.pk for player in players),
        pending=not members[0].entry.confirmed,
        placed=members[0].entry.placed,
        approved=members[0].entry.approved,
        waits=members[0].entry.waiting_since is not None,
        checked_in=all(member.checked_in_at is not None or member.player.is_house for member in members),
        group=members[0].entry.group,
        withdrawn=members[0].entry.withdrawn_at is not None,
        withdrawn_after=members[0].entry.withdrawn_after,
        expelled=members[0].entry.expelled,
    )


def rounds(tournament: Tournament, by_id: Mapping[int, Line], player: Player | None = None) -> tuple[RoundRow, ...]:
    """Every round with its fixtures, in order."""
    out: list[RoundRow] = []
    fixtures = Fixture.objects.of(tournament).select_related("round", "match").order_by("round__number", "board")
    for round_, group in groupby(fixtures, key=lambda fixture: fixture.round):
        rows = tuple(fixture_row(fixture, by_id, player) for fixture in group)
        out.append(RoundRow(round_.number, round_.name, round_.finished, rows, round_.opens_at))
    return tuple(out)


def fixture_row(fixture: Fixture, by_id: Mapping[int, Line], player: Player | None) -> FixtureRow:
    first = by_id.get(fixture.first_id) if fixture.first_id else None
    second = by_id.get(fixture.second_id) if fixture.second_id else None
    sides = [side for side in (first, second) if side is not None]
    return FixtureRow(
        id=fixture.pk,
        round=fixture.round.number,
        board=fixture.board,
        first=first,
        second=second,
        state=fixture.state,
        opens_at=fixture.opens_at,
        table=fixture.match.public_id if fixture.match else None,
        # In a tournament that was called off no result is taken in: the match alone knows that it is over.
        live=fixture.state == Fixture.State.PLAYING
        and (fixture.match is None or fixture.match.status != Match.Status.FINISHED),
        mine=player is not None and any(player.pk in side.player_ids for side in sides),
        result=FixtureResult.from_fixture(fixture),
        group=fixture.group,
        annulled=fixture.annulled or fixture.state == Fixture.State.ANNULLED,
        ruled=fixture.ruled,
        ahead=_ahead(fixture, (first, second), player),
    )


def _ahead(fixture: Fixture, sides: tuple[Line | None, Line | None], player: Player | None) -> str:
    if fixture.ahead_by is None or fixture.state != Fixture.State.READY:
        return ""
    asking = sides[fixture.ahead_by]
    return "own" if asking is not None and player is not None and player.pk in asking.player_ids else "other"


def standings(
    tournament: Tournament, by_id: Mapping[int, Line], player: Player | None = None
) -> tuple[StandingRow, ...]:
    """The stored standings, best first; before the draw there are none."""
    if tournament.drawn_at is None:
        return ()
    entries = tournament.entries.order_by(F("rank").asc(nulls_first=True), "seed")
    alone = sum(not line.house for line in by_id.values()) < 2
    people_only = not any(line.house for line in by_id.values())  # then a place is the rank
    begun = any(entry.played for entry in entries) or tournament.state == State.FINISHED
    rows: list[StandingRow] = []
    ahead = 0  # people's lines with a better rank
    level = 0  # people's lines with this rank
    previous: int | None = None
    for entry in entries:
        line = by_id[entry.pk]
        if entry.rank != previous:
            previous, ahead, level = entry.rank, ahead + level, 0
        level += not line.house
        rank = entry.rank if begun else None  # all level on nothing is no first place
        place = None if rank is None or alone else rank if people_only else ahead + 1
        rows.append(standing(entry, line, rank, place, player))
    return tuple(rows)


def standing(entry: Entry, line: Line, rank: int | None, place: int | None, player: Player | None) -> StandingRow:
    """A row of what is stored with an entry. ``place`` is that of a person's line (E8)."""
    return StandingRow(
        line=line,
        rank=rank,
        place=None if line.house else place,
        out_of_competition=line.house,
        played=entry.played,
        won=entry.won,
        drawn=entry.drawn,
        lost=entry.played - entry.won - entry.drawn,
        mp=entry.mp,
        vp=entry.vp,
        separation=None if entry.separation is None else Separation(**entry.separation),
        mine=player is not None and player.pk in line.player_ids,
    )


def cross_table(rows: Iterable[StandingRow], played: Iterable[RoundRow]) -> tuple[CrossRow, ...]:
    """Everybody against everybody, in the order of the standings."""
    sums = [(row.line, row.vp) for row in rows]
    order = [line for line, _vp in sums]
    cells: dict[tuple[int, int], list[Cell]] = {}
    byes: dict[int, int] = {}
    for round_ in played:
        for f in round_.fixtures:
            if f.first is not None and f.state == Fixture.State.BYE and f.vp is not None:
                byes[f.first.entry_id] = byes.get(f.first.entry_id, 0) + f.vp[0]
            if f.first is None or f.second is None:
                continue
            a, b = f.first.entry_id, f.second.entry_id
            back = None if f.points is None else (f.points[1], f.points[0])
            vp = f.vp or (None, None)
            cells.setdefault((a, b), []).append(Cell(f.points, vp[0], f.table, f.annulled))
            cells.setdefault((b, a), []).append(Cell(back, vp[1], f.table, f.annulled))
    return tuple(
        CrossRow(
            line,
            tuple(tuple(cells.get((line.entry_id, other.entry_id), ())) for other in order),
            vp,
            byes.get(line.entry_id),
        )
        for line, vp in sums
    )


def invitations(player: Player, tournament: Tournament | None = None) -> tuple[Invitation, ...]:
    """The pairs that ask ``player`` to be their second, in one tournament or in all of them, the oldest first."""
    asking = EntryMember.objects.filter(entry__invited=player, entry__confirmed=False, tournament__state__in=ENTERING)
    if tournament is not None:
        asking = asking.filter(tournament=tournament)
    rows = asking.select_related("player", "tournament").order_by("entry_id")
    return tuple(Invitation(row.entry_id, row.player.name, row.tournament) for row in rows)


def asked_by_link(tournament: Tournament, token: str) -> Player | None:
    """Who asks with the link of that token; None where it holds no more."""
    rows = EntryMember.objects.filter(tournament=tournament, entry__confirmed=False, entry__token=token)
    row = rows.select_related("player").first() if token and tournament.state in ENTERING else None
    return None if row is None else row.player


def checks_in(tournament: Tournament, player: Player) -> bool:
    """Whether ``player`` is entered and hasn't checked in, while one may (E4)."""
    if tournament.state != State.CHECKIN:
        return False
    return tournament.members.of_player(player).filter(checked_in_at=None).exists()


def waiting_of(tournament: Tournament, player: Player) -> Waiting | None:
    """The pending pair of ``player`` in a tournament, if he has one."""
    own = tournament.entries.unconfirmed().of_player(player)
    entry = own.select_related("invited").first()
    if entry is None:
        return None
    return Waiting(None if entry.invited is None else entry.invited.name, entry.token, entry.expires_at)


def reports_of(tournament: Tournament, page: TournamentPage, *, staff: bool) -> list[Report]:
    """What was reported at its tables, to its referees and to the site's staff. Who plays in it himself reads of a
    table only when it is over: a report may tell of cards (N2)."""
    if not page.is_referee and not staff:
        return []
    tables = Match.objects.filter(fixture__round__tournament=tournament)
    if page.entered:
        tables = tables.filter(status=Match.Status.FINISHED)
    return reports.of_tables(tables.values_list("pk", flat=True))


def page(tournament: Tournament, player: Player | None, key: str = "") -> TournamentPage:
    """Everything the tournament's page shows to ``player`` (None: a visitor who isn't signed in), who has this ``key``
    to enter with (E3)."""
    format_ = FORMATS[tournament.format]
    everybody = all_lines(tournament)
    by_id = {line.entry_id: line for line in everybody if line.approved and not line.waits}
    all_rounds = rounds(tournament, by_id, player)
    rows = standings(tournament, by_id, player)
    fixtures = [fixture for round_ in all_rounds for fixture in round_.fixtures]
    own = None if player is None else next((line for line in everybody if player.pk in line.player_ids), None)
    runs = may_run(tournament, player)
    live = tuple(fixture for fixture in fixtures if fixture.live)
    return TournamentPage(
        tournament=tournament,
        entries=tuple(by_id.values()),
        rounds=all_rounds,
        standings=rows,
        cross=() if format_.is_bracket else cross_table(rows, all_rounds),
        live=live,
        log=tuple(LogEntry.objects.filter(tournament=tournament).select_related("player")),
        waiting_list=tuple(line for line in everybody if line.waits),
        applicants=tuple(line for line in everybody if not line.approved) if runs else (),
        people=sum(not line.house for line in by_id.values()),
        total=len(by_id),
        tables_open=len(live),
        **way_on([fixture for fixture in fixtures if fixture.mine]),
        **about(tournament, player, own, total=len(by_id), key=key),
    )


def way_on(mine: Iterable[FixtureRow]) -> dict[str, Any]:
    """Where the reader's own fixtures, in order, lead him: to his open table, else to the next one."""
    own = list(mine)
    table = next((fixture.table for fixture in own if fixture.live), None)
    ahead = (fixture for fixture in own if fixture.state in (Fixture.State.READY, Fixture.State.WAITING))
    return {"my_table": table, "next_fixture": None if table else next(ahead, None)}


def about(
    tournament: Tournament, player: Player | None, own: Line | None, *, total: int, key: str = ""
) -> dict[str, Any]:
    """What a page shows of the tournament's format, and of what the reader, whose line is ``own``, may do in it."""
    format_ = FORMATS[tournament.format]
    entering = tournament.state in ENTERING
    entered = own is not None
    asks = tournament.seats_an_entry > 1 and entering and player is not None
    return {
        "is_bracket": format_.is_bracket,
        "has_vp": format_.has_vp,
        "entered": entered,
        "is_organiser": may_run(tournament, player),
        "is_referee": may_referee(tournament, player),
        "join_refusal": refusal_to_join(tournament, player, entered=entered, entries=total, key=key),
        "takes_entries": entering,
        "full": total >= tournament.max_entries,
        "can_leave": entered and entering,
        "own": own,
        "checks_in": own is not None and player is not None and checks_in(tournament, player),
        "pairs": tournament.seats_an_entry > 1,
        "waiting": waiting_of(tournament, player) if asks and player is not None and entered else None,
        "invitations": invitations(player, tournament) if asks and player is not None else (),
    }
