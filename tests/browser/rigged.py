"""People at a table of known decks, each in their own browser: the fixtures ``sites`` and ``sit``."""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect

from tests.browser.plain_decks import draw_plain_decks
from tests.services import MARK, migrated
from tests.support.live import ROOT
from tests.support.product import prepared
from tests.support.waiting import until

PASSWORD = "quattro-assi-in-mano"
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 900}}
PATIENT = 60_000  # ms for a page to come up on a machine that has other things to do
PATIENCE = 2.0  # seconds for a site to end well; whatever page a failed test left open holds it up

Sit = Callable[..., dict[str, Page]]


def deck(hands: Mapping[int, str], dealer: int, at_a_time: int = 1) -> str:
    """The deck that gives each seat its cards, dealt so many at a time from the dealer's right."""
    order = [(dealer + 1 + step) % len(hands) for step in range(len(hands))]
    cards = {seat: hand.split() for seat, hand in hands.items()}
    rounds = range(0, len(cards[order[0]]), at_a_time)
    return " ".join(card for start in rounds for seat in order for card in cards[seat][start : start + at_a_time])


@dataclass(frozen=True)
class Rigged:
    """A site with one table: its address, the table's path, and the sessions of its people by name."""

    address: str
    path: str
    sessions: Mapping[str, str]

    def context(self, browser: Browser, name: str | None, *, through: str = "", **more: Any) -> BrowserContext:
        """A browser in which this person has signed in; without a name nobody has. ``through``: another address."""
        chosen = {"base_url": through or self.address, "locale": "it-IT", "reduced_motion": "reduce", **more}
        context = browser.new_context(**chosen)
        if name is not None:
            cookie = {"name": "sessionid", "value": self.sessions[name], "url": chosen["base_url"], "httpOnly": True}
            context.add_cookies([cookie])  # type: ignore[list-item]
        return context


def copy_static() -> Path:
    """The product's collected static files with plain decks, made once a run by whoever needs them first."""
    folder = Path(os.environ[MARK]) / "static"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            growing = folder.with_suffix(".new")
            shutil.copytree(prepared() / "static", growing)
            draw_plain_decks(growing)
            growing.rename(folder)
    return folder


class Sites:
    """Starts sites, each in a process of its own (tests.browser.rigged_site)."""

    def __init__(self) -> None:
        template = Path(os.environ[MARK]) / "template.sqlite3"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.rigged_site", str(template), str(migrated()), PASSWORD],
            env={
                **os.environ,
                "DATABASE_URL": f"sqlite:///{template}",
                "DJANGO_SETTINGS_MODULE": "tests.browser.site_settings",
                "RIGGED_STATIC": str(copy_static()),
            },
            cwd=ROOT,
            stdin=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )

    def stop(self) -> None:
        """Its sites end with it."""
        self.process.communicate()

    @contextmanager
    def site(self, folder: Path, table: dict[str, Any]) -> Iterator[Rigged]:
        """A site with this one table."""
        assert self.process.stdin is not None
        log = folder / "site.log"
        self.process.stdin.write(json.dumps({"folder": str(folder), "table": table}) + "\n")
        self.process.stdin.flush()
        message = until(lambda: self._said(log), seconds=120, what="the table's address")
        pid = message.pop("pid")
        try:
            yield Rigged(**message)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
                with contextlib.suppress(AssertionError):
                    until(lambda: not Path(f"/proc/{pid}").exists(), seconds=PATIENCE)
                os.kill(pid, signal.SIGKILL)

    def _said(self, log: Path) -> dict[str, Any]:
        """Return the line a site has logged about itself; None as long as it hasn't."""
        assert self.process.poll() is None, "no sites can be started"
        words = log.read_text() if log.exists() else ""
        assert "Traceback" not in words, words
        lines = [line for line in words.splitlines(keepends=True) if line.startswith("{") and line.endswith("\n")]
        message: dict[str, Any] = json.loads(lines[0]) if lines else {}
        return message


@pytest.fixture(scope="session")
def sites() -> Iterator[Sites]:
    made = Sites()
    yield made
    made.stop()


@pytest.fixture
def sit(browser: Browser, sites: Sites, tmp_path: Path) -> Iterator[Sit]:
    """Seats everybody named at the table described; gives each one's page. ``phones``: who holds a telephone;
    ``cards``: how many everybody is dealt first."""
    with ExitStack() as stack:

        def seated(
            *, names: tuple[str, ...], phones: tuple[str, ...] = (), cards: int = 10, **table: Any
        ) -> dict[str, Page]:
            rigged = stack.enter_context(sites.site(tmp_path, {**table, "names": names}))
            pages = {}
            for name in names:
                context = rigged.context(browser, name, **(PHONE if name in phones else DESK))
                stack.callback(context.close)
                pages[name] = context.new_page()
            for page in pages.values():
                page.goto(rigged.path, wait_until="commit")
            for page in pages.values():
                expect(page.locator("#hand .card")).to_have_count(cards, timeout=PATIENT)
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
    """Return the text the page shows beside a seat."""
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
        """Wait until a frame with these fields has come."""
        for _ in range(400):
            if any(fields.items() <= frame.items() for frame in self.came):
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"no frame with {fields}")

    def hand_on(self) -> None:
        """Pass on the frames kept back, and all that come from now on."""
        self.holding = False
        for message in self.held:
            self._line.send(message)
