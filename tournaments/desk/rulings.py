"""Reads of the acts of a tournament's referees, as everybody may read them (F3). It never writes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from players.models import Person
from tournaments.core.log_details import ACT, PLAIN_ENTRIES, ActDetail, ReplacementDetail, read_detail
from tournaments.core.reads import read_entries_of, rename_entry
from tournaments.core.rows import EntryRow
from tournaments.core.withheld import hide_withheld_acts
from tournaments.models import Entry, LogEntry, Tournament


@dataclass(frozen=True, slots=True)
class Ruling:
    """An act of a referee as everybody reads it (F3). The entries are None where it was about none."""

    log_entry: LogEntry
    code: str
    detail: ActDetail
    first: EntryRow | None
    second: EntryRow | None
    entry: EntryRow | None
    people: tuple[str, ...]  # who went and who came, where somebody was replaced; all are the persons of that time


def list_rulings(
    tournament: Tournament,
    all_entries: Iterable[EntryRow],
    fixture_id: int | None = None,
    *,
    latest: int | None = None,
    before_reveal: bool = False,
) -> tuple[Ruling, ...]:
    """Return the acts of its referees, or those about one fixture, the last first (F3); ``latest``: so many of them.

    ``before_reveal``: also those that wait for the end of their round (J12), for whoever has just acted.
    """
    by_id = {entry.entry_id: entry for entry in all_entries}
    logged = LogEntry.objects.filter(tournament=tournament, code__startswith=ACT).select_related("player")
    if not before_reveal:
        logged = hide_withheld_acts(logged, tournament)
    if fixture_id is None:
        logged = logged.exclude(code__in=[f"{ACT}{what}" for what in PLAIN_ENTRIES])  # plain entries are no rulings
    else:
        logged = logged.filter(detail__place__fixture=fixture_id)
    acts = [(entry, read_detail(entry, ActDetail)) for entry in logged.order_by("-pk")[:latest]]
    named = {pk for _entry, detail in acts for pk in _list_entries(detail) if pk is not None}
    if missing := named - by_id.keys():  # of a big tournament not all entries were read
        by_id |= read_entries_of(Entry.objects.filter(tournament=tournament, pk__in=missing))
    ids = {pk for _entry, detail in acts for people in _list_people(detail) for pk in people}
    people = Person.objects.select_related("player").in_bulk(ids)
    return tuple(_make_ruling(entry, detail, by_id, people) for entry, detail in acts)


def _list_entries(detail: ActDetail) -> tuple[int | None, int | None, int | None]:
    """Return the ids of an act's entries: its fixture's two, and its own."""
    place = detail.place
    return (None, None, detail.entry) if place is None else (place.first, place.second, detail.entry)


def _list_people(detail: ActDetail) -> tuple[tuple[int, ...], ...]:
    """Return the ids of an act's persons: of its fixture's two entries, of its entry, and those who went and came."""
    first, second = ((), ()) if detail.place is None else detail.place.persons
    return first, second, detail.members, detail.changed if isinstance(detail, ReplacementDetail) else ()


def _make_ruling(
    log_entry: LogEntry, detail: ActDetail, by_id: dict[int, EntryRow], people: dict[int, Person]
) -> Ruling:
    """Return an act with the entries as they were then."""
    *by_entry, changed = ([people[pk] for pk in ids if pk in people] for ids in _list_people(detail))

    def make_entry_then(entry_id: int | None, then: Sequence[Person]) -> EntryRow | None:
        row = by_id.get(entry_id or 0)
        return row if row is None or not then else rename_entry(row, then)

    first, second, entry = (make_entry_then(*one) for one in zip(_list_entries(detail), by_entry, strict=True))
    return Ruling(
        log_entry=log_entry,
        code=log_entry.code.removeprefix(ACT),
        detail=detail,
        first=first,
        second=second,
        entry=entry,
        people=tuple(person.public_name for person in changed),
    )
