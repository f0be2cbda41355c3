"""Agreed points of the organiser's own match, at real tables (O13)."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tests.support.desk import build_act, raises_refusal, send_act
from tests.support.html import read_attribute, read_hooks
from tests.support.play import stored_equals_recomputed
from tests.support.real_tables import draw_real, list_round
from tests.support.tournaments import Opened
from tournaments.desk import results
from tournaments.desk.results import Decision
from tournaments.models import Fixture, LogEntry, Referee, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def playing(opened: Opened, organiser: Player, referee: Player, now: datetime) -> Tournament:
    """A girone of four at real tables; its organiser plays in the first fixture, and somebody else referees it."""
    tournament = draw_real(opened, 4, now)
    Referee.objects.create(tournament=tournament, player=referee)
    own = list_round(tournament, 1)[0].first
    assert own is not None
    member = own.members.get()
    member.person = tournament.organiser.person
    member.save()
    return tournament


def enter(tournament: Tournament, fixture: Fixture, now: datetime, **decided: Any) -> None:
    results.enter_agreed_result(
        tournament_id=tournament.pk,
        fixture_id=fixture.pk,
        decision=Decision(**{"points": (8, 3), "winner": 0, **decided}),
        act=build_act(tournament.organiser, now, reason=""),
    )


@pytest.mark.rule("O13", "F1")
def test_the_organiser_enters_what_both_agree_on_and_nothing_after_it(playing: Tournament, now: datetime) -> None:
    own, _other = list_round(playing, 1)
    with raises_refusal("plays_there"):
        results.set_result(
            tournament_id=playing.pk,
            fixture_id=own.pk,
            decision=Decision(points=(8, 3), winner=0),
            act=build_act(playing.organiser, now),
        )
    for decided in ({"decided_by": "forfeit"}, {"vp": (15, 5)}):
        with raises_refusal("plays_there"):
            enter(playing, own, now, **decided)
    enter(playing, own, now)
    own.refresh_from_db()
    assert (own.points_0, own.points_1, own.ruled) == (8, 3, False)
    assert LogEntry.objects.get(tournament=playing, code="ruling_agreed").player == playing.organiser
    assert stored_equals_recomputed(playing)
    with raises_refusal("plays_there"):
        enter(playing, own, now, points=(9, 2))
    with raises_refusal("plays_there"):
        results.annul_result(tournament_id=playing.pk, fixture_id=own.pk, act=build_act(playing.organiser, now))


@pytest.mark.rule("O13", "F1")
def test_on_the_site_nobody_enters_their_own_result(playing: Tournament, referee: Player, now: datetime) -> None:
    own, _other = list_round(playing, 1)
    Tournament.objects.filter(pk=playing.pk).update(venue="site")
    with raises_refusal("plays_there"):
        enter(playing, own, now)


@pytest.mark.rule("O13")
def test_it_counts_once_the_other_side_has_read_it_and_is_marked(playing: Tournament, client: Client) -> None:
    own, _other = list_round(playing, 1)
    assert playing.organiser.user is not None
    client.force_login(playing.organiser.user)
    page = f"/tornei/{playing.public_id}/arbitro/{own.pk}/"
    assert "atto-punti-concordati" in read_attribute(client.get(page), "id")
    sent = {"what": "punti-concordati", "points_0": "8", "points_1": "3", "winner": ""}
    assert send_act(client, page, sent).status_code == 200
    own.refresh_from_db()
    assert own.result_at is None, "nobody has read it"
    assert send_act(client, page, sent | {"read": "on"}).status_code == 302
    own.refresh_from_db()
    assert own.points_0 == 8
    assert "ruling_agreed" in read_hooks(Client().get(f"/tornei/{playing.public_id}/"), "log")
    assert "atto-punti-concordati" not in read_attribute(client.get(page), "id")
