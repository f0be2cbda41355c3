"""The final of a circuit (Y3): a tournament of its own, with the first of the ranking in it, and its seeds.

It counts for no total. Seeds follow the ranks as they are at its draw.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction

from players.models import Person, Player
from tournaments.circuits.errors import CircuitError
from tournaments.circuits.people import read_identities
from tournaments.circuits.queries import list_possible_finals, require_runner
from tournaments.circuits.totals import count_circuit
from tournaments.core.errors import TournamentError
from tournaments.core.locking import store_version, write_log
from tournaments.core.log_details import CountDetail
from tournaments.core.states import UNDRAWN
from tournaments.entries import waiting_list
from tournaments.entries.import_list import check_list, import_entries
from tournaments.entries.open_invitations import lock_inviter
from tournaments.entries.typed_names import Suffixes, store_entries
from tournaments.lists.spreadsheet import Row
from tournaments.models import Circuit, CircuitLink, CircuitTotal, Entry, Tournament

MAX_QUALIFIED = 512
PASSING = ("no_room", "no_invitations")  # problems of a list that say nothing of the person


@transaction.atomic
def prepare_final(*, circuit_id: int, by: Player, tournament: str, qualify: int, now: datetime) -> int:
    """Make a tournament, by its public id, the circuit's final, and enter or invite the first ``qualify`` of the
    ranking that can play. Return how many entries that made.

    CircuitError: not_yours, no_tournament, final_drawn, final_lent, final_range, final_nobody, final_level,
    final_refused.
    """
    if not 0 <= qualify <= MAX_QUALIFIED:
        raise CircuitError("final_range", high=MAX_QUALIFIED)
    lock_inviter(by)
    circuit = Circuit.objects.get(pk=circuit_id)
    require_runner(circuit, by)
    chosen = next((one for one in list_possible_finals(circuit, by) if one.public_id == tournament), None)
    if chosen is None:
        raise CircuitError("no_tournament")
    wanted = sorted({chosen.pk, circuit.final_id or chosen.pk})
    rows = {pk: Tournament.objects.select_for_update().get(pk=pk) for pk in wanted}
    row, before = rows[chosen.pk], circuit.final_id
    circuit = _lock_again(circuit_id, before)
    if row.state not in UNDRAWN:
        raise CircuitError("final_drawn")
    if row.lent_to:
        raise CircuitError("final_lent")
    if before not in (None, row.pk):
        _let_go(rows[before], by, now)
    circuit.final = row
    circuit.save(update_fields=["final"])
    row.seeding, row.draft = Tournament.Seeding.CIRCUIT, None
    row.save(update_fields=["seeding", "draft"])
    write_log(row, "edited", now, by)
    store_version(row)
    if circuit.due_at is not None:
        count_circuit(circuit_id=circuit.pk, now=now)
    if not qualify:
        return 0
    if not (row.playing_kind.is_fixed_pair if circuit.by_pairs else row.entry_kind.enters_alone):
        raise CircuitError("final_nobody")
    made = (
        _type_first(circuit, row, by, qualify, now)
        if row.venue.enters_names
        else _ask_first(row, circuit, by, qualify, now)
    )
    if not made:
        raise CircuitError("final_nobody")
    return made


@transaction.atomic
def drop_final(*, circuit_id: int, by: Player, now: datetime) -> None:
    """Leave the circuit without its final, which stays a tournament.

    CircuitError: not_yours, final_drawn, final_lent, no_tournament.
    """
    circuit = Circuit.objects.get(pk=circuit_id)
    require_runner(circuit, by)
    if circuit.final_id is None:
        return
    final = Tournament.objects.select_for_update().get(pk=circuit.final_id)
    circuit = _lock_again(circuit_id, final.pk)
    _let_go(final, by, now)
    circuit.final = None
    circuit.save(update_fields=["final"])


def _lock_again(circuit_id: int, final_id: int | None) -> Circuit:
    """Lock the circuit behind its final, as a draw does; CircuitError "no_tournament" where it has another by now."""
    circuit = Circuit.objects.select_for_update(of=("self",)).get(pk=circuit_id)
    if circuit.final_id != final_id:
        raise CircuitError("no_tournament")
    return circuit


def _let_go(final: Tournament, by: Player, now: datetime) -> None:
    """Have a locked final that isn't drawn be drawn by lot. CircuitError: final_drawn; final_lent: it is read-only
    here until it is back (O9)."""
    if final.drawn_at is not None:
        raise CircuitError("final_drawn")
    if final.lent_to:
        raise CircuitError("final_lent")
    final.seeding, final.draft = Tournament.Seeding.LOT, None
    write_log(final, "edited", now, by)
    store_version(final)


def _list_ranked(circuit: Circuit) -> list[tuple[CircuitTotal, list[Person]]]:
    """Return the rows of the ranking with their people, without who is gone."""
    totals = circuit.totals.select_related(
        "person__player__user", "person__card", "partner__player__user", "partner__card"
    )
    rows = [
        (row, [one for one in (row.person, row.partner) if one is not None]) for row in totals.order_by("rank", "pk")
    ]
    return [(row, people) for row, people in rows if not any(_is_gone(person) for person in people)]


def _is_gone(person: Person) -> bool:
    return person.is_forgotten or (person.player is not None and not person.player.user.is_active)


def _cut(rows: Sequence[tuple[CircuitTotal, list[Person]]], qualify: int, free: int) -> list[list[Person]]:
    """Return the people of the first rows, of a shared last place all of them.

    CircuitError: final_level, where there is no room for all of these: nobody is chosen among equals by chance.
    """
    ranks = [row.rank for row, _people in rows]
    count = min(qualify, len(ranks))
    level = sum(rank <= ranks[count - 1] for rank in ranks) if count else 0
    if level > free:
        level = min(count, free)
        if 0 < level < len(ranks) and ranks[level - 1] == ranks[level]:
            shared = ranks[level]
            above, below = (sum(rank < limit for rank in ranks) for limit in (shared, shared + 1))
            raise CircuitError("final_level", rank=shared, above=above, below=below)
    return [people for _row, people in rows[:level]]


def _type_first(circuit: Circuit, tournament: Tournament, by: Player, qualify: int, now: datetime) -> int:
    """Enter the first as names, at real tables: who has a card as whoever they are, others by a name that is linked."""
    present = set(tournament.members.values_list("person_id", flat=True))
    identities = read_identities(circuit, present)
    inside = {identities.find(person) for person in present}
    rows = [row for row in _list_ranked(circuit) if not inside & {person.pk for person in row[1]}]
    suffixes = Suffixes(tournament)
    copies: list[tuple[Person, Person]] = []

    def enter(person: Person) -> Person:
        if hasattr(person, "card") and person.pk not in present:
            return person
        name = person.typed_name or person.name
        suffix = suffixes.choose(name, person.suffix, minor=person.initials)
        copies.append((Person(typed_name=name, suffix=suffix, initials=person.initials), person))
        return copies[-1][0]

    groups = _cut(rows, qualify, max(0, waiting_list.count_free_places(tournament)))
    people = [[enter(person) for person in group] for group in groups]
    store_entries([Entry(tournament=tournament, created_at=now) for _group in groups], people)
    CircuitLink.objects.bulk_create(
        CircuitLink(circuit=circuit, person=copy, same_as=person, by=by, at=now) for copy, person in copies
    )
    if groups:
        write_log(tournament, "entered_by_list", now, by, CountDetail(count=len(groups)))
        store_version(tournament)
    return len(groups)


def _ask_first(tournament: Tournament, circuit: Circuit, by: Player, qualify: int, now: datetime) -> int:
    """Enter or invite the first by their accounts, as a list of the organiser's does (E3)."""
    rows = [row for row in _list_ranked(circuit) if all(person.player is not None for person in row[1])]
    listed = [
        Row(number, people[0].name, people[1].name if len(people) > 1 else "")
        for number, (_row, people) in enumerate(rows, start=1)
    ]
    checked = check_list(tournament, by, listed, now)
    refused = {problem.row for problem in checked.problems if problem.code not in PASSING}
    able = [row for number, row in enumerate(rows, start=1) if number not in refused]
    groups = _cut(able, qualify, max(0, waiting_list.count_free_places(tournament)))
    if not groups:
        return 0
    wanted = [
        Row(number, people[0].name, people[1].name if len(people) > 1 else "")
        for number, people in enumerate(groups, start=1)
    ]
    try:
        made = import_entries(tournament_id=tournament.pk, by=by, rows=wanted, now=now)
    except TournamentError as error:
        raise CircuitError("final_refused", reason=error.code) from error
    return made.entries + made.invitations


def list_passed_over(circuit: Circuit) -> list[str]:
    """Return the names of those in the ranking who can't be invited to a final on the site, for they have no account,
    ahead of the last who is entered or invited; empty once it is drawn."""
    final = circuit.final
    if final is None or final.venue.enters_names or final.drawn_at is not None:
        return []
    inside = set(final.members.values_list("person_id", flat=True))
    inside |= set(final.invitations.open().values_list("invitees__player__person", flat=True))
    ranked = [people for _row, people in _list_ranked(circuit)]
    reached = max((place for place, people in enumerate(ranked) if inside & {one.pk for one in people}), default=0)
    return [person.name for people in ranked[:reached] for person in people if person.player is None]


def order_by_circuit(
    tournament: Tournament, entry_ids: Sequence[int], drawn: Sequence[int], now: datetime
) -> list[int]:
    """Return the entries of a circuit's final in the order of their seeds: by their ranks in the circuit, level ones as
    ``drawn``, then the others in the order they came. Of a tournament that is no final: as drawn."""
    circuit = Circuit.objects.filter(final=tournament).first()
    if circuit is None:
        return list(drawn)
    if circuit.due_at is not None:
        count_circuit(circuit_id=circuit.pk, now=now)
    worth = _compute_seed_worth(circuit, tournament)
    scorers = sorted((pk for pk in drawn if pk in worth), key=lambda pk: worth[pk])
    return [*scorers, *(pk for pk in entry_ids if pk not in worth)]


def _compute_seed_worth(circuit: Circuit, tournament: Tournament) -> Mapping[int, tuple[int, int]]:
    """Return what the entries that are in the circuit are ordered by: the rank; of two people, each with a row of their
    own, the sum of their totals first."""
    members: dict[int, list[int]] = {}
    for entry_id, person_id in tournament.members.values_list("entry_id", "person_id"):
        members.setdefault(entry_id, []).append(person_id)
    identities = read_identities(circuit, [person for people in members.values() for person in people])
    rows = {
        frozenset(person for person in (row.person_id, row.partner_id) if person is not None): row
        for row in circuit.totals.all()
    }
    worth: dict[int, tuple[int, int]] = {}
    for entry_id, people in members.items():
        roots = [identities.find(person, tournament.pk) for person in people]
        own = [rows[frozenset(roots)]] if frozenset(roots) in rows else []
        if not own and not circuit.by_pairs:
            own = [rows[frozenset((root,))] for root in roots if frozenset((root,)) in rows]
        if own:
            total = 0 if len(people) == 1 or circuit.by_pairs else -sum(row.total for row in own)
            worth[entry_id] = total, min(row.rank for row in own)
    return worth
