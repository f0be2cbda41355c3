"""Line-ups of teams (O12): who of a team plays its next fixture, and who plays those that can be played now.

A team names its line-up until the round is published; else its last one plays, else its first people. No result is
touched by it.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import EntriesDetail
from tournaments.core.permissions import require_organiser
from tournaments.models import Entry, EntryMember, Fixture, LineUp, Tournament

State = Tournament.State
OPEN_STATES = (State.OPEN, State.CHECKIN, State.RUNNING)


def choose_line_up(tournament: Tournament, members: Iterable[EntryMember]) -> list[EntryMember]:
    """Return who of a team plays next, in their order: whom it named last, else its first people."""
    team = sorted(members, key=lambda member: member.position)
    named = sorted((member for member in team if member.line_up is not None), key=lambda member: member.line_up or 0)
    size = tournament.entry_kind.line_up_size
    return named if len(named) == size else team[:size]


def name_line_up(
    *, tournament_id: int, entry_id: int, person_ids: Sequence[int], now: datetime, by: Player | None = None
) -> None:
    """Name who of a team plays the next round that isn't published, and those after it; ``by`` None: the team did.

    TournamentError: not_organiser, no_teams, over, no_such_entry, line_up_size, line_up_stranger.
    """
    with transaction.atomic():
        tournament = _lock_teams(tournament_id, by)
        entry = _get_team(tournament, entry_id)
        _store_line_up(tournament, entry, person_ids)
        write_log(tournament, "line_up_named", now, by, EntriesDetail(entries=(entry.pk,)))
        store_version(tournament)


def change_line_up(
    *, tournament_id: int, fixture_id: int, side: int, person_ids: Sequence[int], by: Player, now: datetime
) -> None:
    """Change who plays a fixture of a published round, until it has a result; they play the next ones too. Of two
    tables the fixture is the first, the people of both are given, and neither may have a result.

    TournamentError: those of ``name_line_up``, and no_such_fixture, line_up_played.
    """
    with transaction.atomic():
        tournament = _lock_teams(tournament_id, by)
        fixture = Fixture.objects.of(tournament).select_related("round").filter(pk=fixture_id).first()
        entry_id = None if fixture is None else (fixture.first_id, fixture.second_id)[side]
        if fixture is None or entry_id is None:
            raise TournamentError("no_such_fixture")
        tables = list(Fixture.objects.filter(round=fixture.round_id, board=fixture.board).order_by("part"))
        if any(table.state != Fixture.State.READY for table in tables):
            raise TournamentError("line_up_played")
        entry = _get_team(tournament, entry_id)
        _store_line_up(tournament, entry, person_ids)
        LineUp.objects.filter(fixture__in=tables, side=side).delete()
        for table in tables:
            LineUp.objects.bulk_create(_make_rows(table.pk, side, _cut_line_up(tournament, person_ids, table.part)))
        detail = EntriesDetail(entries=(entry.pk,), round=fixture.round.number)
        write_log(tournament, "line_up_changed", now, by, detail)
        store_version(tournament)


def give_line_ups(tournament: Tournament) -> None:
    """Give every fixture that can be played, and has none yet, the line-ups of its two teams as they are now."""
    if not tournament.entry_kind.has_line_ups:
        return
    ready = list(Fixture.objects.of(tournament).ready().filter(line_ups=None))
    sides = [(table, side, entry) for table in ready for side, entry in enumerate((table.first_id, table.second_id))]
    teams: dict[int, list[EntryMember]] = {}
    for member in EntryMember.objects.filter(entry__in={entry for _table, _side, entry in sides if entry is not None}):
        teams.setdefault(member.entry_id, []).append(member)
    playing = {entry: [member.person_id for member in choose_line_up(tournament, teams[entry])] for entry in teams}
    rows = [
        row
        for table, side, entry in sides
        if entry is not None
        for row in _make_rows(table.pk, side, _cut_line_up(tournament, playing[entry], table.part))
    ]
    LineUp.objects.bulk_create(rows, batch_size=500)


def _cut_line_up(tournament: Tournament, person_ids: Sequence[int], part: int) -> Sequence[int]:
    """Return who of a line-up plays at this table: of two, the first named at the first."""
    seats = tournament.entry_kind.seats
    return person_ids[seats:] if part == 2 else person_ids[:seats]


def take_line_ups_back(fixture_ids: Collection[int]) -> None:
    """Take back the line-ups of fixtures in which other teams meet now."""
    LineUp.objects.filter(fixture__in=fixture_ids).delete()


def _lock_teams(tournament_id: int, by: Player | None) -> Tournament:
    """Lock a tournament of teams that isn't over, for whoever runs it."""
    tournament = lock_tournament(tournament_id)
    if by is not None:
        require_organiser(tournament, by)
    if not tournament.names_line_ups:
        raise TournamentError("no_teams")
    if tournament.state not in OPEN_STATES:
        raise TournamentError("over")
    return tournament


def _get_team(tournament: Tournament, entry_id: int) -> Entry:
    entry = tournament.entries.filter(pk=entry_id, withdrawn_at=None).first()
    if entry is None:
        raise TournamentError("no_such_entry")
    return entry


def _store_line_up(tournament: Tournament, entry: Entry, person_ids: Sequence[int]) -> None:
    """Store who plays next, if they are so many different people of the team."""
    size = tournament.entry_kind.line_up_size
    if len(person_ids) != size or len(set(person_ids)) != size:
        raise TournamentError("line_up_size", size=size)
    members = {member.person_id: member for member in entry.members.all()}
    if not set(person_ids) <= members.keys():
        raise TournamentError("line_up_stranger")
    for person_id, member in members.items():
        member.line_up = person_ids.index(person_id) if person_id in person_ids else None
    EntryMember.objects.bulk_update(members.values(), ["line_up"])


def _make_rows(fixture_id: int, side: int, person_ids: Sequence[int]) -> list[LineUp]:
    return [
        LineUp(fixture_id=fixture_id, side=side, person_id=person_id, position=position)
        for position, person_id in enumerate(person_ids)
    ]
