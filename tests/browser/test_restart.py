"""The server is killed, or restarted as in an update, while two people play: their pages come back by themselves, and
no card is lost or doubled.

It is a process of its own with the product's files, real decks too; that the supervisor starts it again is another
test's (tests/config/launcher/test_supervisor.py).
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import psutil
import pytest
from playwright.sync_api import Browser, Page, expect

from config.launcher import processes
from tests.browser.table_state import count_hand, expect_lying, play_first_card, read_chronicle, read_turn, read_version
from tests.support import live
from tests.support.browser import collect_complaints
from tests.support.product import prepared
from tests.support.waiting import until

SETTINGS = "tests.browser.site_settings"
PLAYED = re.compile(r"Giochi |.+ gioca ")


class Server:
    """A web process on this test's database. Where it listens stays open while there is none, as in the product."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.settings = {"DJANGO_SETTINGS_MODULE": SETTINGS, "SITE_STATIC": str(prepared() / "static")}
        self.door = live.bound_socket()
        self.site = live.Site(self.door.getsockname()[1])
        self.start()

    def start(self) -> None:
        self.process: Popen[bytes] = processes.spawn(
            [sys.executable, "-m", "config.launcher.web"],
            env={**live.environment(), **self.settings, "LISTEN_FD": str(self.door.fileno())},
            log=self.log,
            cwd=live.ROOT,
            pass_fds=[self.door.fileno()],
        )

    def kill(self) -> None:
        """Let the process die without a word, and start another one."""
        self.process.kill()
        self.process.wait()
        self.start()

    def suspend(self) -> None:
        """Let it be there, and do nothing."""
        psutil.Process(self.process.pid).suspend()

    def restart(self) -> None:
        """End it in good order, as docs/operations.md restarts each process, and start another one."""
        processes.stop(self.process, patience=60)
        self.start()

    def stop(self) -> None:
        processes.stop(self.process, patience=5)
        self.door.close()


@pytest.fixture
def server(transactional_db: None, tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path / "web.log")
    until(made.site.up, seconds=120, what="the server")
    yield made
    made.stop()


@pytest.fixture
def pages(browser: Browser, server: Server) -> Iterator[tuple[Page, Page]]:
    """Two guests at a free table of spizzichino, the one who leads first."""
    contexts = [browser.new_context(base_url=server.site.url) for _ in range(2)]
    host, friend = (context.new_page() for context in contexts)
    host.goto("/tavoli/nuovo/")
    host.get_by_role("radio", name="Tresette", exact=True).check()
    expect(host.get_by_label("Vinco subito")).to_be_checked()
    host.get_by_role("button", name="Apri il tavolo e siediti").click()
    friend.goto(host.locator("[data-copy]").get_attribute("data-copy") or "")
    friend.get_by_role("button", name="Siediti al posto 2").click()
    for page in (host, friend):
        expect(page.locator("#hand .card")).to_have_count(10)
    yield (host, friend) if read_turn(host) == "mine" else (friend, host)
    for context in contexts:
        context.close()


def is_back(page: Page, at: int) -> None:
    expect(page.locator(f"#table[data-line=open][data-version='{at}']")).to_be_visible()


@pytest.mark.long("three web processes start, one after the other")
@pytest.mark.parametrize(
    "suspends", [pytest.param(False, id="killed", marks=pytest.mark.soak), pytest.param(True, id="suspended")]
)
def test_a_server_that_dies_costs_nobody_a_card(pages: tuple[Page, Page], server: Server, suspends: bool) -> None:
    """A server is killed in the middle of a play, of which it may have heard or, ``suspends``, hasn't; another one is
    restarted as soon as it may have heard of one."""
    leader, other = pages
    before = read_version(leader)
    card = play_first_card(leader)
    is_back(other, before + 1)
    expect_lying(other, card)
    assert count_hand(leader) == 9

    heard = [collect_complaints(page) for page in pages]
    if suspends:
        server.suspend()
    play_first_card(other)
    server.kill()
    for page in pages:
        is_back(page, before + 2)
        expect(page.locator("#lying .card")).to_have_count(0)  # taken
        expect(page.locator("#hand .card")).to_have_count(10)  # and another one drawn

    third, last = (leader, other) if read_turn(leader) == "mine" else (other, leader)
    card = play_first_card(third)
    server.restart()
    for page in pages:
        is_back(page, before + 3)
        expect_lying(page, card)
        expect(page.locator("#table")).to_have_attribute("data-turn", "mine" if page is last else "theirs")
    for page in pages:
        assert sum(bool(PLAYED.match(line)) for line in read_chronicle(page)) == 3  # each play is told once
    assert [[line for line in lines if "WebSocket" not in line] for lines in heard] == [[], []]
