"""Late entries of a danese (D2): they are drawn from the next round on, and rounds they missed count like byes asked
for."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from players.models import Person, Player
from players.names import clean_typed_name, make_name_key
from players.selectors import find_by_name, find_suspended
from tournaments.core import notify
from tournaments.core.draw_secret import find_reserve
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, write_log
from tournaments.core.log_details import EntriesDetail
from tournaments.core.permissions import require_organiser
from tournaments.entries.open_invitations import read_consent
from tournaments.entries.typed_names import list_doubles, store_people
from tournaments.formats import FORMATS
from tournaments.lists.problems import Problem
from tournaments.lists.teams import check_team, list_team_keys
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import Entry, EntryMember, Fixture, Round, RoundBye, Tournament
from tournaments.rankings.points import mark_counting_entries
from tournaments.running.plan_basis import BYE_WORTH
from tournaments.running.results import advance

State = Tournament.State


def find_late_round(tournament: Tournament) -> int | None:
    """Return the first round that a late entry would play; None where nobody comes in any more."""
    if tournament.state != State.RUNNING or not FORMATS[tournament.format].keeps_rounds:
        return None
    waiting = tournament.rounds.filter(published_at__isnull=True).order_by("number")
    number = waiting.values_list("number", flat=True).first()
    return number if number is not None and number <= int(tournament.format_options["late"]) else None


@transaction.atomic
def enter_late_names(
    *, tournament_id: int, names: Sequence[str], by: Player, now: datetime, team: str = "", another: bool = False
) -> Entry:
    """Enter the accounts of these names late; at real tables the names themselves (O2), ``team``: under its name (O12).
    ``another``: than those who are called so already.

    TournamentError: those of ``add_late_entry``, and player_unknown, bad_name or list_refused (``problems``).
    """
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    kind = tournament.entry_kind
    if kind.lists_people:
        _require_team(tournament, team, names)
    called = clean_typed_name(team) if kind.has_name else ""
    reserve = find_reserve(tournament)
    if reserve is not None and len(names) == 1:
        names = [reserve.public_name, *names]
    if tournament.venue.enters_names:
        row = TypedEntry(1, tuple(map(TypedPerson, names)), team=called, another=another)
        whole = kind.lists_people or len(names) == kind.most
        problems = list_doubles(tournament, row) if whole else []
        if problems:
            raise TournamentError("list_refused", problems=problems)
        typed = store_people(tournament, names, reserve=None if another else reserve)
        return add_late_entry(tournament_id=tournament_id, people=typed, by=by, now=now, team=called)
    players = [find_by_name(name) for name in names]
    people = [player.person for player in players if player is not None]
    if len(people) < len(names):
        raise TournamentError("player_unknown")
    return add_late_entry(tournament_id=tournament_id, people=people, by=by, now=now, team=called)


@transaction.atomic
def add_late_entry(
    *,
    tournament_id: int,
    people: Sequence[Person],
    by: Player,
    now: datetime,
    team: str = "",
    asked: Collection[Player] = (),
    link_digests: Sequence[str] = (),
) -> Entry:
    """Enter these persons in a running danese. Return their entry. Who has an account must have agreed beforehand (E3),
    or have ``asked`` for it; ``link_digests``: of the keys by which those without one come back.

    TournamentError: not_organiser, not_running, late_closed, late_people, already_entered, not_invitable, full;
    cannot_play: who asked is suspended (U2).
    """
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state != State.RUNNING:
        raise TournamentError("not_running")
    number = find_late_round(tournament)
    if number is None:
        raise TournamentError("late_closed")
    kind = tournament.entry_kind
    if not kind.lists_people and len({person.pk for person in people}) != kind.most:
        raise TournamentError("late_people", seats=kind.most)
    if tournament.members.filter(person__in=people).exists():
        raise TournamentError("already_entered")
    reserve = find_reserve(tournament)
    agreed = {player.pk for player in asked} | ({reserve.player_id} if reserve is not None else set())
    accounts = [person.player for person in people if person.player is not None and person.player_id not in agreed]
    if accounts and not {player.pk for player in accounts} <= read_consent(tournament, by, accounts, now).agreed:
        raise TournamentError("not_invitable")
    if asked and find_suspended([player.pk for player in asked], now):
        raise TournamentError("cannot_play")
    seed = (tournament.entries.aggregate(last=Max("seed"))["last"] or 0) + 1
    if seed > FORMATS[tournament.format].max_size:
        raise TournamentError("full")
    entry = Entry.objects.create(
        tournament=tournament, created_at=now, seed=seed, team_name=team, link_digest="".join(link_digests[:1])
    )
    others = dict(enumerate(link_digests[1:], start=1))
    EntryMember.objects.bulk_create(
        EntryMember(
            entry=entry, tournament=tournament, person=person, position=position, link_digest=others.get(position, "")
        )
        for position, person in enumerate(people)
    )
    mark_counting_entries(tournament, entry)
    for round_ in tournament.rounds.filter(number__lt=number):
        _add_missed_round(entry, round_)
    write_log(tournament, "joined_late", now, by, EntriesDetail(entries=(entry.pk,), round=number))
    notify.recheck_watching([person.player.pk for person in people if person.player is not None])
    advance(tournament_id=tournament.pk, now=now)
    return entry


def _require_team(tournament: Tournament, team: str, names: Sequence[str]) -> None:
    """Raise TournamentError where these names are no team that could be entered, or its name is another's."""
    row = TypedEntry(1, tuple(map(TypedPerson, names)), team=team)
    problems = list(check_team(tournament, row))
    if tournament.entry_kind.has_name and make_name_key(team) in list_team_keys(tournament):
        problems.append(Problem(1, "team_in_already", "team", team))
    if problems:
        raise TournamentError("list_refused", problems=problems)


def _add_missed_round(entry: Entry, round_: Round) -> None:
    """Give a late entry a board alone in a round that was drawn without it, behind those that were drawn."""
    kind = RoundBye.Kind.MISSED
    RoundBye.objects.create(entry=entry, number=round_.number, kind=kind)
    mp, vp = BYE_WORTH[kind]
    board = Fixture.objects.filter(round=round_, first__isnull=False).firsts().count() + 1
    bye = {"first": entry, "second": None, "state": Fixture.State.BYE, "mp_0": mp, "vp_0": vp}
    part = entry.tournament.entry_kind.first_part
    Fixture.objects.update_or_create(round=round_, board=board, part=part, defaults=bye)
