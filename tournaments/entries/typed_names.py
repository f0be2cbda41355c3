"""Entries that are names, without accounts (O2): people at real tables, typed by the organiser. Nobody is invited.

A typed name is a person of its own, belonging to its tournament. Names go through the filter of all names; two people
of one name are told apart by a suffix: their club, or a number. All rows are entered, or none.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction

from players.clean_text import clean_line
from players.models import FORGOTTEN_NAME, Person, Player
from players.names import clean_typed_name, make_initials, make_name_key
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import CountDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.states import UNDRAWN
from tournaments.entries import waiting_list
from tournaments.entries.partners import find_next_tie
from tournaments.lists.name_checks import check_name
from tournaments.lists.problems import Problem
from tournaments.lists.teams import check_teams
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import Entry, EntryMember, LateRequest, Tournament
from tournaments.rankings.points import follow_names

MAX_SUFFIX_CHARACTERS = 20
MAX_CLUB_CHARACTERS = 60
Names = tuple[tuple[str, str], ...]  # of an entry's people, each with their suffix


def check_typed(
    tournament: Tournament, rows: Sequence[TypedEntry], *, minors: bool = True, waits: bool = False
) -> list[Problem]:
    """Return what is wrong with these rows, each fault once, in their order.

    A name that somebody has who is in, or asks to be, was sent twice, unless its row says that it is another's.
    ``minors`` False: of those who are shown by initials nothing is told (I1). ``waits``: they need no place.
    """
    free = len(rows) if waits else max(0, waiting_list.count_free_places(tournament))
    names = KnownNames(tournament, minors=minors)
    problems: list[Problem] = []
    if tournament.entry_kind.lists_people:
        problems = check_teams(tournament, rows, free)
        wrong = {problem.row for problem in problems}
        return problems + [problem for row in rows if row.number not in wrong for problem in names.find(row)]
    seeds: dict[int, int] = {}
    first_seen: dict[TypedPerson, int] = {}
    cards: dict[str, int] = {}
    taken = 0
    for row in rows:
        taken += len([person for person in row.people if person.name]) if tournament.entry_kind.keeps_pairs else 1
        problems += _check_people(tournament, row)
        if row.placed is not None and seeds.setdefault(row.placed, row.number) != row.number:
            problems.append(Problem(row.number, "seed_twice", "seed", str(row.placed), seeds[row.placed]))
        problems += names.find(row)
        people = [person for person in row.people if person.name]
        seen = [(first_seen.setdefault(_compare(person), row.number), person.name) for person in people]
        again = [(first, name) for first, name in seen if first != row.number and not row.another]
        if again:
            problems.append(Problem(row.number, "twice", "player", again[0][1], again[0][0]))
        elif twice := [card for card in _list_cards(row) if cards.setdefault(card, row.number) != row.number]:
            problems.append(Problem(row.number, "card_twice", "card", twice[0], cards[twice[0]]))
        if taken > free:
            problems.append(Problem(row.number, "no_room", "player", _name_row(row), free))
    return problems


def type_entries(*, tournament_id: int, by: Player, rows: Sequence[TypedEntry], now: datetime) -> list[Entry]:
    """Enter these names, all of them or nobody. TournamentError: not_real, drawn, registration_closed, list_refused
    (``problems``)."""
    _require_possible_names(tournament_id, by, rows)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        require_organiser(tournament, by)
        if not tournament.venue.enters_names:
            raise TournamentError("not_real")
        if tournament.state not in UNDRAWN:
            raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
        problems = check_typed(tournament, rows)
        if problems or not rows:
            raise TournamentError("list_refused", problems=problems)
        entries = create_typed_entries(tournament, rows, now)
        write_log(tournament, "entered_by_list", now, by, CountDetail(count=len(rows)))
        store_version(tournament)
    return entries


def _require_possible_names(tournament_id: int, by: Player, rows: Sequence[TypedEntry]) -> None:
    """Raise TournamentError (list_refused) where there are names that can't be, before anything is locked: a list that
    is refused for them holds nobody up (AT11)."""
    names = [person.name for row in rows for person in row.people if person.name]
    if any(True for name in names for _problem in check_name(1, "player", name)):
        tournament = Tournament.objects.get(pk=tournament_id)
        require_organiser(tournament, by)
        raise TournamentError("list_refused", problems=check_typed(tournament, rows))


def create_typed_entries(tournament: Tournament, rows: Sequence[TypedEntry], now: datetime) -> list[Entry]:
    """Store entries of checked names in a locked tournament. Where pairs may stay (EV2) each of two has their own, and
    these are tied."""
    ties = _tie_rows(tournament, rows)
    if tournament.entry_kind.keeps_pairs:
        rows = [replace(row, people=(person,)) for row in rows for person in row.people if person.name]
    people = _make_people(tournament, rows)
    entries = [
        Entry(
            tournament=tournament,
            created_at=now,
            placed=row.placed,
            team_name=clean_typed_name(row.team) if tournament.entry_kind.has_name else "",
            side=row.people[0].side if tournament.entry_kind.awaits_partner and row.people else "",
            tie=ties.get(row.number),
        )
        for row in rows
    ]
    return store_entries(entries, people, [[_clean_club(person.club) for person in row.people] for row in rows])


def _tie_rows(tournament: Tournament, rows: Sequence[TypedEntry]) -> dict[int, int]:
    """Return the number of each row's tie, of those with two people; none where no pair may stay (EV2)."""
    if not tournament.entry_kind.keeps_pairs:
        return {}
    pairs = [row.number for row in rows if len([person for person in row.people if person.name]) > 1]
    first = find_next_tie(tournament)
    return {number: tie for tie, number in enumerate(pairs, start=first)}


def _clean_club(typed: str) -> str:
    """Return a club as it was typed (EV9); a number tells namesakes apart, and is none."""
    club = clean_line(typed)[:MAX_CLUB_CHARACTERS].strip()
    return "" if club.isdecimal() else club


def _make_people(tournament: Tournament, rows: Sequence[TypedEntry]) -> list[list[Person]]:
    """Return the unsaved persons of these rows. Of namesakes who gives no club has the bare name, wherever they stand:
    so a list that was exported gives the same names again."""
    suffixes = Suffixes(tournament)
    places = [(row, place) for row, one in enumerate(rows) for place in range(len(one.people))]
    made: dict[tuple[int, int], Person] = {}
    for row, place in sorted(places, key=lambda at: bool(clean_line(rows[at[0]].people[at[1]].club))):
        made[row, place] = suffixes.make_person(rows[row].people[place])
    return [[made[row, place] for place in range(len(one.people))] for row, one in enumerate(rows)]


def store_entries(
    entries: Sequence[Entry], people: Sequence[Sequence[Person]], clubs: Sequence[Sequence[str]] = ()
) -> list[Entry]:
    """Store new entries of a locked tournament with the people of each, of whom some may be new too, and the ``clubs``
    of these, where a list says them."""
    new = [person for group in people for person in group if person.pk is None]
    Person.objects.bulk_create(new, batch_size=500)
    stored = Entry.objects.bulk_create(entries, batch_size=500)
    members = [
        EntryMember(entry=entry, tournament=entry.tournament, person=person, position=position, club=club)
        for entry, group, own in zip(stored, people, clubs or [[""] * len(group) for group in people], strict=True)
        for position, (person, club) in enumerate(zip(group, own, strict=True))
    ]
    EntryMember.objects.bulk_create(members, batch_size=500)
    return stored


def store_people(tournament: Tournament, names: Sequence[str], *, reserve: Person | None = None) -> list[Person]:
    """Store these names as persons of a locked tournament, namesakes told apart. TournamentError: bad_name.
    ``reserve``: who stayed out when pairs were drawn (EV2): by that name it is them."""
    suffixes, people = Suffixes(tournament), []
    for name in names:
        if reserve is not None and is_called(reserve, name):
            people.append(reserve)
            continue
        if list(check_name(1, "player", name)):
            raise TournamentError("bad_name", typed=name)
        people.append(suffixes.make_person(TypedPerson(name)))
    Person.objects.bulk_create([person for person in people if person.pk is None])
    return people


def is_called(person: Person, name: str) -> bool:
    """Tell if this is the name of a person, as they typed it or as everybody is shown it."""
    key = make_name_key(name)
    return bool(key) and key in {make_name_key(shown) for shown in (person.name, person.public_name, person.plain_name)}


class KnownNames:
    """The names of those who are in a tournament at real tables, or ask to come late, each with its suffixes; ``but``:
    without this request's."""

    def __init__(self, tournament: Tournament, *, minors: bool = True, but: LateRequest | None = None) -> None:
        self._suffixes: dict[str, set[str]] = {}
        self._shown: set[str] = set()
        members = [member.person for member in tournament.members.with_people()]
        asking = [row[:2] for asked in tournament.late_requests.all() if asked != but for row in asked.people]
        shown = [(person.typed_name or person.name, person.suffix, person.initials) for person in members]
        shown += [(str(name), "", bool(minor)) for name, minor in asking]
        for name, suffix, minor in shown:
            if minors or not minor:
                self._suffixes.setdefault(make_name_key(name), set()).add(make_name_key(suffix))
                self._shown.add(_make_whole_key(name, suffix))

    def find(self, row: TypedEntry) -> list[Problem]:
        """Return a problem if one of these people is in already, unless the row says that it is another."""
        doubles = [number for number, person in enumerate(row.people) if self._has(person)]
        if not doubles or row.another:
            return []
        about = "partner" if doubles[0] == 1 and not row.team else "player"
        return [Problem(row.number, "in_already", about, row.people[doubles[0]].name)]

    def _has(self, person: TypedPerson) -> bool:
        if not person.name or _make_whole_key(person.name, person.club) in self._shown:
            return bool(person.name)
        suffixes = self._suffixes.get(make_name_key(person.name), set())
        return "" in suffixes or bool(suffixes and not make_name_key(person.club))


def list_doubles(tournament: Tournament, row: TypedEntry) -> list[Problem]:
    """Return what is wrong with the names of one entry beside those who are in, and beside each other."""
    keys = [make_name_key(person.name) for person in row.people]
    same = len(set(keys)) < len(keys) and not row.another
    alike = [Problem(row.number, "same_person", "partner", row.people[0].name)] if same else []
    return [*KnownNames(tournament).find(row), *alike]


class Suffixes:
    """The names of a tournament as everybody is shown them, with their suffixes; ``but``: without this person's.

    Of a minor that is the initials: a suffix never tells that somebody else has the whole name (I1).
    """

    def __init__(self, tournament: Tournament, *, but: Person | None = None) -> None:
        people = [member.person for member in tournament.members.with_people() if member.person != but]
        self._shown = {
            _make_whole_key(person.typed_name or person.name, person.suffix, minor=person.initials) for person in people
        }

    def has(self, name: str, suffix: str, *, minor: bool) -> bool:
        """Tell if somebody is called so already."""
        return _make_whole_key(name, suffix, minor=minor) in self._shown

    def make_person(self, typed: TypedPerson) -> Person:
        """Return an unsaved person of a checked name."""
        suffix = self.choose(typed.name, typed.club, minor=typed.minor)
        return Person(typed_name=clean_typed_name(typed.name), suffix=suffix, initials=typed.minor)

    def choose(self, name: str, club: str = "", *, minor: bool) -> str:
        """Return the suffix of one more person of that name, who is one of these from now on: none, unless there is
        one of that name already; then their club, or a number."""
        wanted = clean_line(club)[:MAX_SUFFIX_CHARACTERS].strip()
        possible = itertools.chain(["", *([wanted] if make_name_key(wanted) else [])], map(str, itertools.count(2)))
        suffix = next(suffix for suffix in possible if not self.has(name, suffix, minor=minor))
        self._shown.add(_make_whole_key(name, suffix, minor=minor))
        return suffix


def _make_whole_key(name: str, suffix: str, *, minor: bool = False) -> str:
    """Return the key of a name as it is shown, "Anna (Arci)", whether that was typed so or is a suffix of ours."""
    return make_name_key(f"{make_initials(name) if minor else name} {suffix}")


@transaction.atomic
def rename_person(
    *, tournament_id: int, by: Player, person_id: int, name: str, suffix: str, now: datetime, club: str | None = None
) -> None:
    """Correct a typed name, what tells it from a namesake's, or the club (EV9; None: it stays); also after the draw,
    whatever was played.

    TournamentError: no_such_entry; list_refused (``problems``): a name that can't be, or that another has as it is.
    """
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    people = Person.objects.filter(player=None, card=None, memberships__tournament=tournament)
    people = people.exclude(typed_name=FORGOTTEN_NAME)
    person = people.select_for_update().filter(pk=person_id).first()
    if person is None:
        raise TournamentError("no_such_entry")
    problems = list(check_name(1, "player", name))
    wanted = clean_line(suffix)[:MAX_SUFFIX_CHARACTERS].strip()
    if not problems and Suffixes(tournament, but=person).has(name, wanted, minor=person.initials):
        problems.append(Problem(1, "namesake", "suffix", name))
    if problems:
        raise TournamentError("list_refused", problems=problems)
    person.typed_name, person.suffix = clean_typed_name(name), wanted
    person.save(update_fields=["typed_name", "suffix"])
    follow_names([person.pk], now)
    if club is not None:
        tournament.members.filter(person=person).update(club=_clean_club(club))
    write_log(tournament, "renamed", now, by)
    store_version(tournament)


def list_entered_names(tournament: Tournament, *, minors: bool = True) -> set[Names]:
    """Return the names of each entry that is in, as they are compared; ``minors`` False: of entries without any."""
    entries: dict[int, list[Person]] = {}
    for member in tournament.members.with_people().order_by("position"):
        entries.setdefault(member.entry_id, []).append(member.person)
    whole = (people for people in entries.values() if minors or not any(person.initials for person in people))
    return {compare_people(people) for people in whole}


def compare_people(people: Iterable[Person]) -> Names:
    """Return an entry's names by what is the same for people, whoever of a pair comes first."""
    keys = ((make_name_key(person.typed_name or person.name), make_name_key(person.suffix)) for person in people)
    return tuple(sorted(keys))


def _check_people(tournament: Tournament, row: TypedEntry) -> Iterable[Problem]:
    """Yield the problems of one row's names."""
    people, kind = list(row.people), tournament.entry_kind
    if not people or not people[0].name:
        yield Problem(row.number, "player_missing", "player")
    if kind.is_fixed_pair and (len(people) < 2 or not people[1].name):
        yield Problem(row.number, "partner_missing", "partner", people[0].name if people else "")
    for extra in people[kind.most_typed :]:
        if extra.name:
            yield Problem(row.number, "partner_unwanted", "partner", extra.name)
    for about, person in zip(("player", "partner"), people[: kind.most_typed], strict=False):
        if person.name:
            yield from check_name(person.row or row.number, about, person.name)
    if len(people) == 2 and people[0].name and _compare(people[0]) == _compare(people[1]) and not row.another:
        yield Problem(row.number, "same_person", "partner", people[0].name)


def _compare(person: TypedPerson) -> TypedPerson:
    """Return a person by what is the same for people, however it is written."""
    return TypedPerson(_make_whole_key(person.name, person.club), card=make_name_key(person.card))


def _list_cards(row: TypedEntry) -> list[str]:
    return [person.card for person in row.people if person.card]


def _name_row(row: TypedEntry) -> str:
    return " – ".join(person.name for person in row.people if person.name)
