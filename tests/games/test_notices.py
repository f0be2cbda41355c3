"""Notices on a person's pages about their tables: one is open, they sit there, it's over."""

from datetime import datetime

import pytest

from games.models import Match
from games.services import playing, seating
from players.models import Player
from tests.support.live import Site
from tests.support.sockets import open_page_socket, receive
from tests.support.tables import FIRST, again, opened

pytestmark = [pytest.mark.django_db(transaction=True)]


def test_pages_hear_that_a_table_opens_that_one_sits_and_that_it_is_over(
    live_site: Site, anna: Player, bruno: Player, now: datetime
) -> None:
    with open_page_socket(live_site, anna) as annas, open_page_socket(live_site, bruno) as brunos:
        match = opened([anna, bruno], now)
        settled = {"t": "settled", "url": f"/tavoli/{match.public_id}/"}
        assert match.noshow_at is not None
        called = {"t": "table", "url": settled["url"], "title": match.title, "until": match.noshow_at.isoformat()}
        assert receive(annas) == receive(brunos) == called

        for player in (anna, bruno):
            seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=now)
        seating.sit_down(match_id=match.pk, player_id=anna.pk, token=FIRST, now=now)
        assert receive(annas) == settled

        playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id=None, now=now)
        assert again(match).status == Match.Status.FINISHED
        assert receive(annas) == receive(brunos) == settled
