"""The window before the start in which whoever is entered says that he is there (E4), and what happens when it closes.

It opens and closes by itself: ``tournament.due_at``. The house's players are always there. Where nobody had a chance to
check in, because the site was down through the window, nobody is put out.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from players.models import Player
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.permissions import require_organiser
from tournaments.core.states import ENTERING
from tournaments.entries import pair_holds, waiting_list
from tournaments.entries.schedule import checkin_opens_at
from tournaments.models import Entry, EntryMember, Tournament

State = Tournament.State


def open_due(tournament: Tournament, now: datetime) -> None:
    """Open the window of a locked tournament whose time has come, or leave it out where too little of it is left."""
    if checkin_opens_at(tournament, now) is not None:
        tournament.state = State.CHECKIN
        write_log(tournament, "checkin_opened", now)
        told = waiting_list.people_of_entries(tournament.entries.filter(approved=True))
        notify.tell_people(tournament, told, "checkin_open")
        notify.mail_people(tournament, told, "checkin_open", now, about=tournament.starts_at, at=tournament.starts_at)
    tournament.due_at = tournament.starts_at
    store_version(tournament)


@transaction.atomic
def check_in(*, tournament_id: int, player: Player, now: datetime) -> None:
    """``player`` is there. Of a pair each says so himself; who waits for a place may as well."""
    tournament = _open(tournament_id)
    member = tournament.members.of_player(player).first()
    if member is None:
        raise TournamentError("not_entered")
    if member.checked_in_at is not None:
        return
    member.checked_in_at = now
    member.save(update_fields=["checked_in_at"])
    write_log(tournament, "checked_in", now, player)
    store_version(tournament)


@transaction.atomic
def check_in_at_desk(*, tournament_id: int, by: Player, entry_id: int, present: bool, now: datetime) -> None:
    """The organiser sees a line's players, or sees that they aren't there after all."""
    tournament = _open(tournament_id)
    require_organiser(tournament, by)
    members = tournament.members.filter(entry_id=entry_id)
    if not members.exists():
        raise TournamentError("not_entered")
    if present:
        members.filter(checked_in_at=None).update(checked_in_at=now)
    else:
        members.update(checked_in_at=None)
    write_log(tournament, "checked_in" if present else "checked_out", now, by, entry=entry_id)
    store_version(tournament)


def close_entries(tournament: Tournament, now: datetime) -> None:
    """The entries of a locked tournament are closed: only complete lines whose players are there keep their places, and
    those of the waiting list who are there take what is free. Everybody who is out is told why."""
    unconfirmed = tournament.entries.unconfirmed()
    pair_holds.drop_pairs(tournament, unconfirmed, "pair_unconfirmed", now)
    if tournament.state == State.CHECKIN:
        absent = list(tournament.entries.in_place().filter(pk__in=_absent(tournament)))
        if absent:
            told = waiting_list.people_of_entries(absent)
            Entry.objects.filter(pk__in=[entry.pk for entry in absent]).delete()
            write_log(tournament, "not_checked_in", now, count=len(absent))
            notify.tell_people(tournament, told, "not_checked_in")
            notify.mail_people(tournament, told, "not_checked_in", now)
        _move_up_who_is_there(tournament, now)
    else:
        waiting_list.move_up(tournament, now)


def _move_up_who_is_there(tournament: Tournament, now: datetime) -> None:
    free = waiting_list.free_places(tournament)
    if free > 0:
        there = tournament.entries.queue().exclude(pk__in=_absent(tournament))
        waiting_list.give_places(tournament, list(there[:free]), now)


def _absent(tournament: Tournament) -> QuerySet[EntryMember, int]:
    """The entries with somebody who hasn't checked in."""
    return tournament.members.people().filter(checked_in_at=None).values_list("entry_id", flat=True)


def _open(tournament_id: int) -> Tournament:
    tournament = lock_tournament(tournament_id)
    if tournament.state != State.CHECKIN:
        raise TournamentError("drawn" if tournament.state not in ENTERING else "checkin_not_open")
    return tournament
