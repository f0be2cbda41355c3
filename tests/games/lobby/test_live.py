"""Hints that a free table changed, over the real server and the real Redis: to its page, and to
the front page; those of the lobby come together, and who is connected is here."""

import json
import time
from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games.lobby import seeks
from games.lobby.kinds import SeekKind
from games.lobby.live import RING_SECONDS
from games.models import Seek
from players import presence
from players.models import Player
from players.realtime.consumers import list_watching
from tests.support.live import Site
from tests.support.lobby import open_free_table, sit_down_at
from tests.support.sockets import open_page_socket, open_public_socket, receive
from tests.support.waiting import until

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


@pytest.mark.rule("B1")
def test_the_lobby_hears_of_many_changes_in_one_message(live_site: Site, anna: Player) -> None:
    with open_public_socket(live_site, "/ws/sala/") as socket:
        socket.send('{"t":"ping","c":1}')
        while receive(socket)["t"] != "pong":
            pass
        began = time.monotonic()
        for _change in range(20):
            seeks.seek_match(player=anna, kind=SeekKind(), now=timezone.now())
            seeks.end_seek(player=anna)
        assert receive(socket) == {"t": "changed", "v": 0}
        rung = [time.monotonic()]
        with suppress(TimeoutError):
            while True:
                assert receive(socket, 2 * RING_SECONDS) == {"t": "changed", "v": 0}
                rung.append(time.monotonic())
        assert len(rung) <= (rung[-1] - began) / RING_SECONDS + 2, "one a ring, one was on its way"


@pytest.mark.rule("B1", "B2")
def test_who_has_a_page_open_is_here_and_keeps_their_seek_until_they_close_it(live_site: Site, anna: Player) -> None:
    seeks.seek_match(player=anna, kind=SeekKind(), now=timezone.now() - timedelta(seconds=15))
    with open_page_socket(live_site, anna):
        until(lambda: presence.find_here(timezone.now()) == {anna.pk})
        until(lambda: Seek.objects.get().heard_at > timezone.now() - timedelta(seconds=5))
    until(lambda: presence.find_here(timezone.now()) == set())


@pytest.mark.rule("U4")
def test_who_looks_at_one_of_their_pages_looks_at_the_site_until_all_are_hidden_or_closed(
    live_site: Site, anna: Player
) -> None:
    def looks() -> bool:
        return anna.pk in (presence.find_watching(timezone.now()) or set())

    with open_page_socket(live_site, anna) as first, open_page_socket(live_site, anna) as second:
        until(looks, what="a page that says nothing is looked at")
        for socket, on in ((first, False), (first, False), (second, True)):  # said twice it is said once
            socket.send(json.dumps({"t": "look", "on": on}))
            assert receive(socket) == {"t": "look", "on": on}
        assert list_watching() == [anna.pk]
        second.send('{"t":"look","on":false}')
        assert receive(second)["t"] == "look"
        until(lambda: not looks(), what="both are hidden")
        assert presence.find_here(timezone.now()) == {anna.pk}, "the pages are open all the same"
        first.send('{"t":"look","on":true}')
        until(looks)
        for wrong in (
            '{"t":"look"}',
            '{"t":"look","on":1}',
            '{"t":"look","on":true,"id":"x"}',
            '{"t":"see","on":true}',
        ):
            first.send(wrong)
            while (answer := receive(first))["t"] == "look":
                pass
            assert (answer["t"], answer["code"]) in (("error", "malformed"), ("error", "unknown"))
    until(lambda: not looks(), what="both are closed")
    until(lambda: not list_watching())


@pytest.mark.rule("B1")
def test_a_persons_socket_that_answers_nothing_is_closed_within_seconds(live_site: Site, anna: Player) -> None:
    """A laptop that was closed: its line stays open, and nobody answers the server's questions."""
    with open_page_socket(live_site, anna) as socket:
        until(lambda: presence.find_here(timezone.now()) == {anna.pk})
        began = timezone.now()
        socket.protocol.receive_data = lambda data: None
        until(lambda: presence.find_here(timezone.now()) == set())
        assert timezone.now() - began < timedelta(seconds=15)
