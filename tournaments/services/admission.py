"""What the organiser decides about entries until the draw (E3): who of those that asked gets in, who is taken off the
list, and the link."""

from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments import broadcast
from tournaments.models import Entry, Tournament
from tournaments.selectors import ENTERING, UNDRAWN
from tournaments.services import waiting
from tournaments.services.due import due_at
from tournaments.services.entries import start_if_full
from tournaments.services.errors import TournamentError
from tournaments.services.life import new_token, require_organiser
from tournaments.services.state import changed, locked, log


def approve(*, tournament_id: int, by: Player, entry_id: int | None, now: datetime) -> int:
    """Let one in who asked, or all (None): as long as there is room to a place, then to the waiting list. How many.

    Of pairs only complete ones: who will play is known first.
    """
    with transaction.atomic():
        tournament, asking = _asking(tournament_id, by, entry_id)
        complete = [entry for entry in asking if entry.confirmed]
        if asking and not complete:
            raise TournamentError("pair_incomplete")
        free = max(0, waiting.room(tournament))
        chosen = [entry.pk for entry in complete]
        Entry.objects.filter(pk__in=chosen[:free]).update(approved=True)
        Entry.objects.filter(pk__in=chosen[free:]).update(approved=True, waiting_since=now)
        tournament.due_at = due_at(tournament, now)
        log(tournament, "approved", now, by, count=len(chosen))
        changed(tournament)
        told = waiting.people_of(complete)
        broadcast.tell(tournament, told, "approved")
        broadcast.mail(tournament, told, "approved", now, about=tournament.version)
    start_if_full(tournament, now)
    return len(chosen)


@transaction.atomic
def turn_down(*, tournament_id: int, by: Player, entry_id: int | None, now: datetime) -> int:
    """Say no to one who asked, or to all (None); they are told. How many."""
    tournament, asking = _asking(tournament_id, by, entry_id)
    told = waiting.people_of(asking)
    Entry.objects.filter(pk__in=[entry.pk for entry in asking]).delete()
    log(tournament, "declined", now, by, count=len(asking))
    changed(tournament)
    broadcast.tell(tournament, told, "declined")
    broadcast.mail(tournament, told, "declined", now, about=tournament.version)
    return len(asking)


@transaction.atomic
def remove(*, tournament_id: int, by: Player, entry_id: int, now: datetime) -> None:
    """Take an entry off the list, until the draw. Its players are told (not of a draft); the waiting list moves up."""
    tournament = locked(tournament_id)
    require_organiser(tournament, by)
    if tournament.state not in UNDRAWN:
        raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
    entry = Entry.objects.filter(tournament=tournament, pk=entry_id).first()
    if entry is None:
        raise TournamentError("entry_gone")
    told = [] if tournament.state == Tournament.State.DRAFT else waiting.people_of([entry])
    entry.delete()
    log(tournament, "removed", now, by, entry=entry_id)  # no name: this entry isn't theirs when an account closes
    waiting.move_up(tournament, now)
    tournament.due_at = due_at(tournament, now)
    changed(tournament)
    broadcast.tell(tournament, told, "removed")
    broadcast.mail(tournament, told, "withdrawn", now, about=entry_id)


@transaction.atomic
def renew_link(*, tournament_id: int, by: Player, now: datetime) -> str:
    """A new link to enter by: the old one opens nothing any more."""
    tournament = locked(tournament_id)
    require_organiser(tournament, by)
    if tournament.state not in UNDRAWN:
        raise TournamentError("drawn")
    if tournament.registration != Tournament.Registration.LINK:
        raise TournamentError("no_link")
    tournament.join_token = new_token()
    log(tournament, "link_renewed", now, by)
    changed(tournament)
    return tournament.join_token


def _asking(tournament_id: int, by: Player, entry_id: int | None) -> tuple[Tournament, list[Entry]]:
    """The locked tournament, and who asks in it: one entry, or all."""
    tournament = locked(tournament_id)
    require_organiser(tournament, by)
    if tournament.state not in ENTERING:
        raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
    asking = tournament.entries.applicants()
    found = list(asking if entry_id is None else asking.filter(pk=entry_id))
    if not found:
        raise TournamentError("entry_gone")
    return tournament, found
