"""Succession: who runs a tournament when its organiser closes their account (E2)."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Case, Q, Value, When

from players.models import Player
from tournaments.core import notify
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import RefereeDetail
from tournaments.core.permissions import RUNS, list_referees
from tournaments.core.states import UNDRAWN
from tournaments.models import ClubMember, Referee, Series, Tournament

State = Tournament.State


def hand_over_tournaments(*, player: Player, now: datetime) -> None:
    """Give what ``player`` organises to somebody who goes on with it, and tell them: what is being played, or on loan
    elsewhere (O9), to a named referee, else to whoever runs its club's tournaments, else to the staff; what isn't
    drawn to its club alone, and so its series (E7).

    What has nobody keeps its organiser; what is played runs on without one. Call it inside a transaction.
    """
    left = Q(state=State.RUNNING) | ~Q(lent_to="") | Q(state__in=UNDRAWN, club__isnull=False)
    for tournament_id in Tournament.objects.filter(left, organiser=player).order_by("pk").values_list("pk", flat=True):
        tournament = lock_tournament(tournament_id, lent=True)
        going_on = tournament.state == State.RUNNING or tournament.lent_to
        if not going_on and tournament.state not in UNDRAWN:
            continue
        heir = next(_list_heirs(tournament) if going_on else _list_club_heirs(tournament.club_id, player), None)
        if heir is None:
            continue
        tournament.organiser = heir
        Referee.objects.filter(tournament=tournament, player=heir).delete()
        write_log(tournament, "organiser_changed", now, None, RefereeDetail(referee=heir.public_id))
        store_version(tournament)
        notify.tell_people(tournament, [heir.pk], "tournament_inherited")

    for series in Series.objects.filter(organiser=player, club__isnull=False):
        heir = next(_list_club_heirs(series.club_id, player), None)
        if heir is not None:
            series.organiser = heir
            series.save(update_fields=["organiser"])


def _list_heirs(tournament: Tournament) -> Iterator[Player]:
    """Yield who could run it: named referees in their order, who runs its club's, then staff, the oldest account
    first."""
    members = Player.objects.filter(kind=Player.Kind.MEMBER, user__is_active=True).exclude(pk=tournament.organiser_id)
    referees = members.in_bulk([row.player_id for row in list_referees(tournament)])
    yield from (referees[row.player_id] for row in list_referees(tournament) if row.player_id in referees)
    yield from _list_club_heirs(tournament.club_id, tournament.organiser)
    yield from members.filter(user__is_staff=True).order_by("pk")


def _list_club_heirs(club_id: int | None, player: Player) -> Iterator[Player]:
    """Yield who runs the tournaments of a club beside ``player``: organisers before administrators, those who have been
    there longest first."""
    if club_id is None:
        return
    rows = ClubMember.objects.filter(club=club_id, confirmed=True, role__in=RUNS, player__user__is_active=True)
    organisers_first = Case(When(role=ClubMember.Role.ORGANISER, then=Value(0)), default=Value(1))
    for row in rows.exclude(player=player).order_by(organisers_first, "since", "pk").select_related("player"):
        yield row.player
