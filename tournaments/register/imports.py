"""Lists of people read into a register (I1): staged as a draft, mended there, then taken in whole or not at all.

A row is somebody who is in the register by its card (*Scheda*) or by its card number, and changes what its cells say;
any other row is a new person. Nobody is recognised by spelling: of two people of one name, a row says which.

A list is checked when it is read, mended or taken in, before anything is locked, and what was found stays with the
draft: whoever looks at it has nothing checked (AT6, AT11).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from players import caps
from players.clean_text import clean_line
from players.models import Person, Player
from players.names import BadName, clean_typed_name, make_name_key
from players.web.requests import read_number
from tournaments.core.bulk import update_rows
from tournaments.lists.spreadsheet import WHOLE_NAMES, Bounds, Headings, Unreadable, read_table
from tournaments.models import Register, RegisterCard, RegisterDraft, RegisterLogEntry
from tournaments.register.cards import (
    FIRST_YEAR,
    MAX_CONTACT_CHARS,
    MAX_LEVEL_CHARS,
    MAX_NOTES_CHARS,
    MAX_NUMBER_CHARS,
    CardValues,
    fill_card,
    follow_shown_names,
    lock_register,
    make_card,
    read_values,
    renew_initials,
    write_register_log,
)
from tournaments.register.errors import RegisterError
from tournaments.register.tombstones import is_forgotten, read_forgotten
from tournaments.sharing.file_formats import unquote

COLUMNS = {
    "card": ("scheda", "id"),
    "name": ("nome", "giocatore", "giocatrice", "name", "player", *WHOLE_NAMES),
    "surname": ("cognome", "surname", "last name"),
    "card_number": ("tessera", "numero di tessera", "n. tessera", "membership number", "card number"),
    "level": ("livello", "categoria", "level"),
    "birth_year": ("anno di nascita", "nato nel", "nascita", "year of birth", "birth year"),
    "minor": ("minore", "minor"),
    "contact": ("contatto", "telefono", "e-mail", "email", "contact", "telephone", "phone"),
    "notes": ("annotazioni", "note", "notes"),
}
CELLS = tuple(column for column in COLUMNS if column != "surname")  # of a row
HEADINGS = Headings(
    {name: column for column, names in COLUMNS.items() for name in names},
    ({"name"}, {"surname"}),
    "no_player_column",
)
LIMITS = {
    "card_number": MAX_NUMBER_CHARS,
    "level": MAX_LEVEL_CHARS,
    "contact": MAX_CONTACT_CHARS,
    "notes": MAX_NOTES_CHARS,
}
BOUNDS = Bounds(chars=max(LIMITS.values()) + 1)
MOST_FAULTS = 200  # then the check stops
YES, NO = ("sì", "si", "s", "x", "1", "yes", "y"), ("no", "n", "0", "")
FAULTS = frozenset(
    {
        "name_missing",
        "name_short",
        "name_long",
        "name_characters",
        "name_letters",
        "name_reserved",
        "name_taken",
        "name_twice",  # other: the row
        "text_long",  # other: the limit
        "year_unclear",  # other: this year
        "minor_unclear",
        "number_taken",
        "card_unknown",
        "card_twice",  # other: the row
        "no_room",  # other: the limit
    }
)


@dataclass(frozen=True, slots=True)
class DraftRow:
    """Row of a list as it was typed; ``number``: its place in the file, from 1; ``another``: somebody else than who
    has that name already."""

    number: int
    card: str = ""
    name: str = ""
    card_number: str = ""
    level: str = ""
    birth_year: str = ""
    minor: str = ""
    contact: str = ""
    notes: str = ""
    another: str = ""  # anything: yes


@dataclass(frozen=True, slots=True)
class Fault:
    """Fault of a row: ``code`` is one of FAULTS, ``column`` a field of DraftRow, ``typed`` the text there, ``other``
    the row or the limit that the code speaks of."""

    row: int
    column: str
    code: str
    typed: str = ""
    other: int = 0


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """A draft as it would be taken in now: new people, cards that change, or the faults, for which nothing is.

    ``left_out``: the rows of people who were forgotten on request; they come in by hand alone. ``stopped_at``: the row
    after which the check stopped, for there were faults enough; 0: it came to the end.
    """

    new: tuple[CardValues, ...]
    changes: tuple[tuple[RegisterCard, CardValues], ...]
    faults: tuple[Fault, ...]
    left_out: tuple[int, ...] = ()
    stopped_at: int = 0


@dataclass(frozen=True, slots=True)
class Findings:
    """Outcome of a check, as it is kept with the draft."""

    new: int
    changes: int
    left_out: int
    stopped_at: int
    faults: tuple[Fault, ...]

    @classmethod
    def of(cls, checked: CheckedDraft) -> "Findings":
        return cls(len(checked.new), len(checked.changes), len(checked.left_out), checked.stopped_at, checked.faults)


@dataclass(slots=True)
class _Seen:
    """The rows so far, by the card they change, the number they give, the name of a new person."""

    cards: dict[int, int] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    names: dict[str, DraftRow] = field(default_factory=dict)


def read_list(data: bytes) -> list[DraftRow]:
    """Return the rows of a file. Unreadable gives the code of its refusal."""
    rows: list[DraftRow] = []
    for number, record in read_table(data, HEADINGS, BOUNDS).list_records():
        values = {name: unquote(cell) for name, cell in record.items()}
        name = " ".join(filter(None, (values.get("name", ""), values.pop("surname", ""))))
        if any(values.values()) or name:
            rows.append(_make_row(number, {**values, "name": name}))
    if not rows:
        raise Unreadable("no_rows")
    if len(rows) > caps.MAX_REGISTER_CARDS:
        raise Unreadable("too_many_rows")
    return rows


def _make_row(number: int, cells: Mapping[str, str]) -> DraftRow:
    return DraftRow(**{"number": number, **cells})  # type: ignore[arg-type]


def stage_list(*, register: Register, by: Player, rows: Sequence[DraftRow], now: datetime) -> RegisterDraft:
    """Keep a list as the draft of whoever reads it in, with what is wrong with it. An earlier one goes: each page
    knows by the key which list it shows."""
    findings = asdict(Findings.of(check_rows(register, rows, now)))
    with transaction.atomic():
        register = lock_register(register, by)
        RegisterDraft.objects.filter(register=register, player=by).delete()
        listed = [asdict(row) for row in rows]
        return RegisterDraft.objects.create(register=register, player=by, rows=listed, made_at=now, checked=findings)


def find_draft(register: Register, by: Player) -> RegisterDraft | None:
    """Return the reader's draft, None if there is none."""
    return RegisterDraft.objects.filter(register_id=register.pk, player=by).first()


def list_rows(draft: RegisterDraft) -> list[DraftRow]:
    """Return the rows of a draft."""
    return [DraftRow(**row) for row in draft.rows]


def read_findings(draft: RegisterDraft) -> Findings | None:
    """Return what the last check found in a draft; None where it has to be looked at."""
    if draft.checked is None:
        return None
    return Findings(**{**draft.checked, "faults": tuple(Fault(**fault) for fault in draft.checked["faults"])})


def mend_rows(
    *, register: Register, by: Player, changes: Mapping[int, Mapping[str, str]], dropped: Iterable[int], now: datetime
) -> None:
    """Change cells of the draft, by the rows' numbers, leave rows out, and check it anew. RegisterError: no_draft."""
    draft = _get_draft(register, by)
    rows = _change_rows(draft, changes, out := set(dropped))
    findings: dict[str, Any] | None = asdict(Findings.of(check_rows(register, rows, now)))
    with transaction.atomic():
        register = lock_register(register, by)
        kept = _get_draft(register, by, locked=True)
        if kept.pk != draft.pk:
            raise RegisterError("no_draft")
        if kept.rows != draft.rows:  # mended in another window meanwhile
            rows, findings = _change_rows(kept, changes, out), None
        kept.rows, kept.made_at, kept.checked = [asdict(row) for row in rows], now, findings
        kept.save(update_fields=["rows", "made_at", "checked"])
        if not rows:
            kept.delete()


def _change_rows(
    draft: RegisterDraft, changes: Mapping[int, Mapping[str, str]], dropped: Collection[int]
) -> list[DraftRow]:
    rows = []
    for row in list_rows(draft):
        if row.number not in dropped:
            cells = {name: clean_line(text) for name, text in changes.get(row.number, {}).items()}
            rows.append(DraftRow(**{**asdict(row), **cells}))
    return rows


def drop_draft(*, register: Register, by: Player) -> None:
    """Throw the draft away."""
    RegisterDraft.objects.filter(register_id=register.pk, player=by).delete()


def import_draft(*, register: Register, by: Player, now: datetime, without_faulty: bool = False) -> CheckedDraft:
    """Take the draft in, all of it, and return what was done; with a fault nothing is, and it stays with the draft.

    ``without_faulty``: rows with a fault stay in the draft, and all others come in, unless the check stopped before the
    last row. RegisterError: no_draft, register_changed.
    """
    draft = _get_draft(register, by)
    rows = list_rows(draft)
    listed = check_list(register, rows, now)
    faulty = {fault.row for fault in listed.checked.faults}
    leave_out = without_faulty and bool(faulty) and not listed.checked.stopped_at
    if leave_out:
        listed = check_list(register, [row for row in rows if row.number not in faulty], now)
    with transaction.atomic():
        kept = _get_draft(lock_register(register, by), by, locked=True)
        if kept.rows != draft.rows:
            raise RegisterError("register_changed")
        if listed.checked.faults:
            kept.checked = asdict(Findings.of(listed.checked))
            kept.save(update_fields=["checked"])
            return listed.checked
        store_list(register=register, by=by, listed=listed, now=now)
        if leave_out:
            left = [row for row in rows if row.number in faulty]
            kept.rows = [asdict(row) for row in left]
            kept.checked = asdict(Findings.of(check_rows(register, left, now)))
            kept.save(update_fields=["rows", "checked"])
        else:
            kept.delete()
    return listed.checked


@dataclass(frozen=True, slots=True)
class ListToStore:
    """A checked list, and the last entry of the register's log when it was: whatever changes a register writes one."""

    checked: CheckedDraft
    last_entry: int | None


def check_list(register: Register, rows: Sequence[DraftRow], now: datetime) -> ListToStore:
    """Return what taking these rows in would do, to be stored if the register stays as it is."""
    last_entry = _find_last_entry(register)
    return ListToStore(check_rows(register, rows, now), last_entry)


@transaction.atomic
def store_list(*, register: Register, by: Player, listed: ListToStore, now: datetime) -> None:
    """Take a list without faults in. RegisterError: register_changed, since it was checked."""
    checked, register = listed.checked, lock_register(register, by)
    if _find_last_entry(register) != listed.last_entry:
        raise RegisterError("register_changed")
    made = [fill_card(make_card(register, now), values, now) for values in checked.new]
    Person.objects.bulk_create([card.person for card in made], batch_size=500)
    RegisterCard.objects.bulk_create(made, batch_size=500)
    changed = [fill_card(card, values, now) for card, values in checked.changes]
    for card in changed:
        card.person.typed_key = make_name_key(card.person.typed_name)
    update_rows([card.person for card in changed], ["typed_name", "typed_key", "initials"])
    update_rows(changed, ["name_key", "number", "birth_year", "contact", "level", "notes", "minor"])
    for card in RegisterCard.objects.filter(pk__in=[card.pk for card in changed], doubles__isnull=False).distinct():
        renew_initials(card, now)
    follow_shown_names([card.person_id for card in changed], now)
    write_register_log(register, by, "imported", now, count=len(made) + len(changed))


def _find_last_entry(register: Register) -> int | None:
    """Return the key of the last entry in the log of a register, which may not be stored yet."""
    entries = RegisterLogEntry.objects.filter(register_id=register.pk)
    return None if register.pk is None else entries.order_by("-pk").values_list("pk", flat=True).first()


def _get_draft(register: Register, by: Player, *, locked: bool = False) -> RegisterDraft:
    """Return the reader's draft; ``locked`` until the transaction ends, so that nobody throws it away meanwhile.
    RegisterError: no_draft."""
    drafts = RegisterDraft.objects.filter(register_id=register.pk, player=by)
    draft = (drafts.select_for_update() if locked else drafts).first()
    if draft is None:
        raise RegisterError("no_draft")
    return draft


def check_rows(register: Register, rows: Sequence[DraftRow], now: datetime) -> CheckedDraft:
    """Return what taking these rows in would do now, in one query. Each fault is told once; after MOST_FAULTS no more
    rows are looked at."""
    cards = list(RegisterCard.objects.filter(register_id=register.pk).present().with_people())
    by_id = {card.public_id: card for card in cards}
    by_number = {card.number: card for card in cards if card.number}
    by_name: dict[str, list[RegisterCard]] = {}
    for card in cards:
        by_name.setdefault(card.name_key, []).append(card)
    seen, faults = _Seen(), list[Fault]()
    new: list[CardValues] = []
    changes: list[tuple[RegisterCard, CardValues]] = []
    forgotten, left_out = read_forgotten(register), list[int]()
    for place, row in enumerate(rows):
        if len(faults) >= MOST_FAULTS:
            stopped_at = rows[place - 1].number
            return CheckedDraft(tuple(new), tuple(changes), tuple(faults), tuple(left_out), stopped_at)
        if forgotten and is_forgotten(row.name, forgotten) and row.card not in by_id:
            left_out.append(row.number)
            continue
        values, own = _read_row(row, now)
        person = by_id.get(row.card) if row.card else by_number.get(row.card_number)
        if row.card and person is None:
            own.append(Fault(row.number, "card", "card_unknown", row.card))
        elif person is not None:
            own += _check_change(row, person, by_number, seen)
            changes.append((person, _merge_values(person, row, values)))
        else:
            own += _check_new(row, by_name.get(make_name_key(row.name), ()), seen)
            new.append(values)
            if len(cards) + len(new) > caps.MAX_REGISTER_CARDS:
                own.append(Fault(row.number, "name", "no_room", row.name, caps.MAX_REGISTER_CARDS))
        faults += own
    return CheckedDraft(tuple(new), tuple(changes), tuple(faults), tuple(left_out))


def _read_row(row: DraftRow, now: datetime) -> tuple[CardValues, list[Fault]]:
    """Return a row's cells as a card has them, and what is wrong with them."""
    faults = []
    name = row.name
    if not name:
        faults.append(Fault(row.number, "name", "name_missing"))
    else:
        try:
            name = clean_typed_name(row.name)
        except BadName as error:
            faults.append(Fault(row.number, "name", f"name_{error.code}", row.name))
    for column, limit in LIMITS.items():
        if len(text := getattr(row, column)) > limit:
            faults.append(Fault(row.number, column, "text_long", text, limit))
    year = read_number(row.birth_year, 0, digits=4)
    if row.birth_year and not FIRST_YEAR <= year <= now.year:
        faults.append(Fault(row.number, "birth_year", "year_unclear", row.birth_year, now.year))
    minor = row.minor.casefold()
    if minor not in (*YES, *NO):
        faults.append(Fault(row.number, "minor", "minor_unclear", row.minor))
    values = CardValues(
        name=name,
        number=row.card_number,
        birth_year=year or None,
        contact=row.contact,
        level=row.level,
        notes=row.notes,
        minor=minor in YES,
    )
    return values, faults


def _check_change(
    row: DraftRow, card: RegisterCard, by_number: Mapping[str, RegisterCard], seen: _Seen
) -> Iterable[Fault]:
    """Yield what is wrong with changing that card by this row."""
    if not row.card and card.name_key != make_name_key(row.name):
        yield Fault(row.number, "card_number", "number_taken", row.card_number)  # a number is mistyped, a name too
        return
    if seen.cards.setdefault(card.pk, row.number) != row.number:
        yield Fault(row.number, "card" if row.card else "card_number", "card_twice", row.name, seen.cards[card.pk])
    holder = by_number.get(row.card_number, card) if row.card_number else card
    if holder != card or (row.card_number and seen.numbers.setdefault(row.card_number, row.number) != row.number):
        yield Fault(row.number, "card_number", "number_taken", row.card_number)


def _check_new(row: DraftRow, namesakes: Sequence[RegisterCard], seen: _Seen) -> Iterable[Fault]:
    """Yield what is wrong with this row as a new person."""
    if row.card_number and seen.numbers.setdefault(row.card_number, row.number) != row.number:
        yield Fault(row.number, "card_number", "card_twice", row.card_number, seen.numbers[row.card_number])
        return
    key = make_name_key(row.name)
    if not key or row.another:
        return
    if any(not (row.card_number and card.number) for card in namesakes):
        yield Fault(row.number, "name", "name_taken", row.name)
        return
    first = seen.names.setdefault(key, row)
    if first != row and not (row.card_number and first.card_number):
        yield Fault(row.number, "name", "name_twice", row.name, first.number)


def _merge_values(card: RegisterCard, row: DraftRow, values: CardValues) -> CardValues:
    """Return a card's contents with those of a row's cells that say something."""
    kept = read_values(card)
    return CardValues(
        name=values.name or kept.name,
        number=values.number or kept.number,
        birth_year=values.birth_year or kept.birth_year,
        contact=values.contact or kept.contact,
        level=values.level or kept.level,
        notes=values.notes or kept.notes,
        minor=values.minor if row.minor else kept.minor,
    )
