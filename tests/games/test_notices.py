"""Notices on a person's pages about their tables: one is open, they sit there, it's over."""

from datetime import datetime

import pytest

from games import selectors
from games.models import Match
from games.services import playing, seating
from players.models import Player
from tests.support.live import Site
from tests.support.sockets import open_page_socket, receive
from tests.support.tables import FIRST, again, opened, seated

pytestmark = [pytest.mark.django_db(transaction=True)]


def test_pages_hear_that_a_table_opens_that_one_sits_and_that_it_is_over(
    live_site: Site, anna: Player, bruno: Player, now: datetime
) -> None:
    with open_page_socket(live_site, anna) as annas, open_page_socket(live_site, bruno) as brunos:
        match = opened([anna, bruno], now)
        settled = {"t": "settled", "url": f"/tavoli/{match.public_id}/"}
        assert receive(annas)["t"] == receive(brunos)["t"] == "table"

        for player in (anna, bruno):
            seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=now)
        seating.sit_down(match_id=match.pk, player_id=anna.pk, token=FIRST, now=now)
        assert receive(annas) == settled

        playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id=None, now=now)
        assert again(match).status == Match.Status.FINISHED
        assert receive(annas) == receive(brunos) == settled


def test_what_one_has_played_is_told_from_ones_own_side(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    match = seated([anna, bruno, carla, dino], now)
    assert selectors.list_played(bruno, latest=5) == []
    Match.objects.filter(pk=match.pk).update(status="finished", finished_at=now, winner=1, score_0=3, score_1=11)

    [won] = selectors.list_played(bruno, latest=5)
    [lost] = selectors.list_played(anna, latest=5)

    assert (won.outcome, won.score, won.partners, won.opponents) == ("won", (11, 3), [dino], [anna, carla])
    assert (lost.outcome, lost.score, lost.partners, lost.opponents) == ("lost", (3, 11), [carla], [bruno, dino])
    Match.objects.filter(pk=match.pk).update(winner=None, score_0=7, score_1=7)
    assert [row.outcome for row in selectors.list_played(anna, latest=5)] == ["drawn"]
    Match.objects.filter(pk=match.pk).update(both_forfeited=True)
    assert [row.outcome for row in selectors.list_played(carla, latest=5)] == ["lost"]
