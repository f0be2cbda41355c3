"""Links of a circuit: the organiser's word that two names are one person (Y3). Spelling links nobody: it proposes."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from players import caps
from players.models import Person, Player
from players.names import make_name_key
from tournaments.circuits.errors import CircuitError
from tournaments.circuits.people import Identities, read_identities
from tournaments.circuits.queries import require_runner
from tournaments.circuits.totals import list_stages
from tournaments.models import Circuit, CircuitLink, EntryMember, LineUp

MAX_PROPOSALS = 50


@dataclass(frozen=True, slots=True)
class NamesakeProposal:
    """Two people of a circuit whose names are equal, and who never met in one tournament."""

    person: Person
    same_as: Person


@transaction.atomic
def link_people(*, circuit_id: int, by: Player, person_id: int, same_as_id: int, now: datetime) -> CircuitLink:
    """Say that two people of the circuit's tournaments are one.

    CircuitError: not_yours, no_person, same_person, two_accounts, played_together, too_many_links.
    """
    circuit = Circuit.objects.select_for_update(of=("self",)).get(pk=circuit_id)
    require_runner(circuit, by)
    played = _read_played(circuit)
    if not {person_id, same_as_id} <= played.keys():
        raise CircuitError("no_person")
    forgotten = [person for person in Person.objects.filter(pk__in=(person_id, same_as_id)) if person.is_forgotten]
    if forgotten:
        raise CircuitError("no_person")
    if circuit.links.count() >= caps.MAX_CIRCUIT_LINKS:
        raise CircuitError("too_many_links", limit=caps.MAX_CIRCUIT_LINKS)
    identities = read_identities(circuit, played.keys())
    one, other = identities.find(person_id), identities.find(same_as_id)
    if one == other:
        raise CircuitError("same_person")
    together = _find_together(played, identities, one, other)
    if together is not None:
        name = circuit.stages.select_related("tournament").get(tournament=together).tournament.name
        raise CircuitError("played_together", name=name)
    if not identities.unite(one, other):
        raise CircuitError("two_accounts")
    link = CircuitLink.objects.create(circuit=circuit, person_id=person_id, same_as_id=same_as_id, by=by, at=now)
    Circuit.objects.filter(pk=circuit.pk).update(due_at=now)
    return link


@transaction.atomic
def unlink_people(*, circuit_id: int, by: Player, link_id: int, now: datetime) -> None:
    """Take a link back: the two are two again. CircuitError: not_yours, no_link."""
    circuit = Circuit.objects.select_for_update(of=("self",)).get(pk=circuit_id)
    require_runner(circuit, by)
    deleted, _rows = circuit.links.filter(pk=link_id).delete()
    if not deleted:
        raise CircuitError("no_link")
    Circuit.objects.filter(pk=circuit.pk).update(due_at=now)


def list_links(circuit: Circuit) -> list[CircuitLink]:
    """Return the links that were made, the first first."""
    return list(circuit.links.select_related("person__player", "same_as__player", "by"))


def list_linkable(circuit: Circuit) -> list[Person]:
    """Return the people who stand in the circuit, each once, by name."""
    played = _read_played(circuit)
    identities = read_identities(circuit, played.keys())
    roots = {identities.find(person) for person in played}
    people = Person.objects.filter(pk__in=roots).select_related("player")
    return sorted((one for one in people if not one.is_forgotten), key=lambda one: (make_name_key(one.name), one.pk))


def propose_links(circuit: Circuit) -> list[NamesakeProposal]:
    """Return people with equal names who may be one: nothing follows from it unless the organiser says so."""
    played = _read_played(circuit)
    identities = read_identities(circuit, played.keys())
    named: dict[str, list[Person]] = defaultdict(list)
    for person in list_linkable(circuit):
        named[make_name_key(person.typed_name or person.name)].append(person)
    proposals = [
        NamesakeProposal(person, group[0])
        for group in named.values()
        for person in group[1:]
        if _find_together(played, identities, person.pk, group[0].pk) is None
        and not (person.player_id is not None and group[0].player_id is not None)
    ]
    return proposals[:MAX_PROPOSALS]


def read_places(circuit: Circuit) -> dict[int, tuple[tuple[int, str], ...]]:
    """Return in which of the circuit's tournaments each person is or was, by its number among them and its name: so
    that two of one name can be told apart."""
    numbered = [(number, stage.tournament) for number, stage in enumerate(list_stages(circuit), start=1)]
    return {
        person: tuple((number, one.name) for number, one in numbered if one.pk in tournaments)
        for person, tournaments in _read_played(circuit).items()
    }


def _read_played(circuit: Circuit) -> dict[int, set[int]]:
    """Return the tournaments of the circuit in which each person is or was, but the house."""
    played: dict[int, set[int]] = defaultdict(set)
    members = EntryMember.objects.people().filter(tournament__circuit_stages__circuit=circuit)
    for person, tournament in members.values_list("person_id", "tournament_id"):
        played[person].add(tournament)
    line_ups = LineUp.objects.people().filter(fixture__round__tournament__circuit_stages__circuit=circuit)
    for person, tournament in line_ups.values_list("person_id", "fixture__round__tournament_id").distinct():
        played[person].add(tournament)
    return played


def _find_together(played: dict[int, set[int]], identities: Identities, one: int, other: int) -> int | None:
    """Return a tournament in which both were, each under any of their names."""
    places: dict[int, set[int]] = {one: set(), other: set()}
    for person, tournaments in played.items():
        for tournament in tournaments:
            root = identities.find(person, tournament)
            if root in places:
                places[root].add(tournament)
    return min(places[one] & places[other], default=None)
