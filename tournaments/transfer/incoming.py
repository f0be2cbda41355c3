"""Taking in a tournament's file: a new tournament, all of it or nothing.

Its rows get new local ids and its people are names without accounts. It is marked as imported, counts for no level and
opens no tables of the site: what was played there goes on at real tables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from players.clean_text import clean_line
from players.models import Person, Player
from players.names import clean_carried_name
from tournaments.core.draw_secret import settle_lots
from tournaments.core.errors import TournamentError
from tournaments.core.locking import write_log
from tournaments.core.log_details import SiteDetail
from tournaments.core.states import UNDRAWN
from tournaments.models import (
    Arrival,
    Entry,
    EntryMember,
    Fixture,
    ForbiddenPairing,
    LineUp,
    LogEntry,
    Round,
    RoundBye,
    Tournament,
)
from tournaments.organise.settings import apply_settings, count_tournament, read_settings, require_below_limit
from tournaments.rankings.points import store_points
from tournaments.transfer.checks import read_row, require_consistent, require_sound
from tournaments.transfer.document import Document, read_document
from tournaments.transfer.faults import FileFault, FileRefused, JsonObject
from tournaments.transfer.field_lists import BODY
from tournaments.transfer.log_references import ENTRY, FIXTURE, LOGGED, PERSON, translate_detail
from tournaments.transfer.outgoing import GONE, compute_site_id, name_slot
from tournaments.transfer.venue import move_to_hall

BATCH = 500
GONE_KEY = 0  # of a row that a log entry names and that is no more


@dataclass(frozen=True, slots=True)
class StoredRows:
    """The keys of a body's rows, by their opaque ids; of fixtures by round and board, of log entries by place."""

    entries: Mapping[str, int]
    persons: Mapping[str, int]
    fixtures: Mapping[str, int]
    logged: Mapping[str, int] = field(default_factory=dict)

    def find(self, kind: str, opaque: object) -> int:
        """Return the key of a row; ValueError for one that the file doesn't have."""
        keys = {ENTRY: self.entries, PERSON: self.persons, FIXTURE: self.fixtures, LOGGED: self.logged}[kind]
        if opaque == GONE:
            return GONE_KEY
        if not isinstance(opaque, str) or opaque not in keys:
            raise ValueError(opaque)
        return keys[opaque]


def read_file(data: bytes) -> Document:
    """Return the document of a file whose values are sound. FileRefused with every fault."""
    document = read_document(data, BODY)
    require_sound(document.body)
    return document


def import_document(document: Document, by: Player, now: datetime) -> Tournament:
    """Store a sound document as a new tournament that ``by`` organises, or nothing of it.

    FileRefused for what isn't consistent; TournamentError: not_a_member, file_own, file_twice, and the limits of who
    organises.
    """
    with transaction.atomic():
        if by.is_guest:
            raise TournamentError("not_a_member")
        _require_new(document)
        if document.body["tournament"]["state"] in UNDRAWN:
            require_below_limit(by)
        count_tournament(by, now)
        tournament = _store_tournament(document, by)
        rows = store_rows(tournament, document.body)
        require_consistent(tournament)
        ids = {ENTRY: dict(rows.entries), PERSON: dict(rows.persons)}
        Arrival.objects.create(
            tournament=tournament,
            site=document.site,
            origin=document.tournament,
            revision=document.revision,
            at=now,
            ticket="" if document.loan is None else document.loan.ticket,
            ids=ids,
        )
        write_log(tournament, "imported", now, by, SiteDetail(site=tournament.imported_from))
        move_to_hall(tournament, now)
        settle_lots(tournament, now)
        store_points(tournament, now)
    return tournament


def _require_new(document: Document) -> None:
    """Raise TournamentError for a file of this very site, or one that was taken in before."""
    if document.site == compute_site_id() and Tournament.objects.filter(public_id=document.tournament).exists():
        raise TournamentError("file_own")
    known = {"site": document.site, "origin": document.tournament, "revision": document.revision}
    if Arrival.objects.filter(**known).exists():
        raise TournamentError("file_twice")


def _store_tournament(document: Document, by: Player) -> Tournament:
    tournament = Tournament(
        **read_row(Tournament, document.body["tournament"]),
        organiser=by,
        house_allowed=False,
        version=document.revision,
        imported_from=clean_line(document.site_name) or document.site[:12],
    )
    apply_settings(tournament, read_settings(tournament))  # cleans its texts, makes a link or a code where it needs one
    tournament.save()
    return tournament


def store_rows(tournament: Tournament, body: Mapping[str, Any]) -> StoredRows:
    """Store the rows of a sound body under new keys."""
    persons = Person.objects.bulk_create(make_persons(body["persons"]), batch_size=BATCH)
    person_keys = {person["id"]: row.pk for person, row in zip(body["persons"], persons, strict=True)}
    entries = Entry.objects.bulk_create(
        [Entry(tournament=tournament, **read_row(Entry, entry)) for entry in body["entries"]], batch_size=BATCH
    )
    entry_keys = {entry["id"]: row.pk for entry, row in zip(body["entries"], entries, strict=True)}
    store_members(tournament, body, entry_keys, person_keys)
    store_wishes(tournament, body, entry_keys)
    slots: dict[str, int] = {}
    for round_ in body["rounds"]:
        stored = Round.objects.create(tournament=tournament, **read_row(Round, round_))
        fixtures = Fixture.objects.bulk_create(
            [Fixture(round=stored, **read_fixture(fixture, entry_keys)) for fixture in round_["fixtures"]],
            batch_size=BATCH,
        )
        slots |= {name_slot(stored.number, fixture.board, fixture.part): fixture.pk for fixture in fixtures}
    store_line_ups(body, slots, person_keys)
    rows = StoredRows(entry_keys, person_keys, slots)
    store_log(tournament, body, rows)
    return rows


def make_persons(persons: Sequence[Mapping[str, Any]]) -> list[Person]:
    """Return unsaved persons without accounts, of names that were checked."""
    return [
        Person(
            **{
                **read_row(Person, person),
                "typed_name": clean_carried_name(person["name"]),
                "suffix": clean_line(person["suffix"]),
            }
        )
        for person in persons
    ]


def read_fixture(fixture: Mapping[str, Any], entries: Mapping[str, int]) -> JsonObject:
    """Return the values of a fixture, its entries by their keys."""
    sides = {f"{side}_id": None if fixture[side] is None else entries[fixture[side]] for side in ("first", "second")}
    return {**read_row(Fixture, fixture), **sides}


def store_members(
    tournament: Tournament, body: Mapping[str, Any], entries: Mapping[str, int], persons: Mapping[str, int]
) -> None:
    """Store who is in each entry."""
    EntryMember.objects.bulk_create(
        [
            EntryMember(
                tournament=tournament,
                entry_id=entries[entry["id"]],
                person_id=persons[member["person"]],
                position=position,
                **read_row(EntryMember, member),
            )
            for entry in body["entries"]
            for position, member in enumerate(entry["members"])
        ],
        batch_size=BATCH,
    )


def store_wishes(tournament: Tournament, body: Mapping[str, Any], entries: Mapping[str, int]) -> None:
    """Store the byes of each entry (D3) and the forbidden pairings (D4), in the order of the file."""
    RoundBye.objects.bulk_create(
        [
            RoundBye(entry_id=entries[entry["id"]], **read_row(RoundBye, bye))
            for entry in body["entries"]
            for bye in entry["byes"]
        ],
        batch_size=BATCH,
    )
    ForbiddenPairing.objects.bulk_create(
        [
            ForbiddenPairing(tournament=tournament, first_id=entries[ban["first"]], second_id=entries[ban["second"]])
            for ban in body["forbidden"]
        ],
        batch_size=BATCH,
    )


def store_line_ups(body: Mapping[str, Any], slots: Mapping[str, int], persons: Mapping[str, int]) -> None:
    """Store who played a fixture where those aren't its entries' members now (F2)."""
    LineUp.objects.bulk_create(
        [
            LineUp(
                fixture_id=slots[name_slot(round_["number"], fixture["board"], fixture["part"])],
                side=side,
                person_id=persons[person],
                position=position,
            )
            for round_ in body["rounds"]
            for fixture in round_["fixtures"]
            for side, people in enumerate(fixture["line_ups"])
            for position, person in enumerate(people)
        ],
        batch_size=BATCH,
    )


def store_log(tournament: Tournament, body: Mapping[str, Any], rows: StoredRows, known: Sequence[int] = ()) -> None:
    """Store the log under the names of who acted, which were checked. FileRefused for details that no entry has.

    ``known``: the keys of the first entries, which are stored already.
    """
    new = body["log"][len(known) :]
    entries = LogEntry.objects.bulk_create(
        [
            LogEntry(
                tournament=tournament,
                by_name=clean_carried_name(values["by"]) if clean_line(values["by"]) else "",
                **{**read_row(LogEntry, values), "detail": {}},
            )
            for values in new
        ],
        batch_size=BATCH,
    )
    keys = [*known, *(entry.pk for entry in entries)]
    rows = replace(rows, logged={str(place): key for place, key in enumerate(keys, start=1)})
    faults: list[FileFault] = []
    for place, (entry, values) in enumerate(zip(entries, new, strict=True), start=len(known) + 1):
        try:
            entry.detail = translate_detail(values["code"], values["detail"], rows.find)
        except ValueError:
            faults.append(FileFault("log_impossible", f"log[{place}]", {"code": values["code"]}))
    if faults:
        raise FileRefused(faults)
    LogEntry.objects.bulk_update(entries, ["detail"], batch_size=BATCH)
