"""Whom the organiser names as referees (F1): named, dismissed, and taken over by a tournament made like another."""

from datetime import datetime, timedelta

from django.db import transaction

from players.models import Player
from players.selectors import named
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.permissions import require_organiser
from tournaments.models import LogEntry, Referee, Tournament

REFEREES = 20  # of one tournament, and named by one person in an hour: nobody calls strangers all day


@transaction.atomic
def name_referee(*, tournament_id: int, by: Player, name: str, now: datetime) -> Referee:
    """One more referee, by name; he is told. TournamentError where nobody is called so, or he may not be one."""
    tournament = _open_to(tournament_id, by)
    found = _member(name)
    if Referee.objects.filter(tournament=tournament, player=found).exists():
        raise TournamentError("referee_already")
    lately = LogEntry.objects.filter(player=by, code="referee_named", at__gt=now - timedelta(hours=1)).count()
    if max(lately, Referee.objects.filter(tournament=tournament).count()) >= REFEREES:
        raise TournamentError("too_many_referees", limit=REFEREES)
    made = Referee.objects.create(tournament=tournament, player=found)
    write_log(tournament, "referee_named", now, by, referee=found.public_id)
    store_version(tournament)
    notify.tell_people(tournament, [found.pk], "referee_named")
    return made


@transaction.atomic
def dismiss_referee(*, tournament_id: int, by: Player, player_id: int, now: datetime) -> None:
    """No referee any more; what he decided stays."""
    tournament = _open_to(tournament_id, by)
    row = Referee.objects.filter(tournament=tournament, player=player_id).select_related("player").first()
    if row is None:
        raise TournamentError("no_referee")
    row.delete()
    write_log(tournament, "referee_dismissed", now, by, referee=row.player.public_id)
    store_version(tournament)
    notify.tell_people(tournament, [player_id], "referee_dismissed")


def copy_referees(*, source: Tournament, tournament: Tournament) -> None:
    """The referees of ``source`` for a tournament made like it; inside the transaction that makes it."""
    players = Player.objects.filter(refereed__tournament=source, kind=Player.Kind.MEMBER, user__is_active=True)
    rows = [Referee(tournament=tournament, player=player) for player in players.order_by("pk")[:REFEREES]]
    Referee.objects.bulk_create(rows, ignore_conflicts=True)
    for row in rows:
        notify.tell_people(tournament, [row.player_id], "referee_named")


def _open_to(tournament_id: int, by: Player) -> Tournament:
    """The locked tournament, for who runs it; after its end its results can still be corrected."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if tournament.state == Tournament.State.CANCELLED:
        raise TournamentError("over")
    return tournament


def _member(name: str) -> Player:
    found = named(name)
    if found is None:
        raise TournamentError("referee_unknown")
    if found.kind != Player.Kind.MEMBER:
        raise TournamentError("referee_is_house" if found.is_house else "referee_is_guest")
    return found
