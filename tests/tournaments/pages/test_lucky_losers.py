"""Lucky losers of a knockout at real tables (EV4): who is out, who is let in, and what hangs on a result's margin."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.desk import build_act
from tests.support.play import stored_equals_recomputed
from tests.support.real_tables import draw_real, list_round, publish_next
from tests.support.tournaments import KO, Opened, catch_code
from tournaments.core.permissions import is_out
from tournaments.desk.results import Decision, set_result
from tournaments.models import Fixture, Tournament

pytestmark = pytest.mark.django_db


def enter(tournament: Tournament, fixture: Fixture, margin: int, now: datetime) -> None:
    """Give the first side the match by so much."""
    about = {"tournament_id": tournament.pk, "fixture_id": fixture.pk, "act": build_act(tournament.organiser, now)}
    set_result(decision=Decision(points=(3 + margin, 3), winner=0), **about)


@pytest.mark.rule("EV4", "F3")
def test_who_lost_by_least_plays_on_and_a_margin_on_which_that_hangs_is_not_changed(
    client: Client, opened: Opened, now: datetime
) -> None:
    tournament = draw_real(opened, 6, now, KO, format_options={"lucky_losers": True})
    page = client.get(reverse("tournament", args=[tournament.public_id])).content.decode()
    assert "un ripescato" in page
    one, other, third = list_round(tournament, 1)
    enter(tournament, one, 5, now)
    enter(tournament, other, 1, now)
    for fixture in (one, other):
        assert fixture.second is not None
        fixture.second.refresh_from_db()
        assert fixture.second.rank is None
        assert not is_out(tournament, fixture.second), "the round isn't over"
    enter(tournament, third, 4, now)
    publish_next(tournament, now)
    second = list_round(tournament, 2)
    assert other.second in [fixture.second for fixture in second] + [fixture.first for fixture in second]
    assert third.second is not None
    third.second.refresh_from_db()
    assert (third.second.rank, is_out(tournament, third.second)) == (5, True)
    for fixture in second:
        enter(tournament, fixture, 2, now)
    enter(tournament, one, 3, now)  # still not the least
    about = {"tournament": tournament, "fixture": other, "margin": 7, "now": now}
    assert catch_code(enter, **about) == "depended_on"
    tournament.refresh_from_db()
    assert stored_equals_recomputed(tournament)
