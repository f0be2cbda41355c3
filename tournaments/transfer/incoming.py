"""Taking in a tournament's file: a new tournament, all of it or nothing.

Its rows get new local ids and its people are names without accounts. It is marked as imported, counts for no level and
opens no tables of the site: what was played there goes on at real tables. Everything is checked on rows that aren't
stored, before the transaction begins: it holds the writer no longer than it takes to write them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.db import transaction

from players.clean_text import clean_line
from players.models import Person, Player
from scoring.tiebreaks import find_earlier
from tournaments.core.bulk import insert_rows, update_rows
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
    PlayOff,
    Round,
    RoundBye,
    Tournament,
)
from tournaments.organise.settings import apply_settings, count_tournament, read_settings, require_below_limit
from tournaments.rankings.points import store_points
from tournaments.transfer.checks import require_consistent, require_sound
from tournaments.transfer.document import Document, read_document
from tournaments.transfer.faults import FileFault, FileRefused, JsonObject
from tournaments.transfer.field_lists import BODY
from tournaments.transfer.log_references import ENTRY, FIXTURE, LOGGED, PERSON, translate_detail
from tournaments.transfer.outgoing import GONE, list_site_ids, name_slot
from tournaments.transfer.rows import read_row
from tournaments.transfer.unsaved import UnsavedRows, make_play_off_rows, make_rows
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


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A tournament that a document brings, and its rows: checked, and none of them stored."""

    document: Document
    tournament: Tournament
    rows: UnsavedRows


def read_file(data: bytes) -> Document:
    """Return the document of a file whose values are sound. FileRefused with every fault."""
    document = read_document(data, BODY)
    keep_earlier_reading(document.body)
    require_sound(document.body)
    return document


def keep_earlier_reading(body: JsonObject) -> None:
    """Give a tournament that was drawn and ranked where the direct encounter was asked once the code of that reading
    (R2, E6): its file is of before fixtures said what was unplayed, and no reason says what was asked before it."""
    tournament = body["tournament"]
    fixtures = (fixture for round_ in body["rounds"] for fixture in round_["fixtures"])
    if tournament["drawn_at"] is None or any("unplayed" in fixture for fixture in fixtures):
        return
    if not any("before" in (entry["separation"] or {}) for entry in body["entries"]):
        tournament["tie_break"] = find_earlier(tournament["tie_break"])


def make_newcomer(document: Document, by: Player) -> Newcomer:
    """Return what a sound document would store for ``by``. It writes nothing.

    FileRefused for what isn't consistent; TournamentError: not_a_member, file_own, file_twice.
    """
    if by.is_guest:
        raise TournamentError("not_a_member")
    _require_new(document)
    tournament = Tournament(
        **read_row(Tournament, document.body["tournament"]),
        organiser=by,
        house_allowed=False,
        version=document.revision,
        imported_from=clean_line(document.site_name) or document.site[:12],
    )
    apply_settings(tournament, read_settings(tournament))  # cleans its texts, makes a link or a code where it needs one
    require_log(document.body)
    rows = make_rows(tournament, document.body)
    tournament.stuck_round = require_consistent(rows)
    return Newcomer(document, tournament, rows)


@transaction.atomic
def store_newcomer(newcomer: Newcomer, by: Player, now: datetime) -> Tournament:
    """Store a new tournament that ``by`` organises, or nothing of it. TournamentError: file_own, file_twice, and the
    limits of whoever organises."""
    document, tournament = newcomer.document, newcomer.tournament
    _require_new(document)  # somebody may have taken it in meanwhile
    if tournament.state in UNDRAWN:
        require_below_limit(by)
    count_tournament(by, now)
    tournament.save()
    rows = _store_rows(newcomer)
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
    if document.site in list_site_ids() and Tournament.objects.filter(public_id=document.tournament).exists():
        raise TournamentError("file_own")
    identity = {"site": document.site, "origin": document.tournament, "revision": document.revision}
    if Arrival.objects.filter(**identity).exists():
        raise TournamentError("file_twice")


def _store_rows(newcomer: Newcomer) -> StoredRows:
    """Store the rows of a newcomer under new keys."""
    tournament, body, rows = newcomer.tournament, newcomer.document.body, newcomer.rows
    persons = store_persons(body["persons"], rows.persons)
    entries = _store_entries(tournament, body, rows.entries)
    store_members(tournament, body, entries, persons)
    store_wishes(tournament, body, entries)
    store_play_offs(tournament, body, entries)
    by_local = dict(zip(rows.local.values(), map(entries.__getitem__, rows.local), strict=True))
    for round_ in rows.rounds:
        round_.pk = None
        round_.tournament_id = tournament.pk
    Round.objects.bulk_create(rows.rounds)
    for fixture in rows.fixtures:
        fixture.round_id = fixture.round.pk
        fixture.first_id = by_local[fixture.first_id] if fixture.first_id else None
        fixture.second_id = by_local[fixture.second_id] if fixture.second_id else None
    insert_rows(rows.fixtures)
    slots = read_slots(tournament)
    store_line_ups(body, slots, persons)
    stored = StoredRows(entries, persons, slots)
    store_log(tournament, body["log"], rows.log, stored)
    return stored


def store_persons(values: Sequence[Mapping[str, Any]], persons: Sequence[Person]) -> dict[str, int]:
    """Store new persons; return their keys by the opaque ids of ``values``."""
    stored = Person.objects.bulk_create(persons, batch_size=BATCH)
    return {person["id"]: row.pk for person, row in zip(values, stored, strict=True)}


def _store_entries(tournament: Tournament, body: Mapping[str, Any], entries: Sequence[Entry]) -> dict[str, int]:
    for entry in entries:
        entry.tournament_id = tournament.pk
    insert_rows(entries)
    keys = Entry.objects.filter(tournament=tournament).order_by("pk").values_list("pk", flat=True)
    return {entry["id"]: key for entry, key in zip(body["entries"], keys, strict=True)}


def read_slots(tournament: Tournament) -> dict[str, int]:
    """Return the keys of the stored fixtures by the names of their slots."""
    rows = Fixture.objects.of(tournament).order_by().values_list("round__number", "board", "part", "pk")
    return {name_slot(number, board, part): key for number, board, part, key in rows}


def store_members(
    tournament: Tournament, body: Mapping[str, Any], entries: Mapping[str, int], persons: Mapping[str, int]
) -> None:
    """Store who is in each entry."""
    insert_rows(
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
        ]
    )


def store_wishes(tournament: Tournament, body: Mapping[str, Any], entries: Mapping[str, int]) -> None:
    """Store the byes of each entry (D3) and the forbidden pairings (D4), in the order of the file."""
    insert_rows(
        [
            RoundBye(entry_id=entries[entry["id"]], **read_row(RoundBye, bye))
            for entry in body["entries"]
            for bye in entry["byes"]
        ]
    )
    insert_rows(
        [
            ForbiddenPairing(tournament=tournament, first_id=entries[ban["first"]], second_id=entries[ban["second"]])
            for ban in body["forbidden"]
        ]
    )


def store_play_offs(tournament: Tournament, body: Mapping[str, Any], entries: Mapping[str, int]) -> None:
    """Store the play-offs with their results (EV11)."""
    for values in body.get("play_offs", ()):
        play_off = PlayOff.objects.create(tournament=tournament, **read_row(PlayOff, values))
        for rows in make_play_off_rows(play_off, values, entries):
            insert_rows(rows)


def store_line_ups(body: Mapping[str, Any], slots: Mapping[str, int], persons: Mapping[str, int]) -> None:
    """Store who played a fixture where those aren't its entries' members now (F2)."""
    insert_rows(
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
        ]
    )


def require_log(body: Mapping[str, Any], gone: Mapping[str, Mapping[str, int]] = MappingProxyType({})) -> None:
    """Raise FileRefused for details of the log that no entry of its code has, or that name what the file doesn't have.

    ``gone``: the opaque ids, by their kind, of rows of before that the log may still name.
    """
    slots = [
        name_slot(round_["number"], fixture["board"], fixture["part"])
        for round_ in body["rounds"]
        for fixture in round_["fixtures"]
    ]
    rows = StoredRows(
        dict.fromkeys([*gone.get(ENTRY, ()), *(entry["id"] for entry in body["entries"])], GONE_KEY),
        dict.fromkeys([*gone.get(PERSON, ()), *(person["id"] for person in body["persons"])], GONE_KEY),
        dict.fromkeys(slots, GONE_KEY),
        {str(place): GONE_KEY for place in range(1, len(body["log"]) + 1)},
    )
    faults = []
    for place, entry in enumerate(body["log"], start=1):
        try:
            translate_detail(entry["code"], entry["detail"], rows.find)
        except ValueError:
            faults.append(FileFault("log_impossible", f"log[{place}]", {"code": entry["code"]}))
    if faults:
        raise FileRefused(faults)


def store_log(
    tournament: Tournament,
    values: Sequence[Mapping[str, Any]],
    entries: Sequence[LogEntry],
    rows: StoredRows,
    earlier_keys: Sequence[int] = (),
) -> None:
    """Store new entries of the log, which stand in the file as ``values``. FileRefused for details that no entry has.

    ``earlier_keys``: the keys of the entries before them, which are stored already.
    """
    later: list[int] = []  # entries that name one of the log, which has no key yet
    faults: list[FileFault] = []

    def find(kind: str, opaque: object) -> int:
        if kind != LOGGED:
            return rows.find(kind, opaque)
        later.append(index)
        return GONE_KEY

    for index, (entry, brought) in enumerate(zip(entries, values, strict=True)):
        entry.tournament_id = tournament.pk
        try:
            entry.detail = translate_detail(entry.code, brought["detail"], find)
        except ValueError:
            faults.append(FileFault("log_impossible", f"log[{len(earlier_keys) + 1 + index}]", {"code": entry.code}))
    if faults:
        raise FileRefused(faults)
    insert_rows(entries)
    new = list(LogEntry.objects.filter(tournament=tournament).order_by("pk").values_list("pk", flat=True))
    new = new[len(new) - len(entries) :]
    rows = replace(rows, logged={str(place): key for place, key in enumerate([*earlier_keys, *new], start=1)})
    for index in later:
        entries[index].pk = new[index]
        try:
            entries[index].detail = translate_detail(entries[index].code, values[index]["detail"], rows.find)
        except ValueError:
            faults.append(
                FileFault("log_impossible", f"log[{len(earlier_keys) + 1 + index}]", {"code": entries[index].code})
            )
    if faults:
        raise FileRefused(faults)
    update_rows([entries[index] for index in later], ["detail"])
