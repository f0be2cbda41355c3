"""Places and the list of those who wait for one (E3): whoever has waited longest moves up as soon as a place is free.

Every function takes a tournament that is locked already, but for ``expire_due``. Nobody waits while there is room.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

from players.models import Player
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.permissions import may_run
from tournaments.core.states import ENTERING
from tournaments.entries import pair_holds
from tournaments.entries.queries import refusal_to_join
from tournaments.entries.schedule import next_due_at
from tournaments.models import Entry, EntryMember, Tournament

LEAST_WAITING = 100
WAITING_A_PLACE = 2


def free_places(tournament: Tournament) -> int:
    """How many places are free; below zero where more are in than there may be now."""
    return tournament.max_entries - tournament.entries.in_place().count()


def initial_entry_status(
    tournament: Tournament, player: Player, *, entered: bool, key: str, wait: bool, now: datetime
) -> dict[str, Any]:
    """What a new entry of ``player`` begins as: with a place, waiting for one, or for the organiser's answer (E3).

    TournamentError says why he may not enter; "full" unless he would ``wait``, queue_full or asking_full where too many
    wait already.
    """
    entries = tournament.entries.in_place().count()
    refusal = refusal_to_join(tournament, player, entered=entered, entries=entries, key=key)
    asks = tournament.registration == Tournament.Registration.APPROVAL and not may_run(tournament, player)
    if refusal is not None and not (refusal == "full" and (wait or asks)):
        raise TournamentError(refusal)
    if asks:
        if tournament.entries.applicants().count() >= waiting_limit(tournament):
            raise TournamentError("asking_full")
        return {"approved": False}
    if refusal is None:
        return {}
    if tournament.entries.queue().count() >= waiting_limit(tournament):
        raise TournamentError("queue_full")
    return {"waiting_since": now}


def waiting_limit(tournament: Tournament) -> int:
    """How many may wait for a place, and how many for an answer: nobody waits for what can't come."""
    return max(LEAST_WAITING, WAITING_A_PLACE * tournament.max_entries)


def move_up(tournament: Tournament, now: datetime) -> None:
    """Give free places to those who waited longest, and tell them."""
    free = free_places(tournament)
    if free <= 0:
        return
    give_places(tournament, list(tournament.entries.queue()[:free]), now)


def give_places(tournament: Tournament, entries: list[Entry], now: datetime) -> None:
    """These of the waiting list have a place now. A pair that isn't complete holds it as long as any other (E1)."""
    if not entries:
        return
    up = Entry.objects.filter(pk__in=[entry.pk for entry in entries])
    up.filter(confirmed=False).update(expires_at=pair_holds.held_until(tournament, now))
    up.update(waiting_since=None)
    write_log(tournament, "moved_up", now, count=len(entries))
    told = people_of_entries(entries)
    notify.tell_people(tournament, told, "moved_up")
    notify.mail_people(tournament, told, "moved_up", now, about=tournament.version)


def drop_unplaced(tournament: Tournament, now: datetime) -> None:
    """At the draw: whoever still waits for a place or an answer is out, and told so."""
    groups = {"full": list(tournament.entries.queue()), "unanswered": list(tournament.entries.applicants())}
    left = [entry.pk for entries in groups.values() for entry in entries]
    if not left:
        return
    for why, entries in groups.items():
        told = people_of_entries(entries)
        notify.tell_people(tournament, told, "left_out")
        notify.mail_people(tournament, told, "left_out", now, why=why)
    Entry.objects.filter(pk__in=left).delete()
    write_log(tournament, "left_out", now, count=len(left))


def people_of_entries(entries: Iterable[Entry]) -> list[int]:
    """The players of these entries but the house's."""
    return EntryMember.objects.filter(entry__in=list(entries)).people().player_ids()


@transaction.atomic
def expire_holds(*, tournament_id: int, now: datetime) -> None:
    """Give up the places that pairs held long enough (E1). Called by the sweep; safe to call any time."""
    tournament = lock_tournament(tournament_id)
    overdue = tournament.entries.unconfirmed().filter(expires_at__lte=now)
    if tournament.state in ENTERING and pair_holds.drop_pairs(tournament, overdue, "pair_expired", now):
        move_up(tournament, now)
        tournament.due_at = next_due_at(tournament, now)
        store_version(tournament)
