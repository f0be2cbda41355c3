"""Telephones that send at the same time (O4, H7): a fixture gets one result, told once. The guard-off twin breaks."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from tests.support.real_tables import draw_real, list_round
from tests.support.threads import run_for_codes
from tests.support.tournaments import Opened
from tests.support.waiting import PATIENCE
from tournaments.desk.results import Decision
from tournaments.hall import phone_results
from tournaments.hall.phone_results import TypedResult, confirm_result, type_result
from tournaments.hall.slip_codes import compute_code_digest, print_slips
from tournaments.models import Fixture, LogEntry, ScoreSlip, Tournament

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]

SEVEN = TypedResult((), Decision(points=(7, 4), winner=0))


def type_first(tournament: Tournament, now: datetime) -> list[tuple[Callable[[], None], Callable[[], None]]]:
    """Have the first side of each fixture type; return what the other's telephone may send: a confirmation, and the
    same points typed."""
    ways = []
    for slip in print_slips(tournament_id=tournament.pk, by=tournament.organiser, now=now):
        first, second = (compute_code_digest(tournament, code) for code in slip.codes)
        type_result(tournament_id=tournament.pk, digest=first, typed=SEVEN, now=now)
        about: dict[str, Any] = {"tournament_id": tournament.pk, "digest": second, "now": now}
        ways.append(
            (
                lambda about=about: confirm_result(seen=SEVEN, **about),
                lambda about=about: type_result(typed=SEVEN, **about),
            )
        )
    return ways


@pytest.mark.rule("O4")
def test_of_confirmations_at_once_one_enters_the_result(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 8, now)
    for confirm, type_same in type_first(tournament, now):
        assert Counter(run_for_codes(confirm, confirm, type_same)) == {None: 1, "slip_closed": 2}
    fixtures = list_round(tournament, 1)
    assert {fixture.state for fixture in fixtures} == {Fixture.State.DONE}
    told = LogEntry.objects.filter(tournament=tournament, code="ruling_phones").count()
    assert told == len(fixtures)


def test_without_the_locks_a_result_enters_twice(
    opened: Opened, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control of the test above: both have read the fixture before one has committed."""
    if connection.vendor == "sqlite":
        assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE", "the guard there is"
        return
    tournament = draw_real(opened, 4, now)
    confirm, _type_same = type_first(tournament, now)[0]
    gate = Barrier(2, timeout=PATIENCE)

    def read_together(slip: ScoreSlip) -> Fixture:
        fixture = Fixture.objects.select_related("round", "match").get(pk=slip.pk)
        gate.wait()
        return fixture

    monkeypatch.setattr(phone_results, "lock_tournament", lambda pk: Tournament.objects.get(pk=pk))
    monkeypatch.setattr(phone_results, "_lock_fixture", read_together)
    assert run_for_codes(confirm, confirm) == [None, None]
    assert LogEntry.objects.filter(tournament=tournament, code="ruling_phones").count() == 2
