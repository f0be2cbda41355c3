"""A tournament as the document of a file: names, opaque ids, results, log. It writes nothing.

Never in it: contacts, accounts, tokens, codes, secrets, cards.
"""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models

from players.keyed_digests import list_keyed_digests
from players.models import Person
from tournaments.core.errors import TournamentError
from tournaments.models import (
    Entry,
    EntryMember,
    Fixture,
    ForbiddenPairing,
    LineUp,
    LogEntry,
    PlayOff,
    Round,
    Tournament,
)
from tournaments.transfer.document import MAX_FILE_BYTES, Document, LoanSlip
from tournaments.transfer.faults import JsonObject
from tournaments.transfer.field_lists import STATES, list_carried
from tournaments.transfer.log_references import ENTRY, FIXTURE, LOGGED, PERSON, translate_detail
from tournaments.venues import Venue

GONE = "-"  # a row that a log entry names and that is no more


@dataclass(slots=True)
class OpaqueIds:
    """Opaque ids of entries and persons, by kind and key. Those of a loan are kept by both sites; others are new."""

    by_key: dict[str, dict[int, str]] = field(default_factory=lambda: {ENTRY: {}, PERSON: {}})

    def get(self, kind: str, key: int) -> str:
        return self.by_key[kind].setdefault(key, secrets.token_hex(8))

    def to_json(self) -> dict[str, dict[str, int]]:
        """Return the keys by kind and opaque id, as they are stored."""
        return {kind: {opaque: key for key, opaque in keys.items()} for kind, keys in self.by_key.items()}

    @classmethod
    def from_json(cls, stored: Mapping[str, Mapping[str, int]]) -> "OpaqueIds":
        """Return the ids that ``to_json`` gave."""
        return cls({kind: {key: opaque for opaque, key in stored.get(kind, {}).items()} for kind in (ENTRY, PERSON)})


def compute_site_id() -> str:
    """Return this site's opaque id: the same as long as its secret key is."""
    return list_site_ids()[0]


def list_site_ids() -> tuple[str, ...]:
    """Return the ids that files of this site may say: by its present secret key first, then by each of before."""
    return tuple(digest[:32] for digest in list_keyed_digests("tournaments.transfer", "site"))


def name_site() -> str:
    """Return the name by which people know this site: its address."""
    return urlsplit(settings.SITE_URL).netloc[:80]


def require_portable(tournament: Tournament) -> None:
    """Raise TournamentError where a tournament can't travel now: lent, cancelled, with tables open or house players;
    with equal deals it never does, for its secrets stay where its tables are (J9)."""
    if tournament.lent_to:
        raise TournamentError("lent", to=tournament.lent_to)
    if tournament.state not in STATES:
        raise TournamentError("over")
    if Fixture.objects.of(tournament).playing().filter(match__isnull=False).exists():
        raise TournamentError("tables_open")
    if tournament.members.bots().exists():
        raise TournamentError("house_inside")
    if tournament.equal_deals:
        raise TournamentError("equal_deals_stay")


def make_document(
    tournament: Tournament, now: datetime, *, ids: OpaqueIds | None = None, loan: LoanSlip | None = None
) -> Document:
    """Return the document of a tournament as it is; ``loan``: of the loan that takes it away."""
    return Document(
        site=compute_site_id(),
        site_name=name_site(),
        tournament=tournament.public_id,
        revision=tournament.version,
        written_at=_write_value(now),
        loan=loan,
        body=make_body(tournament, OpaqueIds() if ids is None else ids),
    )


def make_copy(tournament: Tournament, now: datetime) -> bytes:
    """Return the file of a copy. TournamentError: lent, over, tables_open, house_inside, equal_deals_stay,
    file_too_big."""
    require_portable(tournament)
    return encode_document(make_document(tournament, now))


def encode_document(document: Document) -> bytes:
    """Return the file of a document. TournamentError where no site would take it in: file_too_big."""
    data = document.encode()
    if len(data) > MAX_FILE_BYTES:
        raise TournamentError("file_too_big", limit=MAX_FILE_BYTES // 1024 // 1024)
    return data


def make_body(tournament: Tournament, ids: OpaqueIds) -> JsonObject:
    """Return the body of the file; ``ids`` gets an opaque id for each row that has none."""
    members: dict[int, list[EntryMember]] = defaultdict(list)
    people: dict[int, Person] = {}
    for member in EntryMember.objects.filter(tournament=tournament).with_people().order_by("entry", "position"):
        members[member.entry_id].append(member)
        people[member.person_id] = member.person
    line_ups: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for row in LineUp.objects.of(tournament).with_people().order_by("fixture", "side", "position"):
        line_ups[row.fixture_id][row.side].append(row.person_id)
        people[row.person_id] = row.person
    slots = {pk: name_slot(number, board, part) for pk, number, board, part in _list_slots(tournament)}
    logged = list(list_log(tournament))
    people |= _read_persons(logged, people)
    places = {entry.pk: str(place) for place, entry in enumerate(logged, start=1)}
    rows = {ENTRY: set(tournament.entries.values_list("pk", flat=True)), PERSON: people.keys()}

    def name_row(kind: str, key: Any) -> str:
        if kind == FIXTURE:
            return slots.get(key, GONE)
        if kind == LOGGED:
            return places.get(key, GONE)
        return ids.get(kind, key) if key in rows[kind] else GONE

    log = [_write_log_entry(entry, name_row) for entry in logged]
    return {
        "tournament": _write_row(tournament),
        "entries": [_write_entry(entry, members[entry.pk], ids) for entry in list_entries(tournament)],
        "forbidden": [_write_ban(ban, ids) for ban in tournament.forbidden_pairings.order_by("pk")],
        "rounds": [_write_round(round_, line_ups, ids) for round_ in _list_rounds(tournament)],
        "play_offs": [write_play_off(play_off, ids) for play_off in tournament.play_offs.all()],
        "log": log,
        "persons": [_write_person(people[key], ids) for key in sorted(people)],
    }


def _write_person(person: Person, ids: OpaqueIds) -> JsonObject:
    name = person.typed_name if person.player is None else person.player.name
    return {"id": ids.get(PERSON, person.pk), "name": name, **_write_row(person)}


def _read_persons(logged: Iterable[LogEntry], persons: Mapping[int, Person]) -> dict[int, Person]:
    """Return the persons whom the log alone still names: who was replaced (F2)."""
    named: set[int] = set()

    def note(kind: str, key: Any) -> Any:
        if kind == PERSON:
            named.add(key)
        return key

    for entry in logged:
        translate_detail(entry.code, entry.detail, note)
    return Person.objects.select_related("player").in_bulk(named - persons.keys())


def list_log(tournament: Tournament) -> "models.QuerySet[LogEntry]":
    """Return the whole log, the first entry first."""
    return LogEntry.objects.filter(tournament=tournament).select_related("player").order_by("pk")


def list_entries(tournament: Tournament) -> "models.QuerySet[Entry]":
    """Return the entries in the order of the file: by seed, before the draw as they came."""
    entries = Entry.objects.filter(tournament=tournament).prefetch_related("byes")
    return entries.order_by(models.F("seed").asc(nulls_last=True), "pk")


def _list_rounds(tournament: Tournament) -> "models.QuerySet[Round]":
    return Round.objects.filter(tournament=tournament).prefetch_related("fixtures").order_by("number")


def _list_slots(tournament: Tournament) -> "models.QuerySet[Fixture, Any]":
    return Fixture.objects.of(tournament).order_by().values_list("pk", "round__number", "board", "part")


def name_slot(number: int, board: int, part: int) -> str:
    """Return the name of a fixture in a file: its round and board, and that it is a second table (O12)."""
    return f"{number}.{board}.2" if part == 2 else f"{number}.{board}"


def name_board(slot: str) -> str:
    """Return the name of a fixture's first table, by the name of either."""
    return ".".join(slot.split(".")[:2])


def _write_entry(entry: Entry, members: list[EntryMember], ids: OpaqueIds) -> JsonObject:
    people = [{"person": ids.get(PERSON, member.person_id), **_write_row(member)} for member in members]
    byes = [_write_row(bye) for bye in entry.byes.all()]
    return {"id": ids.get(ENTRY, entry.pk), "members": people, "byes": byes, **_write_row(entry)}


def _write_ban(ban: ForbiddenPairing, ids: OpaqueIds) -> JsonObject:
    return {"first": ids.get(ENTRY, ban.first_id), "second": ids.get(ENTRY, ban.second_id), **_write_row(ban)}


def _write_round(round_: Round, line_ups: Mapping[int, tuple[list[int], list[int]]], ids: OpaqueIds) -> JsonObject:
    fixtures = []
    for fixture in sorted(round_.fixtures.all(), key=lambda fixture: (fixture.part == 2, fixture.board)):
        sides = {
            name: None if key is None else ids.get(ENTRY, key)
            for name, key in (("first", fixture.first_id), ("second", fixture.second_id))
        }
        persons = [[ids.get(PERSON, key) for key in side] for side in line_ups[fixture.pk]]
        fixtures.append({**sides, "line_ups": persons, **_write_row(fixture)})
    return {**_write_row(round_), "fixtures": fixtures}


def write_play_off(play_off: PlayOff, ids: OpaqueIds) -> JsonObject:
    """Return a play-off as the file has it."""
    entries = [ids.get(ENTRY, one.entry_id) for one in play_off.entries.all()]
    return {"entries": entries, "results": list(map(_write_row, play_off.results.all())), **_write_row(play_off)}


def _write_log_entry(entry: LogEntry, name_row: Any) -> JsonObject:
    return {**_write_row(entry), "by": entry.actor_name, "detail": translate_detail(entry.code, entry.detail, name_row)}


def _write_row(row: models.Model) -> JsonObject:
    """Return the plain values of a row."""
    return {name: _write_value(getattr(row, name)) for name in list_carried(type(row))}


def _write_value(value: Any) -> Any:
    """Return a value as JSON has it; an instant in UTC, so that equal ones are equal texts."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value.code if isinstance(value, Venue) else value
