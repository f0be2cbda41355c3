"""Entries taken over from an earlier tournament of the same organiser (O2): its people as names, without accounts.

Who has a card in a register stays that person; everybody else is a typed name of the new tournament's own.
"""

from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from django.db import transaction

from players.models import Person, Player
from players.names import make_name_key
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import CountDetail
from tournaments.core.permissions import list_run_tournaments, require_organiser
from tournaments.core.states import UNDRAWN
from tournaments.entries import waiting_list
from tournaments.entries.typed_names import Suffixes, compare_people, list_entered_names, store_entries
from tournaments.entry_kinds import match_seats
from tournaments.lists.teams import list_team_keys
from tournaments.models import Entry, Tournament

MAX_SOURCES = 20


class Group(NamedTuple):
    """The people of an entry, with the club that the list says of each; of a team also its name (O12)."""

    team: str
    people: list[Person]
    clubs: list[str]


def list_sources(tournament: Tournament, player: Player) -> list[Tournament]:
    """Return the tournaments whose entries can be taken over into this one, the newest first."""
    kind = tournament.entry_kind
    drawn = list_run_tournaments(player).filter(drawn_at__isnull=False).exclude(pk=tournament.pk)
    alike = drawn.filter(match_seats(kind.seats)).order_by("-drawn_at")
    possible = (source for source in alike if kind.takes_over(source.entry_kind))
    return list(islice(possible, MAX_SOURCES))


@transaction.atomic
def take_over_entries(*, tournament_id: int, source_id: int, by: Player, now: datetime) -> int:
    """Enter the people of another tournament, but for those who are in already. Return how many entries.

    TournamentError: not_organiser; not_real; drawn, registration_closed; no_source; full.
    """
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if not tournament.venue.enters_names:
        raise TournamentError("not_real")
    if tournament.state not in UNDRAWN:
        raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
    source = next((one for one in list_sources(tournament, by) if one.pk == source_id), None)
    if source is None:
        raise TournamentError("no_source")
    listed = _list_groups(source)
    if tournament.entry_kind.awaits_partner:
        listed = [_pick_one(group, place) for group in listed for place in range(len(group.people))]
    entered, teams = list_entered_names(tournament), list_team_keys(tournament)
    groups = [
        group
        for group in listed
        if (make_name_key(group.team) not in teams if group.team else compare_people(group.people) not in entered)
    ]
    if len(groups) > waiting_list.count_free_places(tournament):
        raise TournamentError("full")
    if groups:
        _enter_groups(tournament, groups, now)
        write_log(tournament, "entered_by_list", now, by, CountDetail(count=len(groups)))
        store_version(tournament)
    return len(groups)


def _pick_one(group: Group, place: int) -> Group:
    """Return one person of an entry: who gets a partner at the draw enters alone (EV2)."""
    return Group("", [group.people[place]], [group.clubs[place]])


def _list_groups(source: Tournament) -> list[Group]:
    """Return the people of each entry, without those of the house and who is forgotten (I1)."""
    groups: dict[int, Group] = {}
    members = source.members.people().select_related("entry", "person__player", "person__card")
    for member in members.order_by("entry__seed", "entry_id", "position"):
        groups.setdefault(member.entry_id, Group(member.entry.team_name, [], [])).people.append(member.person)
        groups[member.entry_id].clubs.append(member.club)
    whole = (group for group in groups.values() if group.team or len(group.people) >= source.entry_kind.least)
    return [group for group in whole if not any(person.is_forgotten for person in group.people)]


def _enter_groups(tournament: Tournament, groups: Sequence[Group], now: datetime) -> None:
    suffixes = Suffixes(tournament)
    present = set(tournament.members.values_list("person_id", flat=True))
    people = [
        [
            person if hasattr(person, "card") and person.pk not in present else _copy_person(person, suffixes)
            for person in group.people
        ]
        for group in groups
    ]
    entries = [Entry(tournament=tournament, created_at=now, team_name=group.team) for group in groups]
    store_entries(entries, people, [group.clubs for group in groups])


def _copy_person(person: Person, suffixes: Suffixes) -> Person:
    """Return an unsaved typed name like this person's."""
    name = person.typed_name or person.name
    return Person(
        typed_name=name, suffix=suffixes.choose(name, person.suffix, minor=person.initials), initials=person.initials
    )
