"""People at a table of known decks, each in a browser of his own: the fixture ``sit`` of the tests of calls."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from config import children
from tests.live import ROOT
from tests.waiting import until

PASSWORD = "quattro-assi-in-mano"
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 900}}
SAID = re.compile(r"^(http://\S+) (/tavoli/\S+)$", re.MULTILINE)  # what tests.browser.rigged_site prints

Sit = Callable[..., dict[str, Page]]


def deck(hands: Mapping[int, str], dealer: int, at_a_time: int = 1) -> str:
    """The deck that gives each seat its cards, dealt so many at a time from the dealer's right."""
    order = [(dealer + 1 + step) % len(hands) for step in range(len(hands))]
    cards = {seat: hand.split() for seat, hand in hands.items()}
    rounds = range(0, len(cards[order[0]]), at_a_time)
    return " ".join(card for start in rounds for seat in order for card in cards[seat][start : start + at_a_time])


@contextmanager
def site(folder: Path, table: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The address of a site with this one table, and the table's path."""
    env = {**os.environ, "DATA_DIR": str(folder), "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3"}
    command = [sys.executable, "-m", "tests.browser.rigged_site", PASSWORD, json.dumps(table)]
    log = folder / "site.log"
    process = children.spawn(command, env=env, log=log, cwd=ROOT)
    try:
        said = until(lambda: SAID.search(log.read_text()) or process.poll() is not None, what="the table's address")
        assert isinstance(said, re.Match), log.read_text()
        yield said[1], said[2]
    finally:
        children.stop(process, patience=5)  # whatever page a failed test left open


@pytest.fixture
def sit(browser: Browser, tmp_path: Path) -> Iterator[Sit]:
    """Seats everybody named at the table described; gives each one's page. ``phones``: who holds a telephone;
    ``cards``: how many everybody is dealt first."""
    with ExitStack() as stack:

        def seated(
            *, names: tuple[str, ...], phones: tuple[str, ...] = (), cards: int = 10, **table: Any
        ) -> dict[str, Page]:
            address, path = stack.enter_context(site(tmp_path, {**table, "names": names}))
            pages = {}
            for name in names:
                device: dict[str, Any] = PHONE if name in phones else DESK
                context = browser.new_context(base_url=address, locale="it-IT", reduced_motion="reduce", **device)
                stack.callback(context.close)
                pages[name] = context.new_page()
            for name, page in pages.items():
                enter(page, path, name)
            for page in pages.values():
                expect(page.locator("#hand .card")).to_have_count(cards)
            return pages

        yield seated


def enter(page: Page, path: str, name: str) -> None:
    """Sign in, and sit down at the table."""
    page.goto(f"/account/login/?next={path}")
    page.locator("[name=login]").fill(name.lower())
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main form.panel button[type=submit]").click()
    page.wait_for_url("**/tavoli/**")


def play(page: Page, card: str, row: str = "#hand") -> None:
    """Raise a card and put it on the table."""
    page.locator(f"{row} [data-card='{card}'][data-playable]").click()
    page.locator("#ghosts .ghost").click()


def said_by(page: Page, seat: int) -> list[str]:
    """What the page shows beside a seat."""
    return page.locator(f".seat[data-seat='{seat}'] .seat-said .said-words").all_inner_texts()


class Delay:
    """Stands between a page and the server: what comes of one kind of frame can be kept back, and handed on later."""

    def __init__(self, page: Page, kind: str) -> None:
        self.page, self.kind = page, kind
        self.holding = False
        self.held: list[str] = []
        self.came: list[dict[str, Any]] = []
        page.route_web_socket("**/ws/tavolo/**", self._between)
        page.reload()

    def _between(self, line: WebSocketRoute) -> None:
        self._line = line
        line.connect_to_server().on_message(self._came)

    def _came(self, message: str | bytes) -> None:
        frame = json.loads(message)
        self.came.append(frame)
        if self.holding and frame["t"] == self.kind:
            self.held.append(str(message))
        else:
            self._line.send(message)

    def wait_for(self, **fields: str) -> None:
        """Until a frame with these fields has come."""
        for _ in range(400):
            if any(fields.items() <= frame.items() for frame in self.came):
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"no frame with {fields}")

    def hand_on(self) -> None:
        """What was kept back, and whatever comes from now on."""
        self.holding = False
        for message in self.held:
            self._line.send(message)
