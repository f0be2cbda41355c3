"""Every act of a referee on every fixture of a bracket is done or refused by name, and it can be ended (F2, K4)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.db import transaction

from tests.support.play import stored_equals_recomputed
from tests.support.real_tables import draw_real
from tests.support.thorough import THOROUGH, tries
from tests.support.tournaments import KO, Opened
from tournaments.core.errors import TournamentError
from tournaments.desk import results
from tournaments.desk.act import Act
from tournaments.desk.results import Decision
from tournaments.models import Fixture, Tournament
from tournaments.organise.settings import Settings
from tournaments.rounds import drafts

pytestmark = pytest.mark.django_db

DOUBLE = replace(KO, format="doppio", min_entries=3)
LAST = {"ko": {"third", "final"}, "doppio": {"decider"}}  # by format, the rounds on which nothing depends
THIRD, ONCE, LUCKY = {"third_place": True}, {"no_decider": True}, {"lucky_losers": True}
OPEN = (Fixture.State.READY, Fixture.State.PLAYING)
HOME, AWAY = Decision(points=(8, 3), winner=0), Decision(points=(3, 8), winner=1)
ACTS: tuple[tuple[str, Callable[..., None], dict[str, Any]], ...] = (
    ("the same winner by more", results.set_result, {"decision": Decision(points=(11, 0), winner=0)}),
    ("the other winner", results.set_result, {"decision": AWAY}),
    ("a forfeit", results.declare_forfeit, {"lines": (0,)}),
    ("a double forfeit", results.declare_forfeit, {"lines": (0, 1)}),
    ("annulled", results.annul_result, {}),
    ("a replay", results.order_replay, {}),
)


def go_on(tournament: Tournament, now: datetime) -> None:
    """Give the first fixture that is open a result; publish the next round where none is."""
    waiting = Fixture.objects.of(tournament).filter(state__in=OPEN)
    fixture = waiting.order_by("round__number", "board").first()
    if fixture is None:
        number = drafts.list_waiting_rounds(tournament)[0]
        drafts.publish_round(tournament_id=tournament.pk, number=number, by=tournament.organiser, now=now)
        return
    act = Act(by=tournament.organiser, reason="Perché sì", now=now)
    results.set_result(tournament_id=tournament.pk, fixture_id=fixture.pk, decision=HOME, act=act)


def close(tournament: Tournament, now: datetime) -> None:
    """Give every fixture that is open a result, the third place's before the final's, until the tournament is over."""
    for _ in range(64):
        tournament.refresh_from_db()
        if tournament.state == Tournament.State.FINISHED:
            return
        go_on(tournament, now)
    raise AssertionError("it never ends")


def try_acts(tournament: Tournament, now: datetime) -> Iterator[tuple[str, str]]:
    """Try every act on every fixture of two, each from the state it finds; yield what was tried and its refusal."""
    for fixture in (
        Fixture.objects.of(tournament).filter(first__isnull=False, second__isnull=False).select_related("round")
    ):
        for name, service, about in ACTS:
            refusal = ""
            with transaction.atomic():
                try:
                    act = Act(by=tournament.organiser, reason="Perché sì", now=now)
                    service(tournament_id=tournament.pk, fixture_id=fixture.pk, act=act, **about)
                except TournamentError as error:
                    refusal = error.code
                fresh = Tournament.objects.get(pk=tournament.pk)
                assert stored_equals_recomputed(fresh), (fixture, name)
                close(fresh, now)
                transaction.set_rollback(True)
            last = fixture.round.name in LAST[tournament.format]
            assert not (last and refusal == "depended_on"), (fixture, name)
            yield name, refusal


@pytest.mark.rule("K4", "F2", "EV4")
@pytest.mark.parametrize(
    ("base", "size", "options"),
    [
        (KO, 4, THIRD),
        (DOUBLE, 3, {}),
        *tries((), [(KO, 2, {}), (KO, 4, {}), (KO, 5, {}), *((KO, size, THIRD) for size in (3, 5, 6, 7, 8, 9))]),
        *tries((), [(KO, size, LUCKY) for size in (5, 6, 9)]),
        *tries((), [(DOUBLE, size, {}) for size in range(4, 10)]),
        *tries((), [(DOUBLE, size, ONCE) for size in range(3, 7)]),
    ],
    ids=lambda value: value.format if isinstance(value, Settings) else None,
)
def test_every_act_on_every_fixture_of_a_bracket_leaves_one_that_can_be_ended(
    opened: Opened, now: datetime, base: Settings, size: int, options: dict[str, bool]
) -> None:
    tournament = draw_real(opened, size, now, base, format_options=options)
    done = 0
    while tournament.state != Tournament.State.FINISHED:
        go_on(tournament, now)
        tournament.refresh_from_db()
        if tournament.state == Tournament.State.FINISHED or THOROUGH:
            done += sum(not refusal for _name, refusal in try_acts(tournament, now))
    assert done > size
