"""Places and the waiting list (E3): the entry that has waited longest moves up as soon as a place is free.

Every function but ``expire_holds`` takes a locked tournament. No entry waits while a place is free.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from players import caps
from players.models import Player
from players.services.counted_acts import TooMany, count_act
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import CountDetail
from tournaments.core.people import drop_unused_people, list_typed_people
from tournaments.core.permissions import may_run
from tournaments.core.states import ENTERING
from tournaments.entries import pair_holds
from tournaments.entries.queries import count_taken_places, find_join_refusal
from tournaments.entries.schedule import compute_next_due_at
from tournaments.entries.suspensions import require_leave_to_play
from tournaments.models import Entry, EntryMember, Tournament

MIN_WAITING_ENTRIES = 100
WAITING_PER_PLACE = 2


@dataclass(frozen=True, slots=True)
class EntryStatus:
    """The answer to an entry: whether the organiser has given it (E3), and since when it waits for a place."""

    approved: bool = True
    waiting_since: datetime | None = None


IN_PLACE = EntryStatus()


def count_free_places(tournament: Tournament) -> int:
    """Return the number of places that no entry has and no invitation holds (E3); negative if the tournament was made
    smaller than its entries."""
    return tournament.max_entries - count_taken_places(tournament)


def initial_entry_status(
    tournament: Tournament, player: Player, *, entered: bool, key: str, wait: bool, now: datetime
) -> EntryStatus:
    """Return the status of a new entry of ``player``: it has a place, waits for one, or waits for an answer (E3).

    TournamentError gives the refusal: "full" unless the player would ``wait``, queue_full or asking_full where too many
    wait already, suspended (U2), entered_often where the player enters and leaves too often: the entry is counted for
    that.
    """
    entries = count_taken_places(tournament)
    refusal = find_join_refusal(tournament, player, entered=entered, entries=entries, key=key)
    if refusal not in (None, "full"):
        raise TournamentError(refusal)
    require_leave_to_play(player, now)
    asks = tournament.registration == Tournament.Registration.APPROVAL and not may_run(tournament, player)
    status = choose_status(tournament, asks=asks, full=refusal == "full", wait=wait, now=now)
    try:
        count_act({f"entries:{player.pk}": caps.ENTRIES_A_PERSON}, now=now)
    except TooMany as refused:
        raise TournamentError("entered_often", wait=refused.wait) from None
    return status


def choose_status(tournament: Tournament, *, asks: bool, full: bool, wait: bool, now: datetime) -> EntryStatus:
    """Return the status of a new entry that nothing else keeps out. TournamentError: full, queue_full, asking_full."""
    if asks:
        if tournament.entries.applicants().count() >= get_waiting_limit(tournament):
            raise TournamentError("asking_full")
        return EntryStatus(approved=False)
    if not full:
        return IN_PLACE
    if not wait:
        raise TournamentError("full")
    if tournament.entries.queue().count() >= get_waiting_limit(tournament):
        raise TournamentError("queue_full")
    return EntryStatus(waiting_since=now)


def get_waiting_limit(tournament: Tournament) -> int:
    """Return how many entries may wait for a place, and how many for an answer: more would wait in vain."""
    return max(MIN_WAITING_ENTRIES, WAITING_PER_PLACE * tournament.max_entries)


def move_up(tournament: Tournament, now: datetime) -> None:
    """Give free places to the entries that waited longest, and tell their players."""
    free = count_free_places(tournament)
    if free <= 0:
        return
    give_places(tournament, list(tournament.entries.queue()[:free]), now)


def give_places(tournament: Tournament, entries: list[Entry], now: datetime) -> None:
    """Give places to these entries of the waiting list. An incomplete pair holds its place as long as any other
    (E1)."""
    if not entries:
        return
    up = Entry.objects.filter(pk__in=[entry.pk for entry in entries])
    up.filter(confirmed=False).update(expires_at=pair_holds.compute_hold_end(tournament, now))
    up.update(waiting_since=None)
    write_log(tournament, "moved_up", now, detail=CountDetail(count=len(entries)))
    player_ids = list_people_of_entries(entries)
    notify.tell_people(tournament, player_ids, "moved_up")
    notify.mail_people(tournament, player_ids, "moved_up", now, about=tournament.version)


def drop_unplaced(tournament: Tournament, now: datetime) -> None:
    """Delete the entries that still wait for a place or an answer at the draw, and tell their players."""
    groups = {"full": list(tournament.entries.queue()), "unanswered": list(tournament.entries.applicants())}
    left = [entry.pk for entries in groups.values() for entry in entries]
    if not left:
        return
    typed = list_typed_people(left)
    for why, entries in groups.items():
        player_ids = list_people_of_entries(entries)
        notify.tell_people(tournament, player_ids, "left_out")
        notify.mail_people(tournament, player_ids, "left_out", now, why=why)
    Entry.objects.filter(pk__in=left).delete()
    drop_unused_people(typed)
    write_log(tournament, "left_out", now, detail=CountDetail(count=len(left)))


def list_people_of_entries(entries: Iterable[Entry]) -> list[int]:
    """Return the ids of these entries' players, without the house's."""
    return EntryMember.objects.filter(entry__in=list(entries)).people().player_ids()


@transaction.atomic
def expire_holds(*, tournament_id: int, now: datetime) -> None:
    """Give up the places that incomplete pairs held long enough (E1). Called by the sweep; safe to call any time."""
    tournament = lock_tournament(tournament_id)
    overdue = tournament.entries.unconfirmed().filter(expires_at__lte=now)
    if tournament.state in ENTERING and pair_holds.drop_pairs(tournament, overdue, "pair_expired", now):
        move_up(tournament, now)
        tournament.due_at = compute_next_due_at(tournament, now)
        store_version(tournament)
