"""Hints that a tournament changed, over the real server and the real Redis."""

from datetime import datetime

import pytest
from websockets.exceptions import InvalidStatus

from players.models import Player
from tests.support.live import Site
from tests.support.sockets import open_public_socket, receive
from tests.support.tournaments import KO, Opened
from tournaments.entries import join
from tournaments.organise import lifecycle

pytestmark = [pytest.mark.django_db(transaction=True)]


def test_who_looks_at_a_tournament_is_told_its_version_and_each_new_one(
    live_site: Site, opened: Opened, anna: Player, now: datetime
) -> None:
    tournament = opened()
    with open_public_socket(live_site, f"/ws/tornei/{tournament.public_id}/") as socket:
        first = {"t": "changed", "v": tournament.version}
        assert receive(socket) == first
        join.enter_player(tournament_id=tournament.pk, player=anna, now=now)
        while (frame := receive(socket)) == first:
            pass  # who joins the group late is told again
        assert frame == {"t": "changed", "v": tournament.version + 1}
        socket.send('{"t":"sync"}')
        assert receive(socket) == {"t": "changed", "v": tournament.version + 1}
        socket.send('{"t":"join"}')
        assert receive(socket)["t"] == "error"


def test_who_looks_at_the_lists_is_told_that_something_changed(live_site: Site, opened: Opened) -> None:
    with open_public_socket(live_site, "/ws/tornei/") as socket:
        socket.send('{"t":"ping","c":1}')
        assert receive(socket)["t"] == "pong", "the group has been joined"
        tournament = opened()
        assert receive(socket) == {"t": "changed", "v": tournament.version}


def test_a_draft_and_what_does_not_exist_have_no_socket_for_others(
    live_site: Site, organiser: Player, now: datetime
) -> None:
    draft = lifecycle.create_tournament(organiser=organiser, settings=KO, now=now)
    for public_id in (draft.public_id, "nothinghere"):
        with pytest.raises(InvalidStatus) as refused, open_public_socket(live_site, f"/ws/tornei/{public_id}/"):
            pass
        assert refused.value.response.status_code == 403
