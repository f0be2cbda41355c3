"""Succession: who runs a tournament when its organiser closes their account (E2)."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Q

from players.models import Player
from tournaments.core import notify
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import RefereeDetail
from tournaments.core.permissions import list_referees
from tournaments.models import Referee, Tournament

State = Tournament.State


def hand_over_tournaments(*, player: Player, now: datetime) -> None:
    """Give what ``player`` organises and is being played, or is on loan elsewhere (O9), to a named referee, else to the
    staff, and tell them.

    What has neither keeps its organiser, and runs on without one. Call it inside a transaction.
    """
    running = Tournament.objects.filter(Q(state=State.RUNNING) | ~Q(lent_to=""), organiser=player).order_by("pk")
    for tournament_id in running.values_list("pk", flat=True):
        tournament = lock_tournament(tournament_id, lent=True)
        heir = next(_list_heirs(tournament), None)
        if heir is None or (tournament.state != State.RUNNING and not tournament.lent_to):
            continue
        tournament.organiser = heir
        Referee.objects.filter(tournament=tournament, player=heir).delete()
        write_log(tournament, "organiser_changed", now, None, RefereeDetail(referee=heir.public_id))
        store_version(tournament)
        notify.tell_people(tournament, [heir.pk], "tournament_inherited")


def _list_heirs(tournament: Tournament) -> Iterator[Player]:
    """Yield who could run it: named referees in their order, then staff, the oldest account first."""
    members = Player.objects.filter(kind=Player.Kind.MEMBER, user__is_active=True).exclude(pk=tournament.organiser_id)
    referees = members.in_bulk([row.player_id for row in list_referees(tournament)])
    yield from (referees[row.player_id] for row in list_referees(tournament) if row.player_id in referees)
    yield from members.filter(user__is_staff=True).order_by("pk")
