"""Entries made by the organiser (E3): a whole imported list, all of it or nothing, or one entry by name.

Who has agreed beforehand is entered, and may leave until the draw as others do; everybody else is invited, and in
nothing before they accept. They are told; of a draft nobody hears before it is published. The house's players come in
by ``house.enter_house_players`` alone.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from players.clean_text import clean_line
from players.models import Player
from players.names import make_name_key
from players.web.requests import read_number
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import CountDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.states import UNDRAWN
from tournaments.entries import waiting_list
from tournaments.entries.join import start_if_full
from tournaments.entries.open_invitations import (
    InvitedEntry,
    create_invitations,
    lock_inviter,
    read_allowance,
    read_consent,
    tell_invited,
)
from tournaments.entries.schedule import compute_next_due_at
from tournaments.lists.people_list import MAX_SEED
from tournaments.lists.problems import Problem, list_bad_rows
from tournaments.lists.spreadsheet import Row
from tournaments.lists.teams import check_row_team, list_row_people, list_team_keys
from tournaments.models import Entry, EntryMember, Invitee, Tournament


@dataclass(frozen=True, slots=True)
class CheckedList:
    """A list as it would be entered now: of the rows without a problem the entries of people who have agreed beforehand
    and those to invite, and the problems; with any of these nobody is entered and nobody invited."""

    entries: tuple[InvitedEntry, ...]
    invitations: tuple[InvitedEntry, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Imported:
    """The number of entries that a list has made, and of invitations."""

    entries: int
    invitations: int


def check_list(tournament: Tournament, by: Player, rows: Sequence[Row], now: datetime) -> CheckedList:
    """Return what entering these rows as ``by`` would do now. As many queries for any number of rows."""
    listed, problems = _check_rows(tournament, by, rows, now)
    problems += _find_exhausted(by, rows, listed, now)
    bad = list_bad_rows(problems)
    good = [entry for row, entry in zip(rows, listed, strict=True) if row.number not in bad]
    entries = tuple(entry for entry in good if len(entry.agreed) == len(entry.players))
    invitations = tuple(entry for entry in good if len(entry.agreed) < len(entry.players))
    return CheckedList(entries, invitations, tuple(_drop_repeated(sorted(problems, key=lambda problem: problem.row))))


def would_fill(tournament: Tournament, count: int) -> bool:
    """Return whether ``count`` more entries fill a sit and go: it starts at once (E5), a draft when it is published.
    Where the organiser draws (D4), nothing does."""
    if tournament.starts_at is not None or tournament.publishes_rounds or count == 0:
        return False
    return tournament.entries.in_place().filter(confirmed=True).count() + count >= tournament.max_entries


def import_entries(
    *, tournament_id: int, by: Player, rows: Sequence[Row], now: datetime, may_start: bool = True
) -> Imported:
    """Enter all of these rows: who has agreed beforehand is entered, everybody else invited (E3).

    TournamentError "list_refused" (a row has a problem: ``problems``) or "would_start" (they fill a sit and go, and it
    may not start): then nobody is entered or invited.
    """
    with transaction.atomic():
        lock_inviter(by)
        tournament = lock_tournament(tournament_id)
        require_organiser(tournament, by)
        if tournament.state not in UNDRAWN:
            raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
        checked = check_list(tournament, by, rows, now)
        if checked.problems or not rows:
            raise TournamentError("list_refused", problems=list(checked.problems))
        draft = tournament.state == Tournament.State.DRAFT
        if not may_start and not draft and would_fill(tournament, len(checked.entries)):
            raise TournamentError("would_start")
        player_ids = _enter(tournament, checked.entries, now)
        invited_ids = create_invitations(tournament, by, checked.invitations, now)
        tournament.due_at = compute_next_due_at(tournament, now)
        if checked.entries:
            write_log(tournament, "entered_by_list", now, by, CountDetail(count=len(checked.entries)))
        if checked.invitations:
            write_log(tournament, "entries_invited", now, by, CountDetail(count=len(checked.invitations)))
        store_version(tournament)
        if not draft:
            tell_entered(tournament, player_ids, now)
            tell_invited(tournament, invited_ids, now)
    start_if_full(tournament, now)
    return Imported(len(checked.entries), len(checked.invitations))


def add_names(*, tournament_id: int, by: Player, row: Row, now: datetime) -> Imported:
    """Enter or invite one entry by name; TournamentError "list_refused" carries its problems."""
    return import_entries(tournament_id=tournament_id, by=by, rows=[row], now=now)


def _enter(tournament: Tournament, listed: Sequence[InvitedEntry], now: datetime) -> list[int]:
    entries = Entry.objects.bulk_create(
        [Entry(tournament=tournament, created_at=now, placed=new.placed, team_name=new.team) for new in listed],
        batch_size=500,
    )
    EntryMember.objects.bulk_create(
        [
            EntryMember(entry=entry, tournament=tournament, person=player.person, position=position)
            for entry, new in zip(entries, listed, strict=True)
            for position, player in enumerate(new.players)
        ],
        batch_size=500,
    )
    return [player.pk for new in listed for player in new.players]


def _check_rows(
    tournament: Tournament, by: Player, rows: Sequence[Row], now: datetime
) -> tuple[list[InvitedEntry], list[Problem]]:
    players_by_name = _find_players(rows)
    hindered = _find_hindered(tournament, by, players_by_name.values(), now)
    free = max(0, waiting_list.count_free_places(tournament))
    by_lot = not tournament.takes_places
    listed: list[InvitedEntry] = []
    problems: list[Problem] = []
    first_seen: dict[int, int] = {}
    seeds: dict[int, int] = {}
    teams = dict.fromkeys(list_team_keys(tournament), 0) if tournament.entry_kind.has_name else {}
    for count, row in enumerate(rows, start=1):
        players: list[Player] = []
        for about, typed in _list_required_names(tournament, row):
            if isinstance(typed, Problem):
                problems.append(typed)
                continue
            player = players_by_name.get(make_name_key(typed))
            code, other = _find_refusal(tournament, player, hindered, first_seen)
            if code:
                problems.append(Problem(row.number, code, about, typed, other))
            elif player is not None:
                first_seen[player.pk] = row.number
                players.append(player)
        problems += check_row_team(tournament, row, teams)
        seed = _read_seed(row, by_lot, seeds)
        if isinstance(seed, Problem):
            problems.append(seed)
        elif seed is not None:
            seeds[seed] = row.number
        if count > free:
            problems.append(Problem(row.number, "no_room", "player", row.player, free))
        agreed = {player.pk for player in players} & hindered.agreed
        team = clean_line(row.team) if tournament.entry_kind.has_name else ""
        listed.append(InvitedEntry(tuple(players), agreed, seed if isinstance(seed, int) else None, team))
    return listed, problems


def _find_exhausted(by: Player, rows: Sequence[Row], listed: Sequence[InvitedEntry], now: datetime) -> list[Problem]:
    """Return a problem for each row that takes more invitations than ``by`` may send now."""
    allowance = read_allowance(by, now)
    entries = people = 0
    problems = []
    for row, entry in zip(rows, listed, strict=True):
        asked = len(entry.players) - len(entry.agreed)
        entries, people = entries + bool(asked), people + asked
        if asked and (entries > allowance.invitations or people > allowance.people):
            problems.append(Problem(row.number, "no_invitations", "player", row.player, allowance.invitations))
    return problems


@dataclass(frozen=True, slots=True)
class _Hindered:
    """The players, by id, who are in already, have an invitation, can't be invited, or have agreed beforehand."""

    entered: frozenset[int]
    invited: frozenset[int]
    closed: frozenset[int]
    agreed: frozenset[int]


def _find_hindered(tournament: Tournament, by: Player, players: Iterable[Player], now: datetime) -> _Hindered:
    consent = read_consent(tournament, by, players, now)
    invited = Invitee.objects.filter(invitation__in=tournament.invitations.open()).values_list("player_id", flat=True)
    entered = frozenset(tournament.members.player_ids())
    return _Hindered(entered, frozenset(invited), consent.closed, consent.agreed)


def _drop_repeated(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems without repetitions: a name that is wrong twice in one row."""
    first: dict[tuple[int, str, str, int], Problem] = {}
    for problem in problems:
        first.setdefault((problem.row, problem.code, problem.typed, problem.other), problem)
    return list(first.values())


def _find_players(rows: Iterable[Row]) -> Mapping[str, Player]:
    """Return the active players of these names, by name key."""
    keys = {make_name_key(name) for row in rows for name in row.names if name}
    players = Player.objects.filter(name_key__in=sorted(keys - {""}), user__is_active=True).select_related("person")
    return {player.name_key: player for player in players}


def _list_required_names(tournament: Tournament, row: Row) -> Iterable[tuple[str, str | Problem]]:
    """Yield the names that a row must have; a Problem for one that is missing or too many."""
    if tournament.entry_kind.lists_people:
        yield from list_row_people(tournament, row)
        return
    yield ("player", row.player or Problem(row.number, "player_missing", "player"))
    if tournament.entry_kind.names_partner:
        yield ("partner", row.partner or Problem(row.number, "partner_missing", "partner", row.player))
    elif row.partner:
        yield ("partner", Problem(row.number, "partner_unwanted", "partner", row.partner))


def _find_refusal(
    tournament: Tournament, player: Player | None, hindered: _Hindered, first_seen: Mapping[int, int]
) -> tuple[str, int]:
    """Return the code of PROBLEMS that keeps this player out and the row it speaks of; ("", 0) without one."""
    if player is None:
        return "unknown_name", 0
    if player.pk in first_seen:
        return "twice", first_seen[player.pk]
    if player.pk in hindered.entered:
        return "in_already", 0
    if player.is_house:
        return "name_of_house", 0
    if player.is_guest and not tournament.guests_allowed:
        return "name_of_guest", 0
    if player.pk in hindered.invited:
        return "invited_already", 0
    if player.pk in hindered.closed:
        return "not_invitable", 0
    return "", 0


def _read_seed(row: Row, by_lot: bool, seeds: Mapping[int, int]) -> int | Problem | None:
    if not row.seed:
        return None
    if by_lot:
        return Problem(row.number, "seeds_by_lot", "seed", row.seed)
    seed = read_number(row.seed, 0, digits=len(str(MAX_SEED)))
    if seed == 0:
        return Problem(row.number, "seed_no_number", "seed", row.seed)
    if seed in seeds:
        return Problem(row.number, "seed_twice", "seed", row.seed, seeds[seed])
    return seed


def tell_entered(tournament: Tournament, player_ids: Collection[int], now: datetime) -> None:
    """Tell these players that the organiser entered them."""
    notify.tell_people(tournament, player_ids, "entered_by_list")
    notify.mail_people(tournament, player_ids, "entered_by_list", now, about=tournament.version)
