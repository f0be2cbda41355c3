"""Teams that enter themselves on the site (J11): a player names the others, and the team is in once all have accepted.

Until then an invitation holds its place, as those of organisers do; or the house's players take the other seats at
once, where they are allowed.
"""

from datetime import datetime, timedelta

from django.db import transaction

from players import caps
from players.clean_text import clean_line
from players.models import Player
from players.names import clean_typed_name
from players.services.house import HouseBusy, prepare_house_players, take_house_players
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import NameDetail
from tournaments.entries import open_invitations, waiting_list
from tournaments.entries.house import require_share
from tournaments.entries.import_list import check_list
from tournaments.entries.join import choose_log_code, create_entry, start_if_full
from tournaments.entries.level_admission import admits
from tournaments.entries.pair_holds import SIT_AND_GO_HOLD
from tournaments.entries.schedule import compute_next_due_at
from tournaments.lists.spreadsheet import Row
from tournaments.lists.teams import check_row_team, list_team_keys
from tournaments.models import Entry, Invitee, Tournament

HOUR = timedelta(hours=1)


@transaction.atomic
def ask_team(*, tournament_id: int, player: Player, row: Row, now: datetime, key: str = "") -> None:
    """Hold a place for the team of ``row``, whose first name is the player's own, and invite the others.

    TournamentError: list_refused (``problems``); team_level_outside; too_many_invitations; what keeps the player out.
    """
    open_invitations.lock_inviter(player)
    tournament = _lock_teams(tournament_id)
    _require_status(tournament, player, key, now)
    checked = check_list(tournament, player, [row], now)
    if checked.problems:
        raise TournamentError("list_refused", problems=list(checked.problems))
    (listed,) = (*checked.entries, *checked.invitations)
    if not admits(tournament, listed.players):
        raise TournamentError("team_level_outside")
    recent = Invitee.objects.filter(invitation__by=player, invitation__made_at__gt=now - HOUR)
    if recent.count() >= caps.PARTNERS_ASKED_AN_HOUR:
        raise TournamentError("too_many_invitations")
    team = open_invitations.InvitedEntry(listed.players, {player.pk}, team=clean_typed_name(row.team))
    hold = SIT_AND_GO_HOLD if tournament.starts_at is None else open_invitations.HOLD
    asked = open_invitations.create_invitations(tournament, player, [team], now, hold=hold)
    write_log(tournament, "invited", now, player)
    store_version(tournament)
    open_invitations.tell_invited(tournament, asked, now)


def enter_with_house(*, tournament_id: int, player: Player, team: str, now: datetime, key: str = "") -> Entry:
    """Enter the player with partners of the house, as a team of that name (E8: only where it is allowed)."""
    try:
        prepare_house_players(count=Tournament.objects.get(pk=tournament_id).entry_kind.line_up_size - 1, now=now)
        with transaction.atomic():
            tournament = _lock_teams(tournament_id)
            count = tournament.entry_kind.line_up_size - 1
            if not tournament.house_allowed:
                raise TournamentError("house_not_allowed")
            require_share(tournament, count)
            status = _require_status(tournament, player, key, now)
            row = Row(1, player.name, team=clean_line(team))
            problems = list(check_row_team(tournament, row, dict.fromkeys(list_team_keys(tournament), 0)))
            if problems:
                raise TournamentError("list_refused", problems=problems)
            partners = take_house_players(count=count, now=now)
            if not admits(tournament, [player, *partners]):
                raise TournamentError("team_level_outside")
            entry = create_entry(tournament, [player, *partners], now, status, team=clean_typed_name(row.team))
            tournament.due_at = compute_next_due_at(tournament, now)
            write_log(tournament, choose_log_code(entry), now, player, NameDetail(name=player.name))
            store_version(tournament)
    except HouseBusy as busy:
        raise TournamentError(busy.code) from None
    start_if_full(tournament, now)
    return entry


def _require_status(tournament: Tournament, player: Player, key: str, now: datetime) -> waiting_list.EntryStatus:
    """Return the status of an entry of the player's; nobody waits for a place as a team. TournamentError for what keeps
    them out."""
    if tournament.invitations.holding().filter(by=player, invitees__player=player).exists():
        raise TournamentError("team_asked")
    entered = tournament.members.of_player(player).exists()
    open_invitations.release_invitations(tournament, player, now)
    return waiting_list.initial_entry_status(tournament, player, entered=entered, key=key, wait=False, now=now)


def _lock_teams(tournament_id: int) -> Tournament:
    tournament = lock_tournament(tournament_id)
    if not tournament.entry_kind.lists_people or tournament.venue.enters_names:
        raise TournamentError("no_teams")
    return tournament
