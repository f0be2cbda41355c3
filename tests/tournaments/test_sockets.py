"""Hints that a tournament changed, over the real server and the real Redis."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from players.models import Player
from tests.live import Site
from tests.tournaments.conftest import KO, Opened
from tournaments.entries import join
from tournaments.organise import lifecycle

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services, pytest.mark.one_database]


@contextmanager
def listening(site: Site, path: str) -> Iterator[ClientConnection]:
    with connect(f"{site.ws_url}{path}", origin=site.url) as socket:  # type: ignore[arg-type]
        yield socket


def told(socket: ClientConnection) -> dict[str, Any]:
    return json.loads(socket.recv(timeout=20))  # type: ignore[no-any-return]


def test_who_looks_at_a_tournament_is_told_its_version_and_each_new_one(
    live_site: Site, opened: Opened, anna: Player, now: datetime
) -> None:
    tournament = opened()
    with listening(live_site, f"/ws/tornei/{tournament.public_id}/") as socket:
        assert told(socket) == {"t": "changed", "v": tournament.version}
        join.enter_player(tournament_id=tournament.pk, player=anna, now=now)
        assert told(socket) == {"t": "changed", "v": tournament.version + 1}
        socket.send('{"t":"sync"}')
        assert told(socket) == {"t": "changed", "v": tournament.version + 1}
        socket.send('{"t":"join"}')
        assert told(socket)["t"] == "error"


def test_who_looks_at_the_lists_is_told_that_something_changed(live_site: Site, opened: Opened) -> None:
    with listening(live_site, "/ws/tornei/") as socket:
        socket.send('{"t":"ping","c":1}')
        assert told(socket)["t"] == "pong", "the group has been joined"
        tournament = opened()
        assert told(socket) == {"t": "changed", "v": tournament.version}


def test_a_draft_and_what_does_not_exist_have_no_socket_for_others(
    live_site: Site, organiser: Player, now: datetime
) -> None:
    draft = lifecycle.create_tournament(organiser=organiser, settings=KO, now=now)
    for public_id in (draft.public_id, "nothinghere"):
        with pytest.raises(InvalidStatus) as refused, listening(live_site, f"/ws/tornei/{public_id}/"):
            pass
        assert refused.value.response.status_code == 403
