"""The organiser's answers to applicants, and the link to enter by (E3). It never draws a tournament."""

import secrets
from datetime import datetime

from django.db import transaction

from players.models import Player
from players.selectors import find_suspended
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import CountDetail, EntryDetail
from tournaments.core.people import drop_unused_people, list_typed_people
from tournaments.core.permissions import require_organiser
from tournaments.core.states import ENTERING, UNDRAWN
from tournaments.entries import waiting_list
from tournaments.entries.join import start_if_full
from tournaments.entries.schedule import compute_next_due_at
from tournaments.models import Entry, EntryMember, Tournament


def approve_entries(*, tournament_id: int, by: Player, entry_id: int | None, now: datetime) -> int:
    """Give an applicant, or all of them (``entry_id`` None), a place while there is one, then a place on the waiting
    list. Return how many were approved.

    A pair must be complete: the organiser answers to known players. Who is suspended gets no place (U2): their entry
    goes on waiting for an answer. TournamentError: cannot_play, where nobody else was chosen; pair_incomplete.
    """
    with transaction.atomic():
        tournament, applicants = _lock_applicants(tournament_id, by, entry_id)
        complete = [entry for entry in applicants if entry.confirmed]
        if applicants and not complete:
            raise TournamentError("pair_incomplete")
        complete = _drop_suspended(complete, now)
        if applicants and not complete:
            raise TournamentError("cannot_play")
        free = max(0, waiting_list.count_free_places(tournament))
        chosen = [entry.pk for entry in complete]
        Entry.objects.filter(pk__in=chosen[:free]).update(approved=True)
        Entry.objects.filter(pk__in=chosen[free:]).update(approved=True, waiting_since=now)
        tournament.due_at = compute_next_due_at(tournament, now)
        write_log(tournament, "approved", now, by, CountDetail(count=len(chosen)))
        store_version(tournament)
        player_ids = waiting_list.list_people_of_entries(complete)
        notify.tell_people(tournament, player_ids, "approved")
        notify.mail_people(tournament, player_ids, "approved", now, about=tournament.version)
    start_if_full(tournament, now)
    return len(chosen)


def _drop_suspended(entries: list[Entry], now: datetime) -> list[Entry]:
    """Return those of these entries of which nobody is suspended (U2)."""
    members = EntryMember.objects.filter(entry__in=entries, person__player__isnull=False)
    players = dict(members.values_list("person__player", "entry_id"))
    kept_out = {players[pk] for pk in find_suspended(players, now)}
    return [entry for entry in entries if entry.pk not in kept_out]


@transaction.atomic
def turn_down_entries(*, tournament_id: int, by: Player, entry_id: int | None, now: datetime) -> int:
    """Delete an applicant's entry, or all of them (``entry_id`` None), and tell their players. Return how many."""
    tournament, applicants = _lock_applicants(tournament_id, by, entry_id)
    player_ids = waiting_list.list_people_of_entries(applicants)
    typed = list_typed_people(applicants)
    Entry.objects.filter(pk__in=[entry.pk for entry in applicants]).delete()
    drop_unused_people(typed)
    write_log(tournament, "declined", now, by, CountDetail(count=len(applicants)))
    store_version(tournament)
    notify.tell_people(tournament, player_ids, "declined")
    notify.mail_people(tournament, player_ids, "declined", now, about=tournament.version)
    return len(applicants)


@transaction.atomic
def remove_entry(*, tournament_id: int, by: Player, entry_id: int, now: datetime) -> None:
    """Delete an entry, until the draw. Its players are told (not of a draft), and the waiting list moves up."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state not in UNDRAWN:
        raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
    entry = Entry.objects.filter(tournament=tournament, pk=entry_id).first()
    if entry is None:
        raise TournamentError("entry_gone")
    player_ids = [] if tournament.state == Tournament.State.DRAFT else waiting_list.list_people_of_entries([entry])
    typed = list_typed_people([entry])
    entry.delete()
    drop_unused_people(typed)
    # No name: this entry isn't theirs when an account closes.
    write_log(tournament, "removed", now, by, EntryDetail(entry=entry_id))
    waiting_list.move_up(tournament, now)
    tournament.due_at = compute_next_due_at(tournament, now)
    store_version(tournament)
    notify.tell_people(tournament, player_ids, "removed")
    notify.mail_people(tournament, player_ids, "withdrawn", now, about=entry_id)


@transaction.atomic
def renew_join_link(*, tournament_id: int, by: Player, now: datetime) -> str:
    """Store and return a new token of the link to enter by: the old link opens nothing any more."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state not in UNDRAWN:
        raise TournamentError("drawn")
    if tournament.registration != Tournament.Registration.LINK:
        raise TournamentError("no_link")
    tournament.join_token = make_token()
    write_log(tournament, "link_renewed", now, by)
    store_version(tournament)
    return tournament.join_token


def _lock_applicants(tournament_id: int, by: Player, entry_id: int | None) -> tuple[Tournament, list[Entry]]:
    """Lock the tournament and return it with its applicants: one entry, or all. TournamentError where there is none."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state not in ENTERING:
        raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
    applicants = tournament.entries.applicants()
    chosen = list(applicants if entry_id is None else applicants.filter(pk=entry_id))
    if not chosen:
        raise TournamentError("entry_gone")
    return tournament, chosen


def make_token() -> str:
    """Return a new secret token for a link."""
    return secrets.token_urlsafe(16)
