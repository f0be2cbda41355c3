"""The organiser's answers to who asks to enter, and the link to enter by (E3)."""

import secrets
from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.permissions import require_organiser
from tournaments.core.states import ENTERING, UNDRAWN
from tournaments.entries import waiting_list
from tournaments.entries.join import start_if_full
from tournaments.entries.schedule import next_due_at
from tournaments.models import Entry, Tournament


def approve_entries(*, tournament_id: int, by: Player, entry_id: int | None, now: datetime) -> int:
    """Let one in who asked, or all (None): as long as there is room to a place, then to the waiting list. How many.

    Of pairs only complete ones: who will play is known first.
    """
    with transaction.atomic():
        tournament, asking = _asking(tournament_id, by, entry_id)
        complete = [entry for entry in asking if entry.confirmed]
        if asking and not complete:
            raise TournamentError("pair_incomplete")
        free = max(0, waiting_list.free_places(tournament))
        chosen = [entry.pk for entry in complete]
        Entry.objects.filter(pk__in=chosen[:free]).update(approved=True)
        Entry.objects.filter(pk__in=chosen[free:]).update(approved=True, waiting_since=now)
        tournament.due_at = next_due_at(tournament, now)
        write_log(tournament, "approved", now, by, count=len(chosen))
        store_version(tournament)
        told = waiting_list.people_of_entries(complete)
        notify.tell_people(tournament, told, "approved")
        notify.mail_people(tournament, told, "approved", now, about=tournament.version)
    start_if_full(tournament, now)
    return len(chosen)


@transaction.atomic
def turn_down_entries(*, tournament_id: int, by: Player, entry_id: int | None, now: datetime) -> int:
    """Say no to one who asked, or to all (None); they are told. How many."""
    tournament, asking = _asking(tournament_id, by, entry_id)
    told = waiting_list.people_of_entries(asking)
    Entry.objects.filter(pk__in=[entry.pk for entry in asking]).delete()
    write_log(tournament, "declined", now, by, count=len(asking))
    store_version(tournament)
    notify.tell_people(tournament, told, "declined")
    notify.mail_people(tournament, told, "declined", now, about=tournament.version)
    return len(asking)


@transaction.atomic
def remove_entry(*, tournament_id: int, by: Player, entry_id: int, now: datetime) -> None:
    """Take an entry off the list, until the draw. Its players are told (not of a draft); the waiting list moves up."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state not in UNDRAWN:
        raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
    entry = Entry.objects.filter(tournament=tournament, pk=entry_id).first()
    if entry is None:
        raise TournamentError("entry_gone")
    told = [] if tournament.state == Tournament.State.DRAFT else waiting_list.people_of_entries([entry])
    entry.delete()
    write_log(tournament, "removed", now, by, entry=entry_id)  # no name: this entry isn't theirs when an account closes
    waiting_list.move_up(tournament, now)
    tournament.due_at = next_due_at(tournament, now)
    store_version(tournament)
    notify.tell_people(tournament, told, "removed")
    notify.mail_people(tournament, told, "withdrawn", now, about=entry_id)


@transaction.atomic
def renew_join_link(*, tournament_id: int, by: Player, now: datetime) -> str:
    """A new link to enter by: the old one opens nothing any more."""
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


def _asking(tournament_id: int, by: Player, entry_id: int | None) -> tuple[Tournament, list[Entry]]:
    """The locked tournament, and who asks in it: one entry, or all."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state not in ENTERING:
        raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
    asking = tournament.entries.applicants()
    found = list(asking if entry_id is None else asking.filter(pk=entry_id))
    if not found:
        raise TournamentError("entry_gone")
    return tournament, found


def make_token() -> str:
    """Of a link that only who has it knows."""
    return secrets.token_urlsafe(16)
