"""Debian's Chromium against the site in the tests' process, with hashed files, CSP and all; in some tests against the
whole product, started as a person starts it."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from django.test import override_settings
from playwright.sync_api import Browser, Page, expect

from config.settings import MIDDLEWARE, MIXING_SECONDS, STORAGES
from games.sweep import Sweeper
from players.models import Player
from tests.browser.plain_decks import copy_static
from tests.browser.rigged import lasting_tables, sit, tables
from tests.browser.windows import TIMEOUT, Windows
from tests.services import kept
from tests.support import live
from tests.support.people import create_person, sign_in
from tests.support.product import ROOT, Product, running
from tests.support.tournaments import Opened, make_opened
from tests.support.waiting import PATIENCE
from tests.workers import begin_first

__all__ = ["lasting_tables", "sit", "tables"]  # fixtures

HERE = Path(__file__).parent
FLAGS = (
    "--disable-gpu",
    "--in-process-gpu",  # what is left of it: a process less
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",  # pages of a window share a process, which stays while one of them does
)

# Debian's chromium-headless-shell: the same engine without windows, which reckons a third as much for each page.
WINDOWLESS, WHOLE = Path("/usr/lib/chromium/chromium-headless-shell"), Path("/usr/bin/chromium")

# What takes longest begins first, so that at the end nobody waits for it.
FIRST = ("test_every_page.py", "test_evening.py", "test_village_evening.py", "test_pairs.py", "test_table_axe.py")
PREPARING = pytest.StashKey["subprocess.Popen[bytes]"]()
PRODUCT = re.compile(r"\bproduct: Product\b")  # an argument: the fixture

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # what tests themselves read and write beside a browser

expect.set_options(timeout=TIMEOUT)


@cache
def needs_product(file: Path) -> bool:
    """Return whether tests of a file need the whole product: they share a process, so that it is started once."""
    return PRODUCT.search(file.read_text()) is not None


def pytest_configure(config: pytest.Config) -> None:
    """Have the data prepared, with the static files, while the tests are collected: later every worker would wait."""
    if config.getoption("workers") and not config.getoption("collectonly") and not (kept() / "prepared").exists():
        program = "from tests.support.product import prepared; prepared()"
        config.stash[PREPARING] = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT)


def pytest_unconfigure(config: pytest.Config) -> None:
    process = config.stash.get(PREPARING, None)
    if process is not None:
        process.wait(PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Say of each test here with whom it shares a process, and whether it begins first."""
    for item in items:
        if item.path.parent == HERE and needs_product(item.path):
            item.add_marker(pytest.mark.process("product"))
    begin_first(items, HERE, FIRST)


@pytest.fixture(scope="session", autouse=True)
def _files_as_the_product_serves_them(django_test_environment: None) -> Iterator[None]:
    """The site in the tests' process serves hashed files, a page's script in one, and plain decks."""
    files = {"SERVESTATIC_USE_FINDERS": False, "SERVESTATIC_AUTOREFRESH": False}
    with override_settings(STATIC_ROOT=copy_static(), STORAGES=STORAGES, **files):
        yield


@pytest.fixture(scope="session")
def door() -> Iterator[socket.socket]:
    """Give the door at which this process's site listens, test after test: what never changes isn't fetched again."""
    with live.bound_socket() as listening:
        yield listening


@pytest.fixture
def live_site(transactional_db: None, door: socket.socket) -> Iterator[live.Site]:
    """The web server over this test's database; ``.url`` and ``.ws_url`` say where."""
    with live.web_thread(door, MIDDLEWARE) as site:
        yield site


@pytest.fixture
def swept_site(live_site: live.Site) -> Iterator[live.Site]:
    """The live site, where browsers add to the secret of the cards and what is due is done, as the worker does it."""
    sweeper = Sweeper(every=0.5)  # seconds: nobody here is in a hurry
    with override_settings(MIXING_SECONDS=MIXING_SECONDS):
        sweeper.start()
        yield live_site
        sweeper.stop()


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Give what shows a sentence at the end of the run, also when all is well."""
    return lambda sentence: record_property("told", sentence)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    passed = terminalreporter.getreports("passed")
    told = [sentence for report in passed for name, sentence in report.user_properties if name == "told"]
    if told:
        terminalreporter.section("told by the tests")
    for sentence in told:
        terminalreporter.write_line(sentence)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    return {
        **browser_type_launch_args,
        "executable_path": str(WINDOWLESS if WINDOWLESS.exists() else WHOLE),
        "args": [*FLAGS, *sandbox],
    }


@pytest.fixture(scope="session")
def browser(browser: Browser) -> Browser:
    return cast(Browser, Windows(browser))


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {
        **browser_context_args,
        "viewport": {"width": 1280, "height": 900},
    }


@pytest.fixture
def organiser(transactional_db: None, now: datetime) -> Player:
    return create_person("Teresa", now)


@pytest.fixture
def opened(organiser: Player, now: datetime) -> Opened:
    """A tournament whose registration is open, on the live site; keywords change its settings."""
    return make_opened(organiser, now)


@pytest.fixture
def open_as_organiser(browser: Browser, live_site: live.Site, organiser: Player) -> Iterator[Callable[..., Page]]:
    """Give what opens a page of the live site in a browser of its own, signed in as the organiser."""
    session = sign_in(organiser).cookies["sessionid"].value
    contexts = []

    def open_page(path: str, **more: Any) -> Page:
        context = browser.new_context(base_url=live_site.url, locale="it-IT", **more)
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
        contexts.append(context)
        page = context.new_page()
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The running product, with the tournaments of its first start and the cards that people see."""
    with running(tmp_path_factory.mktemp("browser") / "data") as started:
        yield started


@pytest.fixture(scope="session")
def base_url(door: socket.socket) -> str:
    """The address of the site in the tests' process."""
    return live.Site(door.getsockname()[1]).url
