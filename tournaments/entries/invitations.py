"""Answers to invitations (E3): accept, refuse, refuse for good; the organiser takes one back; unanswered ones lapse.

Whom a referee asks to play (F2) accepts in ``tournaments.desk``; everything else about those invitations is here too.
"""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from players.models import Player
from players.services.blocks import block_player
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import NameDetail
from tournaments.core.permissions import may_referee, may_run
from tournaments.core.states import ENTERING
from tournaments.entries import open_invitations, waiting_list
from tournaments.entries.join import create_entry, start_if_full
from tournaments.entries.pairs import decline_pair
from tournaments.entries.schedule import compute_next_due_at
from tournaments.entries.suspensions import require_leave_to_play
from tournaments.models import Entry, PlayInvitation, Tournament

Kind = PlayInvitation.Kind
Outcome = PlayInvitation.Outcome


def accept_invitation(*, tournament_id: int, player: Player, invitation_id: int, now: datetime) -> Entry | None:
    """Accept as ``player``. Return the entry if everybody who is named has accepted now, else None.

    TournamentError: invitation_gone, registration_closed, guests_not_allowed, already_entered, suspended, cannot_play:
    another who is named is suspended.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        invitation = open_invitations.get_open_invitation(tournament, player, invitation_id, now, Kind.ENTRY)
        if tournament.state not in ENTERING:
            raise TournamentError("registration_closed")
        if player.is_guest and not tournament.guests_allowed:
            raise TournamentError("guests_not_allowed")
        if tournament.members.of_player(player).exists():
            raise TournamentError("already_entered")
        require_leave_to_play(player, now, others=Player.objects.filter(invited_to__invitation=invitation))
        invitation.invitees.filter(player=player, accepted_at=None).update(accepted_at=now)
        invitees = list(invitation.invitees.select_related("player__person"))
        if len(invitees) != tournament.entry_kind.line_up_size:  # an account that was closed
            raise TournamentError("invitation_gone")
        entry = None
        if all(invitee.accepted_at is not None for invitee in invitees):
            entry = _enter(tournament, invitation, [invitee.player for invitee in invitees], player, now)
        store_version(tournament)
    if entry is not None:
        start_if_full(tournament, now)
    return entry


def _enter(
    tournament: Tournament, invitation: PlayInvitation, players: list[Player], last: Player, now: datetime
) -> Entry:
    """Make the entry of those who have all accepted, in the place that was held. Only the last has just come (E4)."""
    open_invitations.end_invitation(invitation, Outcome.ACCEPTED, now)
    own = not may_run(tournament, invitation.by)  # of whoever enters a team (J11)
    asks = own and tournament.registration == Tournament.Registration.APPROVAL
    status = waiting_list.choose_status(tournament, asks=asks, full=False, wait=False, now=now)
    entry = create_entry(tournament, players, now, status, team=invitation.team_name)
    entry.members.exclude(person__player=last).update(checked_in_at=None)
    if invitation.placed is not None:
        entry.placed = invitation.placed
        entry.save(update_fields=["placed"])
    tournament.due_at = compute_next_due_at(tournament, now)
    write_log(tournament, "joined", now, last, NameDetail(name=last.name))
    partners = [player.pk for player in players if player.pk != last.pk]
    notify.tell_people(tournament, partners, "pair_confirmed")
    if not own:
        notify.tell_people(tournament, [invitation.by_id], "invitation_accepted", page="tournament-entries")
    return entry


@transaction.atomic
def refuse_invitation(*, tournament_id: int, player: Player, invitation_id: int, now: datetime) -> None:
    """Refuse as ``player``: who invited is told, and the waiting list moves up."""
    tournament = lock_tournament(tournament_id)
    invitation = open_invitations.get_open_invitation(tournament, player, invitation_id, now)
    _end(tournament, invitation, Outcome.REFUSED, now)
    write_log(tournament, "invitation_refused", now)
    store_version(tournament)
    page = "tournament-entries" if invitation.kind == Kind.ENTRY else "tournament-desk"
    notify.tell_people(tournament, [invitation.by_id], "invitation_refused", page=page)


def refuse_for_good(*, tournament_id: int, player: Player, invitation_id: int, now: datetime) -> Player:
    """Refuse this invitation and every other of whoever made it, now and later. Return whom."""
    asked = PlayInvitation.objects.open().filter(pk=invitation_id, tournament=tournament_id, invitees__player=player)
    invitation = asked.filter(expires_at__gt=now).select_related("by").first()
    if invitation is None:
        raise TournamentError("invitation_gone")
    block_inviter(player=player, inviter=invitation.by, now=now)
    return invitation.by


def refuse_partner_for_good(*, tournament_id: int, player: Player, entry_id: int, now: datetime) -> Player:
    """Decline a pair (E1), and every other invitation of whoever asks, now and later. Return whom."""
    asked = Entry.objects.unconfirmed().filter(pk=entry_id, tournament=tournament_id, invited=player).first()
    asker = None if asked is None else asked.members.with_people().get().person.player
    if asker is None:
        raise TournamentError("invitation_gone")
    block_inviter(player=player, inviter=asker, now=now)
    return asker


def block_inviter(*, player: Player, inviter: Player, now: datetime) -> None:
    """Block ``inviter``, and refuse all that they ask of ``player`` now: one tournament locked at a time."""
    block_player(player=player, blocked=inviter, now=now)
    open_ = PlayInvitation.objects.open().filter(by=inviter, invitees__player=player, expires_at__gt=now)
    for tournament_id, invitation_id in list(open_.values_list("tournament_id", "pk")):
        _refuse_if_open(refuse_invitation, tournament_id, player, now, invitation_id=invitation_id)
    asked = Entry.objects.unconfirmed().filter(invited=player, members__person__player=inviter)
    for tournament_id, entry_id in list(asked.values_list("tournament_id", "pk")):
        _refuse_if_open(decline_pair, tournament_id, player, now, entry_id=entry_id)


def _refuse_if_open(
    refuse: Callable[..., None], tournament_id: int, player: Player, now: datetime, **about: int
) -> None:
    """Refuse by that service, unless the invitation ended this very moment."""
    try:
        refuse(tournament_id=tournament_id, player=player, now=now, **about)
    except TournamentError as error:
        if error.code != "invitation_gone":
            raise


@transaction.atomic
def take_invitation_back(*, tournament_id: int, by: Player, invitation_id: int, now: datetime) -> None:
    """Take an invitation back: an organiser any, a referee those to play in somebody's place (F2)."""
    tournament = lock_tournament(tournament_id)
    invitation = tournament.invitations.open().filter(pk=invitation_id).first()
    refereed = invitation is not None and invitation.kind != Kind.ENTRY and may_referee(tournament, by)
    if not may_run(tournament, by) and not refereed:
        raise TournamentError("not_organiser")
    if invitation is None:
        raise TournamentError("invitation_gone")
    _end(tournament, invitation, Outcome.TAKEN_BACK, now)
    write_log(tournament, "invitation_taken_back", now, by)
    store_version(tournament)


@transaction.atomic
def expire_invitations(*, tournament_id: int, now: datetime) -> None:
    """End the invitations that nobody answered in time. Called by the sweep; safe to call any time."""
    tournament = lock_tournament(tournament_id)
    if open_invitations.lapse_invitations(tournament, tournament.invitations.open().filter(expires_at__lte=now), now):
        _pass_places_on(tournament, now)
        store_version(tournament)


def leave_invitations(*, player: Player, now: datetime) -> None:
    """End the invitations to a player whose account closes, and those they made."""
    named = PlayInvitation.objects.open().filter(Q(invitees__player=player) | Q(by=player))
    for tournament_id in sorted(set(named.values_list("tournament_id", flat=True))):
        tournament = lock_tournament(tournament_id)
        for invitation in named.filter(tournament=tournament).distinct():
            _end(tournament, invitation, Outcome.LAPSED, now)
        store_version(tournament)


def _end(tournament: Tournament, invitation: PlayInvitation, outcome: str, now: datetime) -> None:
    """End an invitation of a locked tournament; partners who had accepted are told, and the place it held is free."""
    open_invitations.end_invitation(invitation, outcome, now)
    if invitation.kind == Kind.ENTRY:
        agreed = invitation.invitees.filter(accepted_at__isnull=False)
        notify.tell_people(tournament, list(agreed.values_list("player_id", flat=True)), "pair_declined")
        _pass_places_on(tournament, now)


def _pass_places_on(tournament: Tournament, now: datetime) -> None:
    if tournament.state in ENTERING:
        waiting_list.move_up(tournament, now)
        tournament.due_at = compute_next_due_at(tournament, now)
