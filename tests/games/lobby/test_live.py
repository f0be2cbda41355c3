"""Hints that a free table changed, over the real server and the real Redis: to its page, and to the front page."""

from datetime import datetime

import pytest

from players.models import Player
from tests.support.live import Site
from tests.support.lobby import open_free_table, sit_down_at
from tests.support.sockets import open_public_socket, receive

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("path", ["/ws/tavoli/", "/ws/tornei/"])
def test_who_looks_is_told_that_something_changed_and_nothing_else(
    live_site: Site, anna: Player, bruno: Player, now: datetime, path: str
) -> None:
    with open_public_socket(live_site, path) as socket:
        socket.send('{"t":"ping","c":1}')
        assert receive(socket)["t"] == "pong", "the group has been joined"
        table = open_free_table(anna, now)
        assert receive(socket) == {"t": "changed", "v": 0}
        sit_down_at(table, bruno, 1, now)
        assert receive(socket) == {"t": "changed", "v": 0}
        socket.send('{"t":"sit"}')
        assert receive(socket)["t"] == "error"
