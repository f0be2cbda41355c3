"""Loans of tournaments: given to another site, read-only here meanwhile, recalled or brought back.

Two sites share no secret. So the file of a loan carries a return ticket that only this site can check: it keeps no
ticket, only its digest. Whoever holds the file holds the ticket, and may bring back what the rules allow
(``known_past.py``). What is brought back is stored whole or not at all.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from players.clean_text import clean_line
from players.keyed_digests import compute_keyed_digest, list_keyed_digests
from players.models import FORGOTTEN_NAME, Person, Player
from tournaments.core.bulk import insert_rows, update_rows
from tournaments.core.circuit_marks import mark_circuits
from tournaments.core.draw_secret import settle_lots
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import SiteDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.signals import name_forgotten_elsewhere
from tournaments.entries.schedule import compute_next_due_at
from tournaments.models import (
    Arrival,
    Entry,
    Fixture,
    LineUp,
    Loan,
    PlayInvitation,
    Round,
    RoundBye,
    ScoreSlip,
    Tournament,
)
from tournaments.organise.settings import apply_settings, read_settings
from tournaments.rankings.points import follow_names, store_points
from tournaments.rounds.late_requests import close_late_requests
from tournaments.running import round_times
from tournaments.running.results import advance
from tournaments.transfer.checks import require_consistent, require_past
from tournaments.transfer.document import Document, LoanSlip
from tournaments.transfer.field_lists import list_carried
from tournaments.transfer.incoming import (
    BATCH,
    Newcomer,
    StoredRows,
    make_newcomer,
    read_file,
    read_slots,
    require_log,
    store_line_ups,
    store_log,
    store_members,
    store_newcomer,
    store_persons,
    store_play_offs,
    store_wishes,
)
from tournaments.transfer.known_past import KEPT, require_known_past
from tournaments.transfer.log_references import ENTRY, PERSON
from tournaments.transfer.outgoing import (
    OpaqueIds,
    compute_site_id,
    encode_document,
    list_log,
    list_site_ids,
    make_document,
    require_portable,
)
from tournaments.transfer.rows import read_row
from tournaments.transfer.unsaved import UnsavedRows, make_rows, read_fixture
from tournaments.transfer.venue import move_home, read_round_hours

State = Tournament.State
Outcome = Loan.Outcome
MAX_PLACE_CHARACTERS = 80
SALT = "tournaments.transfer.loans"  # of return tickets


def lend_tournament(*, tournament_id: int, by: Player, to: str, now: datetime) -> bytes:
    """Return the file that takes the tournament to another site; here it is read-only until it returns.

    What was imported on loan goes back where it came from. TournamentError: lent, not_organiser, place_missing, over,
    tables_open, house_inside, equal_deals_stay, file_too_big.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        require_organiser(tournament, by)
        require_portable(tournament)
        arrival = Arrival.objects.filter(tournament=tournament).exclude(ticket="").first()
        ticket = secrets.token_urlsafe(24)
        if arrival is not None:
            slip, to = LoanSlip(arrival.site, arrival.origin, arrival.ticket), tournament.imported_from
        else:
            slip = LoanSlip(compute_site_id(), tournament.public_id, ticket)
        to = clean_line(to)[:MAX_PLACE_CHARACTERS]
        if not to:
            raise TournamentError("place_missing")
        ids = OpaqueIds() if arrival is None else OpaqueIds.from_json(arrival.ids)
        tournament.invitations.open().update(ended_at=now, outcome=PlayInvitation.Outcome.LAPSED)
        ScoreSlip.objects.filter(fixture__round__tournament=tournament).delete()  # printed anew where it is played
        tournament.lent_to, tournament.draft = to, None
        write_log(tournament, "lent", now, by, SiteDetail(site=to))
        store_version(tournament)
        document = make_document(tournament, now, ids=ids, loan=slip)
        Loan.objects.create(
            tournament=tournament,
            by=by,
            at=now,
            ticket_digest=compute_ticket_digest(ticket),
            digest=document.digest(),
            revision=document.revision,
            logged=len(document.body["log"]),
            ids=ids.to_json(),
        )
        return encode_document(document)


@transaction.atomic
def recall_tournament(*, tournament_id: int, by: Player, now: datetime) -> None:
    """End a loan without its file, which is refused from now on; the tournament goes on as it left.

    TournamentError: not_organiser, not_lent.
    """
    tournament = lock_tournament(tournament_id, lent=True)
    require_organiser(tournament, by)
    if not tournament.lent_to:
        raise TournamentError("not_lent")
    write_log(tournament, "recalled", now, by, SiteDetail(site=tournament.lent_to))
    _end_loan(tournament, Outcome.RECALLED, now)


@dataclass(frozen=True, slots=True)
class Homecomer:
    """A document that brings a loan's tournament back, checked, and the new rows of its log."""

    document: Document
    loan: Loan
    rows: UnsavedRows


Incoming = Newcomer | Homecomer


def take_in_file(*, data: bytes, by: Player, now: datetime) -> Tournament:
    """Take in a file: bring back what was lent from here, or import what is another site's.

    FileRefused or TournamentError: nothing is written.
    """
    return store_incoming(check_file(data=data, by=by, now=now), by=by, now=now)


def check_file(*, data: bytes, by: Player, now: datetime) -> Incoming:
    """Return what a file brings, checked to the last value. It writes nothing, and may take seconds.

    FileRefused or TournamentError where it can't be taken in.
    """
    document = read_file(data)
    require_past(document.body, now)
    loan = None if document.loan is None else find_loan(document.loan)
    if loan is not None:
        return _check_homecomer(document, loan, by)
    if document.loan is not None and document.loan.site in list_site_ids():
        raise TournamentError("file_forged")
    return make_newcomer(document, by)


def store_incoming(incoming: Incoming, *, by: Player, now: datetime) -> Tournament:
    """Store what was checked, all of it or nothing. TournamentError where something has changed meanwhile."""
    if isinstance(incoming, Newcomer):
        return store_newcomer(incoming, by, now)
    return _bring_back(incoming, by, now)


def find_loan(slip: LoanSlip) -> Loan | None:
    """Return this site's loan with that return ticket."""
    return Loan.objects.filter(ticket_digest__in=list_keyed_digests(SALT, slip.ticket)).first()


def compute_ticket_digest(ticket: str) -> str:
    """Return what is kept of a return ticket: nobody else can make it, nor the ticket of it."""
    return compute_keyed_digest(SALT, ticket)


def _check_homecomer(document: Document, loan: Loan, by: Player) -> Homecomer:
    tournament = Tournament.objects.get(pk=loan.tournament_id)
    require_organiser(tournament, by)
    _require_open(loan)
    if document.digest() == loan.digest:
        raise TournamentError("file_unchanged")
    if document.loan is None or document.loan.tournament != tournament.public_id or document.revision < loan.revision:
        raise TournamentError("file_forged")
    require_known_past(tournament, document.body, loan)  # nobody changes what is on loan
    require_log(document.body, loan.ids)
    rows = make_rows(_change_settings(tournament, document), document.body)
    require_consistent(rows)
    return Homecomer(document, loan, rows)


def _require_open(loan: Loan) -> None:
    if loan.ended_at is not None:
        raise TournamentError("file_recalled" if loan.outcome == Outcome.RECALLED else "file_returned")


def _change_settings(tournament: Tournament, document: Document) -> Tournament:
    """Write into a tournament, and return, what comes back changed of its settings."""
    values = read_row(Tournament, document.body["tournament"])
    for name in values.keys() - set(KEPT):
        setattr(tournament, name, values[name])
    tournament.version = max(tournament.version, document.revision)
    apply_settings(tournament, read_settings(tournament))  # cleans its texts; its code and its link stay
    return tournament


@transaction.atomic
def _bring_back(homecomer: Homecomer, by: Player, now: datetime) -> Tournament:
    document, loan = homecomer.document, homecomer.loan
    tournament = lock_tournament(loan.tournament_id, lent=True)
    loan.refresh_from_db()
    require_organiser(tournament, by)
    _require_open(loan)
    home, hours = read_settings(tournament), read_round_hours(tournament)
    _change_settings(tournament, document).stuck_round = homecomer.rows.tournament.stuck_round
    tournament.save()
    _update_rows(tournament, homecomer)
    move_home(tournament, home, hours)
    write_log(tournament, "returned", now, by, SiteDetail(site=clean_line(document.site_name) or tournament.lent_to))
    settle_lots(tournament, now)
    _end_loan(tournament, Outcome.RETURNED, now)
    _follow_typed_names(tournament, homecomer, by, now)
    advance(tournament_id=tournament.pk, now=now)  # what comes next may be another thing here
    tournament.refresh_from_db()
    close_late_requests(tournament)
    store_points(tournament, now)
    return tournament


def _end_loan(tournament: Tournament, outcome: str, now: datetime) -> None:
    """End the loan of a locked tournament: its hours are those of this site again."""
    tournament.loans.filter(ended_at=None).update(ended_at=now, outcome=outcome)
    tournament.lent_to = ""
    mark_circuits(tournament, now)
    if tournament.drawn_at is None:
        tournament.due_at = compute_next_due_at(tournament, now)
    round_times.plan_reminders(Round.objects.filter(tournament=tournament, finished=False), now)
    _open_ready(tournament, now)
    store_version(tournament)


def _open_ready(tournament: Tournament, now: datetime) -> None:
    """Give the fixtures that are ready the hour of their table (K4, R6), where the site opens tables."""
    if tournament.imported_from or tournament.venue.types_results:
        return
    soonest = now + timedelta(seconds=tournament.pause)
    ready = list(Fixture.objects.of(tournament).ready().filter(moved=False).select_related("round"))
    for fixture in ready:
        fixture.opens_at = soonest if fixture.round.opens_at is None else max(soonest, fixture.round.opens_at)
    Fixture.objects.bulk_update(ready, ["opens_at"], batch_size=BATCH)


def _update_rows(tournament: Tournament, homecomer: Homecomer) -> None:
    """Store what came back: rows of before are updated, further ones are new, people are linked again."""
    body, loan, rows = homecomer.document.body, homecomer.loan, homecomer.rows
    persons = _find_persons(body, rows, loan)
    kept = _read_kept(tournament)
    entries = _update_entries(tournament, body, loan)
    LineUp.objects.of(tournament).delete()
    tournament.members.all().delete()
    store_members(tournament, body, entries, persons)
    _give_back(tournament, kept)
    tournament.forbidden_pairings.all().delete()
    RoundBye.objects.filter(entry__tournament=tournament).delete()
    store_wishes(tournament, body, entries)
    tournament.play_offs.all().delete()
    store_play_offs(tournament, body, entries)
    fixtures = _update_fixtures(tournament, body, entries)
    store_line_ups(body, fixtures, persons)
    log_keys = list(list_log(tournament).values_list("pk", flat=True)[: loan.logged])
    gone = {**loan.ids[ENTRY], **entries}  # entries that left before the draw are still in the log
    new = slice(len(log_keys), None)
    store_log(tournament, body["log"][new], rows.log[new], StoredRows(gone, persons, fixtures), log_keys)


@dataclass(frozen=True, slots=True)
class KeptNotes:
    """Notes that stay at home of people who get a partner at the draw (EV2): by person the digest of their key, by
    payment whose it is."""

    digests: Mapping[int, str]
    payments: Mapping[int, int]


def _read_kept(tournament: Tournament) -> KeptNotes:
    """Return what stays at home of each person, where the draw may have made pairs elsewhere; else nothing."""
    if not tournament.playing_kind.is_drawn_pair:
        return KeptNotes({}, {})
    members = list(tournament.members.select_related("entry").order_by("-position"))
    digests = {row.person_id: row.link_digest or (row.entry.link_digest if not row.position else "") for row in members}
    first = {row.entry_id: row.person_id for row in members}
    paid = tournament.payments.filter(entry__in=first).values_list("pk", "entry_id")
    return KeptNotes(digests, {pk: first[entry_id] for pk, entry_id in paid if entry_id is not None})


def _give_back(tournament: Tournament, kept: KeptNotes) -> None:
    """Give what stayed at home to the entries in which its people came back."""
    members = {row.person_id: row for row in tournament.members.select_related("entry")}
    moved = []
    for person_id, digest in kept.digests.items():
        member = members.get(person_id)
        if digest and member is not None and member.entry.link_digest != digest:
            member.link_digest = digest
            moved.append(member)
    update_rows(moved, ["link_digest"])
    payments = list(tournament.payments.filter(pk__in=kept.payments))
    for payment in payments:
        back = members.get(kept.payments[payment.pk])
        if back is not None:
            payment.entry_id = back.entry_id
    update_rows(payments, ["entry"])


def _find_persons(body: Mapping[str, Any], rows: UnsavedRows, loan: Loan) -> dict[str, int]:
    """Return the keys of the persons: those who left with it are who they were, others are new names."""
    present = set(Person.objects.filter(pk__in=loan.ids[PERSON].values()).values_list("pk", flat=True))
    keys = {opaque: key for opaque, key in loan.ids[PERSON].items() if key in present}
    pairs = zip(body["persons"], rows.persons, strict=True)
    new = [(values, person) for values, person in pairs if values["id"] not in keys]
    return keys | store_persons([values for values, _ in new], [person for _, person in new])


def _follow_typed_names(tournament: Tournament, homecomer: Homecomer, by: Player, now: datetime) -> None:
    """Let the typed names that left be what they were corrected to; who was forgotten elsewhere is forgotten here.

    A name that an account or a card has is theirs, and one that was forgotten here meanwhile stays so (I1).
    """
    keys = homecomer.loan.ids[PERSON]
    typed = Person.objects.filter(pk__in=keys.values(), player=None).exclude(typed_name=FORGOTTEN_NAME)
    stored = typed.select_related("card").in_bulk()
    for values, brought in zip(homecomer.document.body["persons"], homecomer.rows.persons, strict=True):
        person = stored.get(keys.get(values["id"], 0))
        if person is None:
            continue
        if brought.is_forgotten:
            about = {"tournament": tournament, "person_id": person.pk, "by": by, "now": now}
            name_forgotten_elsewhere.send(sender=Tournament, **about)
        elif not hasattr(person, "card") and _read_name(person) != _read_name(brought):
            person.typed_name, person.suffix = _read_name(brought)
            person.save(update_fields=["typed_name", "suffix"])
            follow_names([person.pk], now)


def _read_name(person: Person) -> tuple[str, str]:
    return person.typed_name, person.suffix


def _update_entries(tournament: Tournament, body: Mapping[str, Any], loan: Loan) -> dict[str, int]:
    stored = {entry.pk: entry for entry in tournament.entries.all()}
    keys = {opaque: key for opaque, key in loan.ids[ENTRY].items() if key in stored}
    new = [values for values in body["entries"] if values["id"] not in keys]
    rest = [values for values in body["entries"] if values["id"] in keys]
    left = stored.keys() - {keys[values["id"]] for values in rest}
    tournament.entries.filter(pk__in=left).delete()  # before the draw alone: afterwards all of them came back
    tournament.entries.update(seed=None)  # so that no two have one while they are updated
    for values in rest:
        for name, value in read_row(Entry, values).items():
            setattr(stored[keys[values["id"]]], name, value)
    update_rows([stored[keys[values["id"]]] for values in rest], list_carried(Entry))
    made = Entry.objects.bulk_create(
        [Entry(tournament=tournament, **read_row(Entry, values)) for values in new], batch_size=BATCH
    )
    return keys | {values["id"]: row.pk for values, row in zip(new, made, strict=True)}


def _update_fixtures(tournament: Tournament, body: Mapping[str, Any], entries: Mapping[str, int]) -> dict[str, int]:
    fixtures = Fixture.objects.of(tournament).select_related("round")
    stored = {(one.round.number, one.board, one.part): one for one in fixtures}
    changed, new = [], []
    for values in body["rounds"]:
        row, _made = Round.objects.update_or_create(
            tournament=tournament, number=values["number"], defaults=read_row(Round, values)
        )
        for fixture in values["fixtures"]:
            stored_row = stored.get((row.number, fixture["board"], fixture["part"]))
            brought = read_fixture(fixture, entries)
            if stored_row is None:
                new.append(Fixture(round=row, **brought))
                continue
            for name, value in brought.items():
                setattr(stored_row, name, value)
            changed.append(stored_row)
    update_rows(changed, [*list_carried(Fixture), "first", "second"])
    insert_rows(new)
    return read_slots(tournament)
