"""Hints: never blocking, never raising, with Redis there, away and back; sockets that open while it is away."""

import copy
import multiprocessing
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
import redis
from django.conf import settings
from django.test import Client, override_settings
from prometheus_client import REGISTRY

from config.launcher import processes
from config.launcher.redis_server import RedisServer
from players import broadcast
from players.models import Player
from tests.support import live
from tests.support.sockets import expect_pong, open_socket, receive
from tests.support.waiting import PATIENCE, until

pytestmark = [pytest.mark.django_db(transaction=True)]


class OwnRedis:
    """A Redis of this test's own, to be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        self.server = RedisServer(folder, folder.parent / "redis.log")
        self.process: Popen[bytes] | None = None

    def start(self) -> None:
        self.process = self.server.start(os.environ)

    def stop(self) -> None:
        if self.process is not None:
            processes.stop(self.process, patience=5)
            self.process = None


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[OwnRedis]:
    own = OwnRedis(tmp_path / "redis")
    own.start()
    layers = copy.deepcopy(settings.CHANNEL_LAYERS)
    layers["default"]["CONFIG"]["hosts"][0]["address"] = own.server.url
    with override_settings(CHANNEL_LAYERS=layers):
        yield own
        own.stop()


@contextmanager
def heard(own: OwnRedis, group: str) -> Iterator[Any]:
    """Return a function that tells whether Redis itself heard something for a group of sockets."""
    prefix = settings.CHANNEL_LAYERS["default"]["CONFIG"].get("prefix", "asgi")
    with redis.Redis.from_url(own.server.url) as client, client.pubsub() as listening:
        listening.subscribe(f"{prefix}__group__{broadcast.SITE_GROUP}")
        until(lambda: listening.get_message(timeout=0.1), what="the subscription")

        def arrived() -> bool:
            while message := listening.get_message(ignore_subscribe_messages=True, timeout=0.1):
                if group.encode() in message["data"]:  # others may still come from an earlier test
                    return True
            return False

        yield arrived


def test_a_process_that_ends_at_once_sends_its_hint_first(own_redis: OwnRedis) -> None:
    program = "from players.broadcast import publish; publish('prova', {'type': 'changed', 'v': 1})"
    env = {**live.environment(), "REDIS_URL": own_redis.server.url}
    with heard(own_redis, "prova") as arrived:

        def arrives() -> bool:  # on a machine with no time for it a hint may be lost, as its log then says
            done = subprocess.run(
                [sys.executable, "-c", program], cwd=live.ROOT, env=env, capture_output=True, check=True
            )
            assert not done.stderr or b"hints are being lost" in done.stderr
            return bool(arrived())

        until(arrives, what="the hint of a process that is gone")


def test_a_hint_gets_through_again_after_redis_was_away(own_redis: OwnRedis) -> None:
    with heard(own_redis, "prova") as arrived:
        broadcast.publish("prova", {"type": "changed", "v": 1})
        until(arrived, what="the first hint")
    own_redis.stop()
    for version in range(5000):  # more than the backlog: the oldest are dropped, nobody waits, nothing is raised
        broadcast.publish("prova", {"type": "changed", "v": version})
    own_redis.start()

    def arrives() -> Any:
        broadcast.publish("prova", {"type": "changed", "v": 2})
        return arrived()

    with heard(own_redis, "prova") as arrived:
        until(arrives, what="a hint after Redis came back")


def test_thousands_of_hints_go_in_a_few_messages_and_in_order(own_redis: OwnRedis) -> None:
    count = 20 * broadcast.MAX_BATCH_HINTS
    prefix = settings.CHANNEL_LAYERS["default"]["CONFIG"].get("prefix", "asgi")
    with redis.Redis.from_url(own_redis.server.url) as client, client.pubsub() as listening:
        listening.subscribe(f"{prefix}__group__{broadcast.SITE_GROUP}")
        until(lambda: listening.get_message(timeout=0.1), what="the subscription")
        for number in range(count):
            broadcast.publish(f"persona.{number}", {"type": "notice"})
        batches: list[bytes] = []

        def all_arrived() -> bool:
            while message := listening.get_message(ignore_subscribe_messages=True, timeout=0.1):
                batches.append(message["data"])
            return f"persona.{count - 1}".encode() in b"".join(batches[-1:])

        until(all_arrived, what="the last hint")
    numbers = [int(number) for number in re.findall(rb"persona\.([0-9]+)", b"".join(batches))]
    assert numbers == list(range(count))
    assert len(batches) < count / 2, "who draws a big field tells thousands"


def test_a_process_forked_after_the_first_hint_sends_its_own(own_redis: OwnRedis) -> None:
    broadcast.publish("prova", {"type": "changed", "v": 1})
    with heard(own_redis, "figlio") as arrived:
        child = multiprocessing.get_context("fork").Process(target=_publish_for_ever)
        child.start()
        try:
            until(arrived, what="the child's hint")
        finally:
            child.kill()
            child.join()


def _publish_for_ever() -> None:
    """Publish until the parent, who gives up before, kills us."""
    until(lambda: broadcast.publish("figlio", {"type": "changed", "v": 1}), seconds=2 * PATIENCE)


def test_what_cannot_be_sent_is_dropped_without_a_word_to_the_caller(own_redis: OwnRedis) -> None:
    dropped = REGISTRY.get_sample_value("smazzata_hints_dropped_total") or 0.0
    broadcast.publish("prova", {"type": "changed", "v": object()})

    def arrives() -> Any:  # on a busy machine one may take too long, and is dropped too
        broadcast.publish("dopo", {"type": "changed", "v": 1})
        return arrived()

    with heard(own_redis, "dopo") as arrived:
        until(arrives, what="the next hint")
    assert (REGISTRY.get_sample_value("smazzata_hints_dropped_total") or 0.0) > dropped, "who runs the site can see it"


def test_a_socket_opens_while_redis_is_away_and_joins_its_groups_when_it_is_back(
    own_redis: OwnRedis, anna: Player, transactional_db: None
) -> None:
    own_redis.stop()
    client = Client()
    client.force_login(anna.user)
    with live.web_thread() as site, open_socket(site, client) as socket:
        expect_pong(socket)
        own_redis.start()

        def told() -> bool:
            broadcast.notify(anna.pk, {"t": "table", "url": "/tavoli/x/", "title": "Prova"})
            expect_pong(socket)  # whatever came before the answer was skipped
            broadcast.notify(anna.pk, {"t": "table", "url": "/tavoli/x/", "title": "Prova"})
            try:
                return receive(socket, seconds=0.2)["t"] == "table"
            except TimeoutError:
                return False

        until(told, what="a notice after Redis came back")
