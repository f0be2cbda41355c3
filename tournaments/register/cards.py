"""Cards of a register: added and edited, one at a time (I1).

Everything that writes in a register begins with ``lock_register`` and ends in its log, which holds no names.
"""

import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from players import caps
from players.clean_text import clean_line
from players.models import Person, Player
from players.names import BadName, clean_typed_name, make_name_key
from tournaments.core.circuit_marks import mark_circuits_with
from tournaments.core.states import UNFINISHED
from tournaments.entries.typed_names import Suffixes
from tournaments.models import EntryMember, Register, RegisterCard, RegisterLogEntry, Tournament
from tournaments.rankings.points import follow_names
from tournaments.register.errors import RegisterError
from tournaments.register.queries import count_cards, count_namesakes, keeps_register, list_person_ids
from tournaments.register.tombstones import is_forgotten, read_forgotten

MAX_NUMBER_CHARS, MAX_CONTACT_CHARS, MAX_LEVEL_CHARS, MAX_NOTES_CHARS = 20, 200, 20, 500
FIRST_YEAR = 1900
ADULT_AGE = 14  # at which a name may stand in public (I1)


@dataclass(frozen=True, slots=True)
class CardValues:
    """The contents of a card, as they were typed."""

    name: str
    number: str = ""
    birth_year: int | None = None
    contact: str = ""
    level: str = ""
    notes: str = ""
    minor: bool = False


@transaction.atomic
def add_card(
    *, register: Register, by: Player, values: CardValues, now: datetime, namesake: bool = False
) -> RegisterCard:
    """Add a person. ``namesake``: it is another one than whoever has that name already.

    RegisterError: too_many_cards, and what ``write_values`` refuses.
    """
    register = lock_register(register, by)
    if count_cards(register) >= caps.MAX_REGISTER_CARDS:
        raise RegisterError("too_many_cards", limit=caps.MAX_REGISTER_CARDS)
    card = write_values(make_card(register, now), values, now, namesake=namesake)
    write_register_log(register, by, "added", now, card=card)
    return card


@transaction.atomic
def edit_card(
    *, register: Register, by: Player, card_id: str, values: CardValues, now: datetime, namesake: bool = False
) -> RegisterCard:
    """Change a card. A name that is mended is mended in results too, where the person is the same."""
    register = lock_register(register, by)
    card = write_values(get_card(register, card_id), values, now, namesake=namesake)
    write_register_log(register, by, "edited", now, card=card)
    return card


def lock_register(register: Register, by: Player) -> Register:
    """Lock the register until the transaction ends, stored if it wasn't yet. RegisterError for whoever doesn't keep
    it."""
    if by.kind != Player.Kind.MEMBER:
        raise RegisterError("account_needed")
    if not keeps_register(register, by):
        raise RegisterError("not_keeper")
    made, _new = Register.objects.get_or_create(club=register.club, organiser=register.organiser)
    return lock_row(made)


def lock_row(register: Register) -> Register:
    """Lock a stored register until the transaction ends, whoever asks."""
    return Register.objects.select_for_update(of=("self",)).select_related("club", "organiser").get(pk=register.pk)


def get_card(register: Register, card_id: str) -> RegisterCard:
    """Return the card of that public id, which isn't merged into another; RegisterError if there is none."""
    card = RegisterCard.objects.filter(register_id=register.pk, public_id=card_id).present().with_people().first()
    if card is None:
        raise RegisterError("no_card")
    return card


def make_card(register: Register, now: datetime) -> RegisterCard:
    """Return a new card with a new person; nothing is stored."""
    return RegisterCard(register=register, person=Person(), created_at=now)


def write_values(card: RegisterCard, values: CardValues, now: datetime, *, namesake: bool) -> RegisterCard:
    """Check and store the contents of a card of a locked register, with its person. RegisterError names the fault."""
    try:
        name = clean_typed_name(values.name)
    except BadName as error:
        raise RegisterError(f"name_{error.code}") from error
    if values.birth_year is not None and not FIRST_YEAR <= values.birth_year <= now.year:
        raise RegisterError("year_wrong", low=FIRST_YEAR, high=now.year)
    values = replace(values, name=name, number=clean_line(values.number))
    if values.number:
        others = RegisterCard.objects.filter(register=card.register, number=values.number).present()
        other = others.exclude(pk=card.pk).first()
        if other is not None:
            raise RegisterError("number_taken", name=str(other))
    key = make_name_key(name)
    if not namesake and key != card.name_key and count_namesakes(card.register, key, card):
        raise RegisterError("name_taken", name=name)
    if not namesake and key != card.name_key and is_forgotten(name, read_forgotten(card.register)):
        raise RegisterError("name_forgotten", name=name)
    fill_card(card, values, now)
    card.person.save()
    card.save()
    renew_initials(card, now)
    return card


def fill_card(card: RegisterCard, values: CardValues, now: datetime) -> RegisterCard:
    """Put checked contents into a card and its person; nothing is stored."""
    card.person.typed_name = values.name
    card.person.initials = values.minor or may_be_child(values.birth_year, now)
    card.name_key = make_name_key(values.name)
    card.number, card.birth_year, card.minor = values.number[:MAX_NUMBER_CHARS], values.birth_year, values.minor
    card.contact, card.level = (
        clean_line(values.contact)[:MAX_CONTACT_CHARS],
        clean_line(values.level)[:MAX_LEVEL_CHARS],
    )
    card.notes = clean_line(values.notes)[:MAX_NOTES_CHARS]
    return card


def read_values(card: RegisterCard) -> CardValues:
    """Return the contents of a card."""
    return CardValues(
        name=card.person.typed_name,
        number=card.number,
        birth_year=card.birth_year,
        contact=card.contact,
        level=card.level,
        notes=card.notes,
        minor=card.minor,
    )


def may_be_child(birth_year: int | None, now: datetime) -> bool:
    """Tell if who was born in that year may still be under 14: until the year in which they are is over."""
    return birth_year is not None and now.year - birth_year <= ADULT_AGE


def renew_initials(card: RegisterCard, now: datetime) -> None:
    """Show the person and their doubles by initials, or not, as the card says."""
    initials, people = card.minor or may_be_child(card.birth_year, now), list_person_ids(card)
    Person.objects.filter(pk__in=people).update(initials=initials)
    _tell_apart(people)
    follow_shown_names(people, now)


def _tell_apart(person_ids: Collection[int]) -> None:
    """Give these people, where somebody is called alike in a tournament of theirs, what tells them apart (O2)."""
    for person in Person.objects.filter(pk__in=person_ids, memberships__isnull=False).distinct():
        alike = EntryMember.objects.filter(tournament=OuterRef("pk"), person__typed_key=person.typed_key)
        alike = alike.exclude(person=person)
        entered = Tournament.objects.filter(members__person=person)
        rows = entered.filter(Q(Exists(alike)) | Q(state__in=UNFINISHED))
        others = [Suffixes(tournament, but=person) for tournament in rows.distinct()]
        possible = itertools.chain([person.suffix, ""], map(str, itertools.count(2)))
        name, minor = person.typed_name, person.initials
        free = (one for one in possible if not any(shown.has(name, one, minor=minor) for shown in others))
        if (suffix := next(free)) != person.suffix:
            person.suffix = suffix
            person.save(update_fields=["suffix"])


def follow_shown_names(person_ids: Collection[int], now: datetime) -> None:
    """Have circuits and rankings show these people, and find them, as everybody is shown them now (I1)."""
    mark_circuits_with(person_ids, now)
    follow_names(person_ids, now)


def write_register_log(
    register: Register,
    by: Player | None,
    code: str,
    now: datetime,
    *,
    card: RegisterCard | None = None,
    double: RegisterCard | None = None,
    filled: Sequence[str] = (),
    count: int | None = None,
) -> RegisterLogEntry:
    """Store what was done, to which card or to how many; never what somebody is called or can be reached by."""
    return RegisterLogEntry.objects.create(
        register=register, player=by, at=now, code=code, card=card, double=double, filled=list(filled), count=count
    )
