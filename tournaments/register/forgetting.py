"""Names that are forgotten on request: of a register's person, of any typed name of a tournament (I1).

The person goes from the register with all that was known of them. Results stay: under *ritirato*, or under the name if
the person wants that. A tombstone without the name keeps imports and restored copies from bringing it back.
"""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from players.models import FORGOTTEN_NAME, Person, Player
from players.names import make_name_key
from players.services.tokens import forget_answers
from tournaments.core.circuit_marks import mark_circuits, mark_circuits_with
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import LogDetail, replace_in_log
from tournaments.core.people import drop_unused_people
from tournaments.core.permissions import may_run
from tournaments.core.states import UNFINISHED
from tournaments.models import CircuitLink, EntryMember, LineUp, NameClaim, Register, RegisterCard, Tournament
from tournaments.own_names.claims import forget_claims
from tournaments.rankings.points import follow_names, note_changes
from tournaments.register.cards import get_card, lock_register, lock_row, write_register_log
from tournaments.register.errors import RegisterError
from tournaments.register.queries import keeps_register, list_person_ids
from tournaments.register.tombstones import Tombstone, bury, is_forgotten, make_digest
from tournaments.transfer.log_references import exchange_person


@transaction.atomic
def forget_card(*, register: Register, by: Player, card_id: str, keeps_name: bool, now: datetime) -> None:
    """Delete a person's card with its doubles. ``keeps_name``: the person wants the name to stay in results.

    RegisterError: no_card, still_entered.
    """
    register = lock_register(register, by)
    _forget_people(list_person_ids(get_card(register, card_id)), by, now, register=register, keeps_name=keeps_name)


@transaction.atomic
def forget_typed_name(*, tournament: Tournament, by: Player, person_id: int, staff: bool, now: datetime) -> None:
    """Replace a typed name of a tournament. Who keeps the register of the person's card, and the staff, delete the card
    with it; the register of others keeps it, and its person is no longer who played here.

    RegisterError: not_organiser, no_name, still_entered.
    """
    if not (staff or may_run(tournament, by)):
        raise RegisterError("not_organiser")
    person = list_typed_people(tournament).filter(pk=person_id).first()
    if person is None:
        raise RegisterError("no_name")
    register = Register.objects.filter(cards__person=person).first()
    if register is None:
        _forget_people([person.pk], by, now, register=None, keeps_name=False)
    elif staff or keeps_register(register, by):
        register = lock_row(register)
        card = RegisterCard.objects.get(person=person)
        while card.merged_into is not None:
            card = card.merged_into
        _forget_people(list_person_ids(card), by, now, register=register, keeps_name=False)
    else:
        _forget_people([_part_person(tournament, person, now).pk], by, now, register=None, keeps_name=False)


def forget_returned_name(*, tournament: Tournament, by: Player, person_id: int, now: datetime) -> None:
    """Forget a name of a tournament that was forgotten where it was on loan; the register keeps its card.

    RegisterError: still_entered.
    """
    person = Person.objects.get(pk=person_id)
    if RegisterCard.objects.filter(person=person).exists():
        person = _part_person(tournament, person, now)
    _forget_people([person.pk], by, now, register=None, keeps_name=False)


def list_typed_people(tournament: Tournament) -> QuerySet[Person]:
    """Return the people without an account who are in a tournament or played in it, and aren't forgotten yet."""
    people = Person.objects.filter(player=None).exclude(typed_name=FORGOTTEN_NAME)
    members = tournament.members.values("person")
    return people.filter(Q(pk__in=members) | Q(pk__in=LineUp.objects.of(tournament).values("person"))).order_by("pk")


def _part_person(tournament: Tournament, person: Person, now: datetime) -> Person:
    """Return a new person who has taken the place of this one in a tournament and its log."""
    tournament = lock_tournament(tournament.pk)
    new = Person.objects.create(typed_name=person.typed_name, suffix=person.suffix, initials=person.initials)
    tournament.members.filter(person=person).update(person=new)
    LineUp.objects.of(tournament).filter(person=person).update(person=new)
    NameClaim.objects.filter(tournament=tournament, person=person).update(person=new)
    tournament.points.filter(person=person).update(person=new)
    exchange_person(tournament, person, new)
    mark_circuits(tournament, now)
    return new


def _forget_people(
    person_ids: Collection[int], by: Player | None, now: datetime, *, register: Register | None, keeps_name: bool
) -> None:
    """Forget one person, who may be several rows: names in results, and the cards and drafts of the locked register
    they are in, if any."""
    entered = EntryMember.objects.filter(person__in=person_ids, entry__withdrawn_at=None)
    still = entered.filter(tournament__state__in=UNFINISHED).select_related("tournament").first()
    if still is not None:
        raise RegisterError("still_entered", name=still.tournament.name)
    people = list(Person.objects.filter(pk__in=person_ids))
    for person in people:
        forget_answers(name=person.typed_name)
    if register is not None:
        for person in people:
            bury(make_digest(person.typed_name), now, register=register)
            _clean_drafts(register, person.typed_name)
        write_register_log(register, by, "forgotten", now)
    mark_circuits_with(person_ids, now)
    note_changes(Tournament.objects.filter(points__person__in=person_ids), now)
    if not keeps_name:
        CircuitLink.objects.filter(Q(person__in=person_ids) | Q(same_as__in=person_ids)).delete()
        for person in people:
            _replace_name(person, by, now)
        forget_claims(person_ids)  # now that their tournaments are locked
    if register is not None:
        RegisterCard.objects.filter(register=register, person__in=person_ids).delete()
    drop_unused_people(person_ids)


def _replace_name(person: Person, by: Player | None, now: datetime) -> None:
    """Replace a person's name in the results and the log of all their tournaments."""
    involved = Q(members__person=person) | Q(rounds__fixtures__line_ups__person=person)
    tournaments = [
        lock_tournament(key)
        for key in Tournament.objects.filter(involved).order_by("pk").values_list("pk", flat=True).distinct()
    ]
    for tournament in tournaments:
        bury(make_digest(person.name), now, tournament=tournament)
        others = list_typed_people(tournament).exclude(pk=person.pk)
        alone = all(make_name_key(other.typed_name) != make_name_key(person.typed_name) for other in others)
        replace_in_log(tournament, {person.name, person.typed_name} if alone else {person.name}, FORGOTTEN_NAME)
    forgotten = Person.objects.filter(typed_name=FORGOTTEN_NAME, memberships__tournament__in=tournaments)
    taken = set(forgotten.values_list("suffix", flat=True))
    possible = ["", *(str(number) for number in range(2, len(taken) + 3))]
    person.suffix = next(suffix for suffix in possible if suffix not in taken)
    person.typed_name, person.initials = FORGOTTEN_NAME, False
    person.save(update_fields=["typed_name", "suffix", "initials"])
    follow_names([person.pk], now)
    for tournament in tournaments:
        write_log(tournament, "name_forgotten", now, by, LogDetail())
        store_version(tournament)


def _clean_drafts(register: Register, name: str) -> None:
    key = make_name_key(name)
    for draft in register.drafts.select_for_update():
        kept = [row for row in draft.rows if make_name_key(row["name"]) != key]
        if len(kept) < len(draft.rows):
            draft.rows, draft.checked = kept, None  # its faults say names
            draft.save(update_fields=["rows", "checked"])


@transaction.atomic
def forget_again(tombstones: Collection[Tombstone], now: datetime) -> int:
    """Forget once more whom a restored copy has brought back, by the tombstones of before. Return how many that were.

    RegisterError "still_entered" where a restored tournament goes on with them.
    """
    count = 0
    for stone in tombstones:
        register, tournament = stone.find_register(), stone.find_tournament()
        if register is not None:
            bury(stone.digest, now, register=register)
            cards = RegisterCard.objects.filter(register=register).present().with_people()
            for card in [one for one in cards if is_forgotten(one.person.typed_name, (stone.digest,))]:
                _forget_people(list_person_ids(card), None, now, register=register, keeps_name=True)
                count += 1
        elif tournament is not None:
            bury(stone.digest, now, tournament=tournament)
            for person in [one for one in list_typed_people(tournament) if is_forgotten(one.name, (stone.digest,))]:
                _replace_name(person, None, now)
                count += 1
    return count
