"""Hints that a free table changed, over the real server and the real Redis: to its page, and to the front page."""

from datetime import datetime

import pytest

from players.models import Player
from tests.games.test_lobby import free_table, sit
from tests.live import Site
from tests.tournaments.test_sockets import listening, told

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services, pytest.mark.one_database]


@pytest.mark.parametrize("path", ["/ws/tavoli/", "/ws/tornei/"])
def test_who_looks_is_told_that_something_changed_and_nothing_else(
    live_site: Site, anna: Player, bruno: Player, now: datetime, path: str
) -> None:
    with listening(live_site, path) as socket:
        socket.send('{"t":"ping","c":1}')
        assert told(socket)["t"] == "pong", "the group has been joined"
        table = free_table(anna, now)
        assert told(socket) == {"t": "changed", "v": 0}
        sit(table, bruno, 1, now)
        assert told(socket) == {"t": "changed", "v": 0}
        socket.send('{"t":"sit"}')
        assert told(socket)["t"] == "error"
