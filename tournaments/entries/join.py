"""Entering and leaving while the registration is open. It never draws a tournament: it asks for that by a signal."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import NameDetail
from tournaments.core.people import drop_unused_people, list_typed_people
from tournaments.core.signals import tournament_due
from tournaments.core.states import UNDRAWN
from tournaments.entries import open_invitations, waiting_list
from tournaments.entries.schedule import compute_next_due_at
from tournaments.entries.typed_names import KnownNames
from tournaments.lists.problems import Problem
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import Entry, EntryMember, Tournament


def list_namesakes(tournament: Tournament, player: Player) -> list[Problem]:
    """Return a problem where somebody is in by a name that the player's account has, too (O2); of a minor nobody is
    told (I1)."""
    if not tournament.venue.enters_names or tournament.members.of_player(player).exists():
        return []
    return KnownNames(tournament, minors=False).find(TypedEntry(1, (TypedPerson(player.name),)))


def require_another(tournament: Tournament, player: Player, another: bool) -> None:
    """Refuse an account whose name was typed already, unless it is another person's. TournamentError: list_refused."""
    problems = [] if another else list_namesakes(tournament, player)
    if problems:
        raise TournamentError("list_refused", problems=problems)


def enter_player(
    *, tournament_id: int, player: Player, now: datetime, key: str = "", wait: bool = False, another: bool = False
) -> Entry:
    """Enter ``player`` alone. A sit and go that is full now is drawn at once (E5). TournamentError gives the refusal.

    ``key``: the link's token or the code (E3); ``wait``: the player also accepts a place on the waiting list;
    ``another``: than those who are called so already.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        if tournament.entry_kind.lists_people and not tournament.venue.enters_names:
            raise TournamentError("needs_team")
        if not tournament.entry_kind.comes_alone:
            raise TournamentError("needs_partner")
        entered = tournament.members.of_player(player).exists()
        open_invitations.release_invitations(tournament, player, now)
        status = waiting_list.initial_entry_status(tournament, player, entered=entered, key=key, wait=wait, now=now)
        require_another(tournament, player, another)
        entry = create_entry(tournament, [player], now, status)
        tournament.due_at = compute_next_due_at(tournament, now)
        write_log(tournament, choose_log_code(entry), now, player, NameDetail(name=player.name))
        store_version(tournament)
    start_if_full(tournament, now)
    return entry


@transaction.atomic
def leave_tournament(*, tournament_id: int, player: Player, now: datetime) -> None:
    """Give up the player's place, until the draw; either player may give up a pair's. After the draw an absent player
    forfeits (E9)."""
    tournament = lock_tournament(tournament_id)
    member = tournament.members.of_player(player).select_related("entry").first()
    if member is None:
        raise TournamentError("not_entered")
    if tournament.state not in UNDRAWN:
        raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
    partners = member.entry.members.people().exclude(pk=member.pk).player_ids()
    typed = list_typed_people([member.entry])
    member.entry.delete()
    drop_unused_people(typed)
    write_log(tournament, "left", now, player, NameDetail(name=player.name))
    waiting_list.move_up(tournament, now)
    tournament.due_at = compute_next_due_at(tournament, now)
    store_version(tournament)
    if tournament.state != Tournament.State.DRAFT:
        notify.tell_people(tournament, partners, "partner_left")


def create_entry(
    tournament: Tournament,
    members: Sequence[Player],
    now: datetime,
    status: waiting_list.EntryStatus = waiting_list.IN_PLACE,
    *,
    confirmed: bool = True,
    team: str = "",
) -> Entry:
    """Store the entry of these players in a locked tournament. Players who enter during the check-in have checked in
    (E4)."""
    entry = Entry.objects.create(
        tournament=tournament,
        created_at=now,
        team_name=team,
        confirmed=confirmed,
        approved=status.approved,
        waiting_since=status.waiting_since,
    )
    for position, player in enumerate(members):
        EntryMember.objects.create(
            entry=entry,
            tournament=tournament,
            person=player.person,
            position=position,
            checked_in_at=checkin_stamp(tournament, now),
        )
    return entry


def checkin_stamp(tournament: Tournament, now: datetime) -> datetime | None:
    """Return the hour at which a player who acts now has checked in; None outside the check-in (E4)."""
    return now if tournament.state == Tournament.State.CHECKIN else None


def choose_log_code(entry: Entry) -> str:
    """Return the log's code for a new entry: applied, joined or queued."""
    return "applied" if not entry.approved else "joined" if entry.waiting_since is None else "queued"


def start_if_full(tournament: Tournament, now: datetime) -> None:
    """Ask for the draw of a sit and go whose last place was taken.

    The draw has a transaction of its own: the place stays taken if it fails, and the sweep draws later.
    """
    if tournament.due_at is not None and tournament.due_at <= now:
        tournament_due.send(sender=Tournament, tournament_id=tournament.pk, now=now)
