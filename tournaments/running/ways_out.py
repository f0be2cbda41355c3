"""The organiser's choice for a round of a danese that can't be paired (D1): a second bye, a rematch, or the end.

With a reason, logged, and taken back while the round isn't drawn; after the end too, where the tournament ended for it.
"""

from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, write_log
from tournaments.core.log_details import RoundWayDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.reasons import read_reason
from tournaments.formats import FORMATS
from tournaments.formats.protocol import WayOut
from tournaments.models import Fixture, Round, Tournament
from tournaments.running.dead_ends import read_plan
from tournaments.running.results import advance

State = Tournament.State


def list_ways(tournament: Tournament) -> tuple[WayOut, ...]:
    """Return the ways out of the round that can't be paired; none where there is no such round."""
    if tournament.stuck_round is None or tournament.state not in (State.RUNNING, State.FINISHED):
        return ()
    return read_plan(tournament).ways


@transaction.atomic
def choose_way(*, tournament_id: int, number: int, way: str, reason: str, by: Player, now: datetime) -> Round:
    """Choose how a round is paired that can't be as the rules want, or that the tournament ends before it.

    TournamentError: not_organiser, way_not_needed, way_not_there, way_chosen, reason_missing, reason_long.
    """
    tournament, round_ = _lock(tournament_id, number, by)
    if way not in list_ways(tournament):
        raise TournamentError("way_not_there")
    if round_.way == way:
        raise TournamentError("way_chosen")
    _store_way(tournament, round_, way, read_reason(reason), by, now)
    return round_


@transaction.atomic
def take_way_back(*, tournament_id: int, number: int, reason: str, by: Player, now: datetime) -> None:
    """Take the choice for a round back while the round isn't drawn. TournamentError: not_organiser, way_not_needed,
    no_way_chosen, reason_missing, reason_long."""
    tournament, round_ = _lock(tournament_id, number, by)
    if not round_.way:
        raise TournamentError("no_way_chosen")
    _store_way(tournament, round_, "", read_reason(reason), by, now)


def _lock(tournament_id: int, number: int, by: Player) -> tuple[Tournament, Round]:
    """Lock the tournament, if this is the round that can't be paired. TournamentError: not_organiser,
    way_not_needed."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    live = tournament.state in (State.RUNNING, State.FINISHED) and FORMATS[tournament.format].keeps_rounds
    drawn = Fixture.objects.filter(round__tournament=tournament, round__number=number, first__isnull=False)
    round_ = tournament.rounds.filter(number=number).first()
    if not live or round_ is None or tournament.stuck_round != number or drawn.exists():
        raise TournamentError("way_not_needed")
    return tournament, round_


def _store_way(tournament: Tournament, round_: Round, way: str, reason: str, by: Player, now: datetime) -> None:
    """Store a choice, or that there is none any more, and what follows from it."""
    detail = RoundWayDetail(round=(round_.name, round_.number), way=way or round_.way, reason=reason)
    round_.way = way
    round_.save(update_fields=["way"])
    write_log(tournament, "round_way" if way else "round_way_back", now, by, detail)
    if tournament.state == State.FINISHED:  # it may go on after all
        tournament.state = State.RUNNING
        tournament.save(update_fields=["state"])
    advance(tournament_id=tournament.pk, now=now)
