"""Agreed points of the organiser's own match at a real table (O13): they wait for the other side.

It confirms with its own code, at the desk or on a telephone, or has read them there. Disputes, changes and rulings stay
closed to whoever plays (F1).
"""

from datetime import datetime
from typing import Any

from django.db import transaction

from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.log_details import AGREED
from tournaments.core.permissions import may_run
from tournaments.core.result import FORFEIT
from tournaments.desk.act import Act, begin_act, lock_fixture_for
from tournaments.desk.deal_points import require_deals
from tournaments.desk.results import Decision, enter_result, make_result
from tournaments.hall.phone_results import TypedResult, compute_seen, confirm_with_code, read_typed, take_typed
from tournaments.hall.slip_codes import SlipSide, get_slip
from tournaments.models import EntryMember, Fixture, ScoreSlip, Tournament
from tournaments.running.round_clocks import is_time_up


def may_enter_own(tournament: Tournament, player: Player, fixture: Fixture) -> bool:
    """Tell if who organises and plays may enter the agreed points of this fixture: the first, at a real table, as long
    as nobody disagrees."""
    if not fixture.venue.types_results or not may_run(tournament, player) or fixture.state != Fixture.State.READY:
        return False
    return not ScoreSlip.objects.filter(fixture=fixture).exclude(called="").exists()


def type_own_result(*, tournament_id: int, fixture_id: int, decision: Decision, act: Act) -> None:
    """Take the points of the organiser's own match: they never enter by themselves.

    Where the other side has typed the same, that is agreement; where something else, another referee is called.
    TournamentError: plays_there, for what isn't agreed points; what can't be, as everywhere.
    """
    with transaction.atomic():
        at = _lock_own(tournament_id, fixture_id, decision, act)
        if at is not None:
            tournament, fixture = at
            side = SlipSide(get_slip(fixture), _find_side(fixture, act.by))
            take_typed(tournament, side, fixture, TypedResult((), decision), act.now, by=act.by)


def confirm_own_with_code(*, tournament_id: int, fixture_id: int, code: str, act: Act) -> None:
    """Confirm what waits with the other side's code, typed at the desk. A wrong one is counted at the fixture.

    TournamentError: as ``phone_results.confirm_beside``; plays_there.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    fixture = Fixture.objects.of(tournament).select_related("slip").filter(pk=fixture_id).first()
    if fixture is None or not hasattr(fixture, "slip"):
        raise TournamentError("slip_nothing")
    if not may_enter_own(tournament, act.by, fixture):
        raise TournamentError("plays_there")
    confirm_with_code(tournament, SlipSide(fixture.slip, _find_side(fixture, act.by)), code, act.now)


def enter_agreed_result(*, tournament_id: int, fixture_id: int, decision: Decision, act: Act) -> None:
    """Enter the points of the organiser's own match, which the other side has read at the desk and confirmed.

    TournamentError: plays_there, for what isn't agreed points; slip_changed, where the other side typed something else.
    """
    with transaction.atomic():
        at = _lock_own(tournament_id, fixture_id, decision, act)
        if at is None:
            return
        tournament, fixture = at
        slip = ScoreSlip.objects.filter(fixture=fixture).first()
        other = None if slip is None else read_typed(slip, 1 - _find_side(fixture, act.by))
        if other is not None and not _is_same(tournament, fixture, other, decision, act.now):
            raise TournamentError("slip_changed")
        require_deals(tournament, fixture, decision)
        enter_result(tournament, fixture, decision, AGREED, act)


def _is_same(tournament: Tournament, fixture: Fixture, other: TypedResult, decision: Decision, now: datetime) -> bool:
    """Tell if the other side has typed the same points, of each game where there are several (EV1)."""
    theirs = other.make(tournament, fixture)
    if not decision.games:
        return theirs.points == decision.points
    ours = make_result(tournament, fixture, decision, time_is_up=is_time_up(fixture, now))
    return (theirs.points, theirs.games) == (ours.points, ours.games)


def enter_waiting_result(*, tournament_id: int, fixture_id: int, seen: str, act: Act) -> None:
    """Enter what waits of the organiser's own match, as its page showed it: the other side has read it there.

    TournamentError: as ``enter_agreed_result``; slip_nothing.
    """
    fixture = Fixture.objects.select_related("slip").filter(pk=fixture_id, round__tournament=tournament_id).first()
    typed = None if fixture is None else read_own_typed(fixture, act.by)
    if typed is None or typed.decision is None:
        raise TournamentError("slip_nothing")
    if compute_seen(typed) != seen:
        raise TournamentError("slip_changed")
    enter_agreed_result(tournament_id=tournament_id, fixture_id=fixture_id, decision=typed.decision, act=act)


def read_own_typed(fixture: Fixture, player: Player) -> TypedResult | None:
    """Return what waits of the player's own side; None for nothing."""
    slip = getattr(fixture, "slip", None)
    return None if slip is None else read_typed(slip, _find_side(fixture, player))


def _lock_own(tournament_id: int, fixture_id: int, decision: Decision, act: Act) -> tuple[Tournament, Fixture] | None:
    """Lock a fixture for the agreed points of whoever plays there; None where this very act was done already."""
    tournament = begin_act(tournament_id, act, needs_reason=False)
    if tournament is None:
        return None
    fixture = lock_fixture_for(tournament, fixture_id, act, own=True)
    more: tuple[Any, ...] = (decision.vp, decision.mp)
    gives_away = any(game.points is None for game in decision.games)  # a ruling, as a forfeit is (EV1)
    ruling = more != (None, None) or decision.decided_by == FORFEIT or gives_away
    if not may_enter_own(tournament, act.by, fixture) or ruling:
        raise TournamentError("plays_there")
    return tournament, fixture


def _find_side(fixture: Fixture, player: Player) -> int:
    """Return the side for which the player plays. TournamentError: not_entered."""
    sides = [fixture.first_id, fixture.second_id]
    entry = EntryMember.objects.of_player(player).filter(entry__in=[pk for pk in sides if pk is not None]).first()
    if entry is None:
        raise TournamentError("not_entered")
    return sides.index(entry.entry_id)
