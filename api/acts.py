"""Shared by the acts of programs on tournaments: the tournament a key may organise, and its answers."""

from collections.abc import Sequence
from operator import attrgetter
from typing import TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model
from django.http import Http404
from django.utils.translation import gettext as _

from api.access import find_tournament, is_for_tournament
from players.api.problems import ApiRefusal
from players.api.writes import Write
from players.names import make_name_key
from tournaments.core import reads, rows
from tournaments.core.errors import TournamentError
from tournaments.core.permissions import may_referee
from tournaments.models import Entry, Fixture, Tournament

Stored = TypeVar("Stored", bound=Model)


def find_organised(write: Write, public_id: str) -> Tournament:
    """Return the tournament that a write is about. ApiRefusal where its key wasn't made for it, TournamentError where
    its owner neither runs nor referees it; which of both an act takes, its service decides."""
    tournament = find_tournament(write.request, public_id)
    if not is_for_tournament(write.token, tournament):
        raise ApiRefusal(403, "not_chosen", _("Questa chiave non è per questo torneo."))
    if not may_referee(tournament, write.player):
        raise TournamentError("not_organiser")
    return tournament


def lock_seen(row: Stored) -> Stored:
    """Lock a row until the transaction ends, and return it as it is by now: what a write leaves out of it stays as
    others have just made it. Http404 where it has gone."""
    rows = type(row)._default_manager.select_for_update(of=("self",))
    try:
        row.refresh_from_db(from_queryset=rows)
    except ObjectDoesNotExist:
        raise Http404 from None
    return row


def read_entry_row(tournament: Tournament, entry_id: int) -> rows.EntryRow:
    """Return an entry as answers show it. TournamentError: no_such_entry."""
    found_rows = reads.read_entries_of(Entry.objects.filter(tournament=tournament, pk=entry_id))
    if entry_id not in found_rows:
        raise TournamentError("no_such_entry")
    return found_rows[entry_id]


def find_fixture(tournament: Tournament, place: str) -> Fixture:
    """Return the fixture of a round and a board, ``2-5``; ``2-5-2``: its second table (O12). TournamentError:
    no_such_fixture."""
    round_, board, *part = place.split("-")
    fixtures = Fixture.objects.of(tournament).select_related("round", "match")
    fixtures = fixtures.seconds() if part == ["2"] else fixtures.firsts()
    fixture = fixtures.filter(round__number=int(round_), board=int(board)).first()
    if fixture is None:
        raise TournamentError("no_such_fixture")
    return fixture


def find_person_id(tournament: Tournament, entry_id: int, name: str) -> int:
    """Return the id of one of an entry's people by their name, with an account or typed, however it is written: as
    everybody is shown it, else whole, else without what tells it from a namesake's. 0 for nobody."""
    people = [member.person for member in tournament.members.with_people().filter(entry=entry_id)]
    wanted = make_name_key(name)
    for read in (attrgetter("public_name"), attrgetter("name"), attrgetter("typed_name")):
        like = [person for person in people if make_name_key(read(person)) == wanted]
        if len(like) == 1:
            return like[0].pk
    return 0


def find_people(tournament: Tournament, entry_id: int, names: Sequence[str]) -> list[int]:
    """Return the ids of an entry's people by their names, as answers show them. TournamentError: line_up_stranger."""
    people = [member.person for member in tournament.members.with_people().filter(entry=entry_id)]
    ids = {person.public_name: person.pk for person in people}
    if not set(names) <= ids.keys():
        raise TournamentError("line_up_stranger")
    return [ids[name] for name in names]
