"""Fixtures of several games in tests (EV1): decided, entered, refused, read again."""

from datetime import datetime
from typing import Any

from tests.support.desk import build_act
from tests.support.tournaments import catch_code
from tournaments.core.result import FixtureResult, GameScore
from tournaments.desk.results import Decision, set_result
from tournaments.models import Fixture, Tournament

Points = tuple[int, int]
SCOPA: dict[str, Any] = {"ruleset": "scopa", "length_kind": "points", "length_value": 21}
OF_THREE: dict[str, Any] = {"games": 3, **SCOPA}


def make_games(*points: Points | GameScore) -> tuple[GameScore, ...]:
    return tuple(one if isinstance(one, GameScore) else GameScore(points=one) for one in points)


def decide(*points: Points | GameScore, won: Points = (0, 0), **more: Any) -> Decision:
    return Decision(points=won, winner=more.pop("winner", None), games=make_games(*points), **more)


def enter(fixture: Fixture, now: datetime, *points: Points | GameScore, reason: str = "", **more: Any) -> Fixture:
    tournament = Tournament.objects.get(pk=fixture.round.tournament_id)
    act = build_act(tournament.organiser, now, reason)
    set_result(tournament_id=tournament.pk, fixture_id=fixture.pk, decision=decide(*points, **more), act=act)
    return read_again(fixture)


def refuse(fixture: Fixture, now: datetime, *points: Points | GameScore, reason: str = "", **more: Any) -> str:
    act = build_act(Tournament.objects.get(pk=fixture.round.tournament_id).organiser, now, reason)
    ids = {"tournament_id": fixture.round.tournament_id, "fixture_id": fixture.pk}
    return catch_code(set_result, **ids, decision=decide(*points, **more), act=act)


def read_again(fixture: Fixture) -> Fixture:
    return Fixture.objects.with_results().select_related("round").get(pk=fixture.pk)


def read(fixture: Fixture) -> tuple[Any, ...]:
    """Winner, games won, MP and VP."""
    result = FixtureResult.from_fixture(fixture)
    return result.winner, result.points, result.mp, result.vp
