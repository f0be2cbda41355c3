"""One channel a process: each message reaches the listeners of its group, and nobody waits for another."""

import asyncio
from typing import Any

import pytest
from django.test import Client

from players import broadcast
from players.broadcast import ADDRESS, Message
from players.models import Player
from players.realtime import session_watch
from players.realtime.base import CLOSE_SESSION
from players.realtime.session_watch import SessionWatch
from players.realtime.switchboard import Switchboard
from players.selectors import Session, find_valid_sessions, is_session_valid
from tests.support.live import Site
from tests.support.people import PASSWORD
from tests.support.sockets import expect_pong, open_socket, receive
from tests.support.waiting import PATIENCE
from tests.support.wire import AtTable


async def test_a_message_reaches_every_listener_of_its_group_and_no_other() -> None:
    switchboard, heard = Switchboard(), []

    def fail(message: Message) -> None:
        raise ValueError

    assert await switchboard.join("a", "broken", fail)
    for name, group in (("one", "a"), ("two", "a"), ("other", "b")):
        assert await switchboard.join(group, name, lambda message, name=name: heard.append((name, message["v"])))  # type: ignore[misc]
    switchboard.pass_on({ADDRESS: "a", "v": 1})
    assert heard == [("one", 1), ("two", 1)]
    switchboard.leave("a", "one")
    switchboard.leave("a", "one")
    switchboard.pass_on({ADDRESS: "a", "v": 2})
    switchboard.pass_on({ADDRESS: "nobody's", "v": 3})
    switchboard.pass_on({"v": 4})
    assert heard[2:] == [("two", 2)]


async def test_a_hint_comes_through_redis_to_whoever_joined() -> None:
    switchboard = Switchboard()
    arrived: asyncio.Queue[Message] = asyncio.Queue()
    assert await switchboard.join("tavolo", "me", arrived.put_nowait)
    broadcast.publish("altro", {"type": "changed", "v": 1})
    broadcast.publish("tavolo", {"type": "changed", "v": 2})
    assert (await asyncio.wait_for(arrived.get(), PATIENCE))["v"] == 2
    called: list[str] = []
    switchboard.call_when_listening("me", lambda: called.append("at once"))
    assert called == ["at once"]


@pytest.mark.django_db
@pytest.mark.parametrize("ended", ["", "logged out", "another password", "account closed", "somebody else's", "no key"])
def test_sessions_looked_at_together_are_as_valid_as_each_alone(client: Client, anna: Player, ended: str) -> None:
    client.force_login(anna.user)
    key = str(client.session.session_key)
    match ended:
        case "logged out":
            client.logout()
        case "another password":
            anna.user.set_password(PASSWORD + "x")
            anna.user.save()
        case "account closed":
            anna.user.is_active = False
            anna.user.save()
    session = Session("" if ended == "no key" else key, anna.user.pk + (ended == "somebody else's"))
    assert (session in find_valid_sessions([session, Session("unknown", anna.user.pk)])) is (ended == "")
    assert is_session_valid(*session) is (ended == "")


@pytest.mark.django_db(transaction=True)
def test_a_session_that_ended_without_a_word_loses_its_sockets(
    live_site: Site, anna: Player, bruno: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sessions are looked at from time to time, whatever hints were lost."""
    monkeypatch.setattr(session_watch, "CHECK_SECONDS", 0.05)
    annas, brunos = Client(), Client()
    annas.force_login(anna.user)
    brunos.force_login(bruno.user)
    with open_socket(live_site, annas) as socket, open_socket(live_site, brunos) as other:
        assert receive(socket)["t"] == receive(other)["t"] == "hello"
        annas.session.delete()
        assert AtTable(socket).closing_code() == CLOSE_SESSION
        expect_pong(other)


async def test_a_database_that_is_away_ends_no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db import OperationalError

    watch, ended = SessionWatch(), []

    def fail(sessions: Any) -> Any:
        raise OperationalError

    monkeypatch.setattr(session_watch, "find_valid_sessions", fail)
    watch.add("socket", Session("key", 1), lambda: ended.append("socket"))
    await watch.check()
    assert ended == []
