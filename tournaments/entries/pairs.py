"""Pairs (E1): a player enters one and asks a partner, by name or by a link to send; the partner confirms or declines.

A player asked by name confirms alone; a link serves the first who uses it. Every act locks the tournament, so a pair is
confirmed once. ``pair_holds`` decides how long a place waits.
"""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from players import caps
from players.models import Player
from players.selectors import find_blocks, find_by_name
from players.services.house import HouseBusy, prepare_house_players, take_house_players
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import NameDetail
from tournaments.core.states import ENTERING
from tournaments.entries import open_invitations, pair_holds, waiting_list
from tournaments.entries.house import require_share
from tournaments.entries.join import checkin_stamp, choose_log_code, create_entry, require_another, start_if_full
from tournaments.entries.level_admission import admits
from tournaments.entries.schedule import compute_next_due_at
from tournaments.entries.suspensions import require_leave_to_play
from tournaments.models import Entry, EntryMember, LogEntry, Tournament


def enter_pair(
    *,
    tournament_id: int,
    player: Player,
    partner: str | None,
    now: datetime,
    key: str = "",
    wait: bool = False,
    another: bool = False,
) -> Entry:
    """Take a place for ``player`` and ask ``partner``, by name; None: by a link, whose token the entry has.

    If that partner has asked ``player`` already, this confirms their pair. TournamentError gives the refusal. ``key``,
    ``wait`` and ``another`` as in ``join.enter_player``.
    """
    with transaction.atomic():
        tournament = _lock_pair_tournament(tournament_id)
        asked = None if partner is None else _find_partner(tournament, player, partner, now)
        own = tournament.members.of_player(player).first()
        if asked is not None and own is None:
            back = _list_confirmable(tournament, now).filter(invited=player, members__person__player=asked).first()
            if back is not None and tournament.state in ENTERING:
                return confirm_pair(
                    tournament_id=tournament_id, player=player, entry_id=back.pk, now=now, another=another
                )
        open_invitations.release_invitations(tournament, player, now)
        status = waiting_list.initial_entry_status(
            tournament, player, entered=own is not None, key=key, wait=wait, now=now
        )
        require_another(tournament, player, another)
        entry = create_entry(tournament, [player], now, status, confirmed=False)
        _ask(tournament, entry, player, asked, now)
        return entry


@transaction.atomic
def invite_partner(*, tournament_id: int, player: Player, partner: str | None, now: datetime) -> Entry:
    """Ask somebody else for the player's own pending pair, by name or by a new link: the old invitation ends."""
    tournament = _lock_pair_tournament(tournament_id)
    entry = _get_own_pending(tournament, player)
    asked = None if partner is None else _find_partner(tournament, player, partner, now)
    _ask(tournament, entry, player, asked, now)
    return entry


def confirm_pair(
    *,
    tournament_id: int,
    player: Player,
    now: datetime,
    entry_id: int = 0,
    token: str = "",
    another: bool = False,
) -> Entry:
    """Confirm the pair ``entry_id`` that asked ``player`` by name, or the pair of the link with ``token``.

    The player's own unconfirmed pair is given up for it. A sit and go that is full now is drawn (E5). ``another`` as in
    ``join.enter_player``.
    """
    with transaction.atomic():
        tournament = _lock_pair_tournament(tournament_id)
        if tournament.state not in ENTERING:
            raise TournamentError("registration_closed")
        asked = Q(pk=entry_id, invited=player) | (Q(token=token) if token else Q(pk=None))
        entry = _list_confirmable(tournament, now).filter(asked).first()
        if entry is None:
            raise TournamentError("invitation_gone")
        entry = _confirm(tournament, entry, player, now, another)
    start_if_full(tournament, now)
    return entry


@transaction.atomic
def decline_pair(*, tournament_id: int, player: Player, entry_id: int, now: datetime) -> None:
    """Decline an invitation: the player who asked is told, and may ask somebody else."""
    tournament = _lock_pair_tournament(tournament_id)
    entry = tournament.entries.unconfirmed().filter(pk=entry_id, invited=player).first()
    if entry is None:
        raise TournamentError("invitation_gone")
    entry.invited = None
    entry.save(update_fields=["invited"])
    write_log(tournament, "pair_declined", now, player)
    store_version(tournament)
    notify.tell_people(tournament, entry.members.player_ids(), "pair_declined")


def enter_with_house(*, tournament_id: int, player: Player, now: datetime, key: str = "", wait: bool = False) -> Entry:
    """Enter ``player`` with a partner of the house, also if their pair waits for somebody (E8: only where it is
    allowed)."""
    try:
        prepare_house_players(count=1, now=now)  # before the tournament is locked
        tournament, entry = _enter_with_house(tournament_id, player, now, key, wait)
    except HouseBusy as busy:
        raise TournamentError(busy.code) from None
    start_if_full(tournament, now)
    return entry


def _enter_with_house(
    tournament_id: int, player: Player, now: datetime, key: str, wait: bool
) -> tuple[Tournament, Entry]:
    with transaction.atomic():
        tournament = _lock_pair_tournament(tournament_id)
        if not tournament.house_allowed:
            raise TournamentError("house_not_allowed")
        require_share(tournament, 1)
        own = tournament.entries.of_player(player).first()
        if own is None:
            open_invitations.release_invitations(tournament, player, now)
            status = waiting_list.initial_entry_status(tournament, player, entered=False, key=key, wait=wait, now=now)
            entry = create_entry(tournament, [player], now, status, confirmed=False)
        elif tournament.state not in ENTERING:
            raise TournamentError("registration_closed")
        elif own.confirmed:
            raise TournamentError("already_entered")
        else:
            require_leave_to_play(player, now)
            entry = own
        partner = take_house_players(count=1, now=now)[0]
        if not admits(tournament, [player, partner]):
            raise TournamentError("pair_level_outside")
        _complete(tournament, entry, partner, now)
        write_log(tournament, choose_log_code(entry), now, player, NameDetail(name=player.name))
        store_version(tournament)
        return tournament, entry


def _lock_pair_tournament(tournament_id: int) -> Tournament:
    tournament = lock_tournament(tournament_id)
    if not tournament.entry_kind.names_partner:
        raise TournamentError("not_pairs")
    return tournament


def _list_confirmable(tournament: Tournament, now: datetime) -> QuerySet[Entry]:
    """Return the pairs that may still be confirmed; the sweep may be late."""
    held = Q(expires_at=None) | Q(expires_at__gt=now)
    return tournament.entries.unconfirmed().filter(held)


def _get_own_pending(tournament: Tournament, player: Player) -> Entry:
    entry = tournament.entries.of_player(player).first()
    if entry is None:
        raise TournamentError("not_entered")
    if entry.confirmed:
        raise TournamentError("pair_complete")
    return entry


def _find_partner(tournament: Tournament, player: Player, name: str, now: datetime) -> Player:
    """Return the player of that name. TournamentError where there is none, or they can't be asked."""
    partner = find_by_name(name)
    if partner is None:
        raise TournamentError("partner_unknown")
    if partner.pk == player.pk:
        raise TournamentError("partner_is_you")
    if partner.is_house:
        raise TournamentError("partner_is_house")
    if partner.is_guest and not tournament.guests_allowed:
        raise TournamentError("partner_is_guest")
    if tournament.members.of_player(partner).filter(entry__confirmed=True).exists():
        raise TournamentError("partner_entered")
    if partner.pk in open_invitations.find_closed({partner.pk}, player, now):
        raise TournamentError("partner_not_invitable")
    return partner


def _ask(tournament: Tournament, entry: Entry, player: Player, asked: Player | None, now: datetime) -> None:
    if asked is not None:
        recent = LogEntry.objects.filter(player=player, code="invited", at__gt=now - timedelta(hours=1))
        if recent.count() >= caps.PARTNERS_ASKED_AN_HOUR:
            raise TournamentError("too_many_invitations")
    entry.invited = asked
    entry.token = "" if asked is not None else secrets.token_hex(16)
    entry.expires_at = pair_holds.compute_hold_end(tournament, now)
    entry.save(update_fields=["invited", "token", "expires_at"])
    write_log(tournament, "invited" if asked is not None else "link_made", now, player)
    store_version(tournament)
    if asked is not None:
        notify.tell_people(tournament, [asked.pk], "invited")


def _confirm(tournament: Tournament, entry: Entry, player: Player, now: datetime, another: bool) -> Entry:
    asking = entry.members.with_people().get().require_player()
    if asking.pk == player.pk:
        raise TournamentError("partner_is_you")
    if player.is_guest and not tournament.guests_allowed:
        raise TournamentError("guests_not_allowed")
    if find_blocks([asking.pk, player.pk]):  # since they were asked, or by a link that went further (B6)
        raise TournamentError("invitation_gone")
    own = tournament.entries.of_player(player).first()
    if own is not None and own.confirmed:
        raise TournamentError("already_entered")
    require_leave_to_play(player, now, others=[asking])
    if not admits(tournament, [asking, player]):
        raise TournamentError("pair_level_outside")
    require_another(tournament, player, another)
    invited = open_invitations.release_invitations(tournament, player, now)
    if own is not None:
        own.delete()
    if own is not None or invited:
        waiting_list.move_up(tournament, now)
    _complete(tournament, entry, player, now)
    write_log(tournament, "pair_joined", now, player)
    store_version(tournament)
    notify.tell_people(tournament, [asking.pk], "pair_confirmed")
    return entry


def _complete(tournament: Tournament, entry: Entry, second: Player, now: datetime) -> None:
    EntryMember.objects.create(
        entry=entry,
        tournament=tournament,
        person=second.person,
        position=1,
        checked_in_at=checkin_stamp(tournament, now),
    )
    entry.confirmed, entry.invited, entry.token, entry.expires_at = True, None, "", None
    entry.save(update_fields=["confirmed", "invited", "token", "expires_at"])
    tournament.due_at = compute_next_due_at(tournament, now)
