"""Referees (F1): named and dismissed by the organiser, and copied to a tournament made like another."""

from datetime import datetime, timedelta

from django.db import transaction

from players.models import Player
from players.selectors import find_blockers, find_by_name
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import RefereeDetail
from tournaments.core.permissions import require_organiser
from tournaments.models import LogEntry, Referee, Tournament

MAX_REFEREES = 20  # of one tournament, and named by one person in an hour: nobody calls strangers all day


@transaction.atomic
def name_referee(*, tournament_id: int, by: Player, name: str, now: datetime) -> Referee:
    """Name one more referee, and tell them. TournamentError where no player has that name, or they may not be one."""
    tournament = _lock_open_tournament(tournament_id, by)
    player = _find_member(name)
    if Referee.objects.filter(tournament=tournament, player=player).exists():
        raise TournamentError("referee_already")
    recent = LogEntry.objects.filter(player=by, code="referee_named", at__gt=now - timedelta(hours=1)).count()
    if max(recent, Referee.objects.filter(tournament=tournament).count()) >= MAX_REFEREES:
        raise TournamentError("too_many_referees", limit=MAX_REFEREES)
    if find_blockers({player.pk}, {by.pk, tournament.organiser_id}):
        raise TournamentError("not_invitable")
    referee = Referee.objects.create(tournament=tournament, player=player)
    write_log(tournament, "referee_named", now, by, RefereeDetail(referee=player.public_id))
    store_version(tournament)
    notify.tell_people(tournament, [player.pk], "referee_named")
    return referee


@transaction.atomic
def dismiss_referee(*, tournament_id: int, by: Player, player_id: int, now: datetime) -> None:
    """Dismiss a referee and tell them; their rulings stay."""
    tournament = _lock_open_tournament(tournament_id, by)
    row = Referee.objects.filter(tournament=tournament, player=player_id).select_related("player").first()
    if row is None:
        raise TournamentError("no_referee")
    row.delete()
    write_log(tournament, "referee_dismissed", now, by, RefereeDetail(referee=row.player.public_id))
    store_version(tournament)
    notify.tell_people(tournament, [player_id], "referee_dismissed")


def copy_referees(*, source: Tournament, tournament: Tournament) -> None:
    """Copy the referees of ``source`` to a tournament made like it, inside the transaction that makes it."""
    players = Player.objects.filter(refereed__tournament=source, kind=Player.Kind.MEMBER, user__is_active=True)
    rows = [Referee(tournament=tournament, player=player) for player in players.order_by("pk")[:MAX_REFEREES]]
    Referee.objects.bulk_create(rows, ignore_conflicts=True)
    for row in rows:
        notify.tell_people(tournament, [row.player_id], "referee_named")


def _lock_open_tournament(tournament_id: int, by: Player) -> Tournament:
    """Lock the tournament and return it, to its organiser; after its end its results can still be corrected."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state == Tournament.State.CANCELLED:
        raise TournamentError("over")
    return tournament


def _find_member(name: str) -> Player:
    player = find_by_name(name)
    if player is None:
        raise TournamentError("referee_unknown")
    if player.kind != Player.Kind.MEMBER:
        raise TournamentError("referee_is_house" if player.is_house else "referee_is_guest")
    return player
