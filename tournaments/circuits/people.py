"""Identity of the people of a circuit (Y3): which persons of its tournaments are one. It writes nothing.

By the account, by a card of the owner's register with those merged into it, by an accepted claim, or by the organiser's
link; never by spelling. Two accounts never become one.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from players.models import FORGOTTEN_NAME, Person
from tournaments.models import Circuit, NameClaim, RegisterCard


@dataclass(slots=True)
class Identities:
    """The people of a circuit: each person leads to the one under whose name they stand."""

    accounts: Collection[int]  # persons that are an account's
    shown_by_initials: Collection[int]
    leads_to: dict[int, int] = field(default_factory=dict)
    claimed: dict[tuple[int, int], int] = field(default_factory=dict)  # by tournament and person, where it differs

    def find(self, person: int, tournament: int | None = None) -> int:
        """Return under whom a person stands, with the result of a tournament."""
        person = self.claimed.get((tournament or 0, person), person)
        while person in self.leads_to:
            person = self.leads_to[person]
        return person

    def unite(self, person: int, same_as: int) -> bool:
        """Make one of two, under the name of the second if there is no account; False for two accounts."""
        one, other = self.find(person), self.find(same_as)
        if one == other:
            return True
        if one in self.accounts and other in self.accounts:
            return False
        if self._weigh(one) > self._weigh(other):
            one, other = other, one
        self.leads_to[one] = other
        return True

    def _weigh(self, person: int) -> tuple[bool, bool]:
        """Return which name is shown rather: an account's, else the one of which all see the initials alone (I1)."""
        return person in self.accounts, person in self.shown_by_initials


def read_identities(circuit: Circuit, person_ids: Collection[int]) -> Identities:
    """Return who is who among these persons, in the same few queries for any number of tournaments."""
    links = list(circuit.links.values_list("person_id", "same_as_id"))
    person_keys = {*person_ids, *(person for link in links for person in link)}
    merges = _read_merges(circuit, person_keys)
    claims = _read_claims(circuit)
    person_keys |= {person for pair in (*merges, *((person, to) for _at, person, to in claims)) for person in pair}
    people = Person.objects.filter(pk__in=person_keys)
    accounts = set(people.filter(player__isnull=False).values_list("pk", flat=True))
    rows = list(people.values_list("pk", "initials", "typed_name"))
    identities = Identities(
        accounts=accounts,
        shown_by_initials={pk for pk, initials, _name in rows if pk not in accounts and initials},
    )
    forgotten = {pk for pk, _initials, name in rows if pk not in accounts and name == FORGOTTEN_NAME}
    for person, same_as in merges:
        identities.unite(person, same_as)
    _take_claims(identities, claims)
    for person, same_as in links:
        if not {person, same_as} & forgotten:
            identities.unite(person, same_as)
    return identities


def _read_merges(circuit: Circuit, persons: Collection[int]) -> list[tuple[int, int]]:
    """Return the persons of doubles in the owner's register, each with the person of the card it was merged into."""
    cards = RegisterCard.objects.filter(register__club=circuit.club_id)
    if circuit.club_id is None:
        cards = RegisterCard.objects.filter(register__organiser=circuit.organiser_id)
    doubles = cards.filter(merged_into__isnull=False).order_by("pk")
    return list(doubles.values_list("person_id", "merged_into__person_id")) if persons else []


def _read_claims(circuit: Circuit) -> list[tuple[int, int, int]]:
    """Return the accepted claims in the circuit's tournaments: tournament, person, and the account's own person."""
    claims = NameClaim.objects.standing().filter(tournament__circuit_stages__circuit=circuit).order_by("pk")
    return list(claims.values_list("tournament_id", "person_id", "player__person__id"))


def _take_claims(identities: Identities, claims: Collection[tuple[int, int, int]]) -> None:
    """Have claimed names count for their accounts: everywhere, unless another account claims them elsewhere."""
    claimants: Mapping[int, set[int]] = defaultdict(set)
    for _tournament, person, account in claims:
        claimants[person].add(account)
    for tournament, person, account in claims:
        if len(claimants[person]) > 1 or not identities.unite(person, account):
            identities.claimed[tournament, person] = account
