"""The personal socket over the real server and the real Redis: who gets in, what closes it, what never breaks it."""

import json
from contextlib import ExitStack

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from players import caps
from players.broadcast import notify
from players.models import Player
from players.realtime import base, consumers
from players.realtime.base import (
    CLOSE_CROWD,
    CLOSE_FLOOD,
    CLOSE_SESSION,
    CLOSE_UNAVAILABLE,
    MAX_FRAMES,
    FrameConsumer,
)
from players.realtime.connection_limit import ConnectionLimit
from players.services.halls import mark_hall
from tests.support.live import Site
from tests.support.people import PASSWORD
from tests.support.sockets import HOSTILE_FRAMES, expect_pong, open_socket, receive
from tests.support.waiting import PATIENCE, until

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def annas(anna: Player) -> Client:
    client = Client()
    client.force_login(anna.user)
    return client


def closing_code(socket: ClientConnection) -> int | None:
    """The code the server closes with; what it sends before is skipped."""
    try:
        while True:
            socket.recv(timeout=PATIENCE)
    except ConnectionClosed:
        return socket.close_code


def test_a_notice_reaches_every_page_of_that_person_and_no_other(
    live_site: Site, annas: Client, anna: Player, bruno: Player
) -> None:
    brunos = Client()
    brunos.force_login(bruno.user)
    with (
        open_socket(live_site, annas) as one,
        open_socket(live_site, annas) as two,
        open_socket(live_site, brunos) as other,
    ):
        for socket in (one, two, other):
            assert receive(socket)["t"] == "hello"  # sent once the group is joined
        notify(anna.pk, {"t": "table", "url": "/tavoli/x/", "title": "Prova"})
        notify(bruno.pk, {"t": "table", "url": "/tavoli/y/", "title": "Altro"})
        assert receive(one) == receive(two) == {"t": "table", "url": "/tavoli/x/", "title": "Prova"}
        assert receive(other)["url"] == "/tavoli/y/"


def test_the_personal_socket_is_for_who_is_signed_in(live_site: Site) -> None:
    with pytest.raises(InvalidStatus) as refused, open_socket(live_site, Client()):
        pass
    assert refused.value.response.status_code == 403


def fail_to_read(key: object) -> None:
    raise OperationalError("the database is away")


def test_a_socket_that_our_own_fault_keeps_shut_is_told_to_come_again_h6(
    live_site: Site, annas: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as away:
        away.setattr(base, "read_signed_in", fail_to_read)
        with pytest.raises(InvalidStatus) as refused, open_socket(live_site, annas):
            pass
    assert refused.value.response.status_code == 503
    assert refused.value.response.headers["Retry-After"] == "1"
    with open_socket(live_site, annas) as socket:
        assert receive(socket)["t"] == "hello"


def test_an_accepted_socket_that_our_own_fault_keeps_silent_is_closed_to_come_again_h6(
    live_site: Site, annas: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as away:
        away.setattr(consumers, "find_awaited_table", fail_to_read)
        with open_socket(live_site, annas) as socket:
            assert closing_code(socket) == CLOSE_UNAVAILABLE
    with open_socket(live_site, annas) as socket:
        assert receive(socket) == {"t": "hello"}


@pytest.mark.parametrize("origin", [None, "http://evil.example", "http://127.0.0.1:1", "null"])
def test_a_page_from_elsewhere_opens_no_socket(live_site: Site, annas: Client, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as refused, open_socket(live_site, annas, origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_hostile_frames_get_an_answer_each_and_the_socket_lives(live_site: Site, annas: Client) -> None:
    with open_socket(live_site, annas) as socket:
        assert receive(socket)["t"] == "hello"
        for text, _ in HOSTILE_FRAMES:
            socket.send(text)
            answer = receive(socket)
            assert answer["t"] == "error"
            assert answer["message"]
        socket.send(b"\x00\xff" * 100)
        assert receive(socket)["code"] == "binary"
        socket.send('{"t":"move","id":"abc"}')
        assert receive(socket)["code"] == "unknown"
        expect_pong(socket, 7)


def test_a_frame_beyond_what_the_server_reads_closes_only_that_socket(live_site: Site, annas: Client) -> None:
    with open_socket(live_site, annas) as honest, open_socket(live_site, annas) as socket:
        socket.send("x" * 9000)
        assert closing_code(socket) == 1009
        expect_pong(honest)


def test_a_flood_closes_the_socket(live_site: Site, annas: Client) -> None:
    with open_socket(live_site, annas) as honest, open_socket(live_site, annas) as socket:
        for number in range(MAX_FRAMES + 1):
            socket.send(json.dumps({"t": "ping", "c": number}))
        assert closing_code(socket) == CLOSE_FLOOD
        expect_pong(honest)


def test_the_sixth_socket_of_a_person_closes_their_oldest(live_site: Site, annas: Client) -> None:
    with ExitStack() as all_of_them:
        sockets = []
        for _ in range(6):
            sockets.append(all_of_them.enter_context(open_socket(live_site, annas)))
            assert receive(sockets[-1])["t"] == "hello"
        assert closing_code(sockets[0]) == CLOSE_CROWD
        for socket in sockets[1:]:
            expect_pong(socket)


def test_logging_out_closes_that_sessions_sockets_and_leaves_the_others(
    live_site: Site, annas: Client, anna: Player
) -> None:
    elsewhere = Client()
    elsewhere.force_login(anna.user)
    with open_socket(live_site, annas) as here, open_socket(live_site, elsewhere) as theirs:
        assert receive(here)["t"] == receive(theirs)["t"] == "hello"
        annas.post(reverse("account_logout"))
        assert closing_code(here) == CLOSE_SESSION
        expect_pong(theirs)


def test_a_new_password_closes_the_sockets_of_every_other_session(live_site: Site, anna: Player) -> None:
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        client.force_login(anna.user)
    with open_socket(live_site, elsewhere) as socket:
        assert receive(socket)["t"] == "hello"
        data = {"oldpassword": PASSWORD, "password1": "cavallo-e-fante-8", "password2": "cavallo-e-fante-8"}
        assert here.post(reverse("account_change_password"), data).status_code == 302
        assert closing_code(socket) == CLOSE_SESSION
    with open_socket(live_site, here) as socket:
        expect_pong(socket)


def test_a_session_ended_from_another_closes_its_sockets(live_site: Site, anna: Player) -> None:
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        client.force_login(anna.user)
    with open_socket(live_site, elsewhere) as theirs, open_socket(live_site, here) as mine:
        assert receive(theirs)["t"] == receive(mine)["t"] == "hello"
        assert here.post(reverse("sessions-end")).status_code == 302
        assert closing_code(theirs) == CLOSE_SESSION
        expect_pong(mine)


def test_a_deleted_account_closes_all_its_sockets(live_site: Site, annas: Client) -> None:
    with open_socket(live_site, annas) as socket:
        assert receive(socket)["t"] == "hello"
        assert annas.post(reverse("account-delete"), {"password": PASSWORD}).status_code == 302
        assert closing_code(socket) == CLOSE_SESSION


class Held:
    def __init__(self, precedence: int = 0) -> None:
        self.precedence = precedence


def test_a_table_outlives_pages_when_there_are_too_many() -> None:
    limit = ConnectionLimit(limit=2)
    table, old, new = Held(1), Held(), Held()
    assert limit.enter("anna", table) is None
    assert limit.enter("anna", old) is None
    assert limit.enter("anna", new) is old
    limit.leave("anna", old)
    assert limit.size("anna") == 2
    assert limit.enter("bruno", Held()) is None
    for socket in (table, new, old):
        limit.leave("anna", socket)
    assert limit.size("anna") == 0


def test_visitors_of_one_address_hold_so_many_sockets_and_the_newest_gives_way_at9(
    live_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Visitors of other addresses are let in all the same."""
    monkeypatch.setattr(FrameConsumer.visitors, "limit", 2)

    def open_visit(crowd: ExitStack, address: str) -> ClientConnection:
        return crowd.enter_context(
            connect(
                f"{live_site.ws_url}/ws/tornei/",
                origin=Origin(live_site.url),
                additional_headers={"X-Forwarded-For": address},  # of the proxy that is this machine
            )
        )

    with ExitStack() as crowd:
        first, second = (open_visit(crowd, f"2001:db8:0:1::{last}") for last in (1, 2))
        assert closing_code(open_visit(crowd, "2001:db8:0:1::3")) == CLOSE_CROWD, "one household"
        for socket in (first, second, open_visit(crowd, "192.0.2.9")):
            expect_pong(socket)
        second.close()
        until(lambda: FrameConsumer.visitors.size("2001:db8:0:1::/64") == 1, what="the socket to be counted out")
        expect_pong(open_visit(crowd, "2001:db8:0:1::4"))
        mark_hall(key="torneo", address="2001:db8:0:1::9", until=timezone.now() + caps.HOUR)
        for last in (5, 6):
            expect_pong(open_visit(crowd, f"2001:db8:0:1::{last}"))  # a whole room looks on (AT6)
        monkeypatch.setattr(caps, "VISITOR_SOCKETS_IN_A_HALL", 4)
        assert closing_code(open_visit(crowd, "2001:db8:0:1::7")) == CLOSE_CROWD
