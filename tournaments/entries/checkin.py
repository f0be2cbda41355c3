"""Check-in: the window before the start in which entered players confirm that they are present (E4), and its end.

It opens and closes by itself: ``tournament.due_at``; at real tables it is the organiser's roll call, until the draw
(O1). The house's players are always present. If the site was down
through the whole window, nobody loses a place.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Max, QuerySet

from players.models import Player
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import CountDetail, EntryDetail
from tournaments.core.people import drop_unused_people, list_typed_people
from tournaments.core.permissions import require_organiser
from tournaments.core.states import ENTERING
from tournaments.entries import open_invitations, pair_holds, waiting_list
from tournaments.entries.schedule import compute_checkin_opening, compute_start
from tournaments.equal import secrets
from tournaments.models import Entry, EntryMember, Tournament

State = Tournament.State
LAST_TOUCH = timedelta(minutes=30)  # until then a touch can be taken back as the last one: it was a slip of a finger


def open_checkin(tournament: Tournament, now: datetime) -> None:
    """Open the check-in of a locked tournament whose time has come, or leave it out if too little time is left for
    it."""
    secrets.commit_rounds(tournament, now)
    if compute_checkin_opening(tournament, now) is not None:
        tournament.state = State.CHECKIN
        write_log(tournament, "checkin_opened", now)
        player_ids = waiting_list.list_people_of_entries(tournament.entries.filter(approved=True))
        notify.tell_people(tournament, player_ids, "checkin_open")
        notify.mail_people(
            tournament, player_ids, "checkin_open", now, about=tournament.starts_at, at=tournament.starts_at
        )
    tournament.due_at = compute_start(tournament)
    store_version(tournament)


@transaction.atomic
def check_in(*, tournament_id: int, player: Player, now: datetime) -> None:
    """Store that ``player`` is present. Each player of a pair checks in; those on the waiting list may as well."""
    tournament = _lock_open_checkin(tournament_id)
    if tournament.venue.calls_roll:
        raise TournamentError("checkin_not_open")
    member = tournament.members.of_player(player).first()
    if member is None:
        raise TournamentError("not_entered")
    if member.checked_in_at is not None:
        return
    member.checked_in_at = now
    member.save(update_fields=["checked_in_at"])
    write_log(tournament, "checked_in", now, player, EntryDetail())
    store_version(tournament)


@transaction.atomic
def check_in_at_desk(*, tournament_id: int, by: Player, entry_id: int, present: bool, now: datetime) -> None:
    """Store that the players of an entry are present, or absent after all, as the organiser sees them.

    At real tables (O1) that is the roll call, as long as nothing is drawn.
    """
    tournament = _lock_open_checkin(tournament_id)
    require_organiser(tournament, by)
    members = tournament.members.filter(entry_id=entry_id)
    if not members.exists():
        raise TournamentError("not_entered")
    if present:
        members.filter(checked_in_at=None).update(checked_in_at=now)
    else:
        members.update(checked_in_at=None)
    write_log(tournament, "checked_in" if present else "checked_out", now, by, EntryDetail(entry=entry_id))
    store_version(tournament)


@transaction.atomic
def check_in_everybody(*, tournament_id: int, by: Player, now: datetime) -> int:
    """Store at once that everybody who isn't ticked yet is present. Return how many entries have been ticked."""
    tournament = _lock_open_checkin(tournament_id)
    require_organiser(tournament, by)
    absent = tournament.members.filter(checked_in_at=None)
    entries = len(set(absent.values_list("entry_id", flat=True)))
    if entries:
        absent.update(checked_in_at=now)
        write_log(tournament, "all_present", now, by, CountDetail(count=entries))
        store_version(tournament)
    return entries


@transaction.atomic
def undo_roll_call(*, tournament_id: int, by: Player, now: datetime) -> int:
    """Take back the last touch of the roll call: who was ticked by it isn't any more. Return how many entries.

    TournamentError: no_roll_call, where nobody was ticked within LAST_TOUCH.
    """
    tournament = _lock_open_checkin(tournament_id)
    require_organiser(tournament, by)
    last = find_last_tick(tournament, now)
    if last is None:
        raise TournamentError("no_roll_call")
    ticked = tournament.members.filter(checked_in_at=last)
    entries = len(set(ticked.values_list("entry_id", flat=True)))
    ticked.update(checked_in_at=None)
    write_log(tournament, "roll_call_undone", now, by, CountDetail(count=entries))
    store_version(tournament)
    return entries


def find_last_tick(tournament: Tournament, now: datetime) -> datetime | None:
    """Return when somebody was ticked last; None if nobody was within LAST_TOUCH."""
    last: datetime | None = tournament.members.aggregate(at=Max("checked_in_at"))["at"]
    return None if last is None or last <= now - LAST_TOUCH else last


def is_roll_called(tournament: Tournament) -> bool:
    """Tell if the organiser ticks who is present: in the check-in (E4), at real tables until the draw (O1)."""
    return tournament.state == State.CHECKIN or (tournament.venue.calls_roll and tournament.state in ENTERING)


def close_entries(tournament: Tournament, now: datetime) -> None:
    """Close the entries of a locked tournament: complete entries whose players are present keep their places, and
    present entries of the waiting list take what is free. Everybody who loses a place is told why; who hasn't accepted
    an invitation doesn't play (E3)."""
    open_invitations.lapse_invitations(tournament, tournament.invitations.open(), now)
    unconfirmed = tournament.entries.unconfirmed()
    pair_holds.drop_pairs(tournament, unconfirmed, "pair_unconfirmed", now)
    if is_roll_called(tournament):
        absent = list(tournament.entries.in_place().filter(pk__in=_list_absent_entries(tournament)))
        if absent:
            player_ids = waiting_list.list_people_of_entries(absent)
            typed = list_typed_people(absent)
            Entry.objects.filter(pk__in=[entry.pk for entry in absent]).delete()
            drop_unused_people(typed)
            write_log(tournament, "not_checked_in", now, detail=CountDetail(count=len(absent)))
            notify.tell_people(tournament, player_ids, "not_checked_in")
            notify.mail_people(tournament, player_ids, "not_checked_in", now)
        _move_up_checked_in(tournament, now)
    else:
        waiting_list.move_up(tournament, now)


def list_entries_to_draw(tournament: Tournament) -> list[int]:
    """Return the ids of the entries that would be drawn if entries closed now, as ``close_entries`` leaves them."""
    entries = tournament.entries.filter(confirmed=True).order_by("pk")
    if is_roll_called(tournament):
        entries = entries.exclude(pk__in=_list_absent_entries(tournament))
    placed = list(entries.in_place().order_by(F("placed").asc(nulls_last=True), "pk").values_list("pk", flat=True))
    free = max(0, tournament.max_entries - len(placed))
    return [*placed, *entries.queue().values_list("pk", flat=True)[:free]]


def list_entries_expected(tournament: Tournament) -> list[int]:
    """Return the ids of the entries that would be drawn as things stand: who is ticked at a roll call that has begun,
    else everybody who has a place."""
    if is_roll_called(tournament) and not tournament.members.people().filter(checked_in_at__isnull=False).exists():
        return list(tournament.entries.in_place().filter(confirmed=True).order_by("pk").values_list("pk", flat=True))
    return list_entries_to_draw(tournament)


def _move_up_checked_in(tournament: Tournament, now: datetime) -> None:
    free = waiting_list.count_free_places(tournament)
    if free > 0:
        present = tournament.entries.queue().exclude(pk__in=_list_absent_entries(tournament))
        waiting_list.give_places(tournament, list(present[:free]), now)


def _list_absent_entries(tournament: Tournament) -> QuerySet[EntryMember, int]:
    """Return the ids of the entries with a player who hasn't checked in."""
    return tournament.members.people().filter(checked_in_at=None).values_list("entry_id", flat=True)


def _lock_open_checkin(tournament_id: int) -> Tournament:
    tournament = lock_tournament(tournament_id)
    if not is_roll_called(tournament):
        raise TournamentError("drawn" if tournament.state not in ENTERING else "checkin_not_open")
    return tournament
