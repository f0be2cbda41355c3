"""Debian's Chromium against the whole product, started as a person starts it: hashed files, CSP and all."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from players.models import Player
from tests.browser.plain_decks import draw_plain_decks
from tests.browser.rigged import sit, sites
from tests.support import live
from tests.support.people import create_person, sign_in
from tests.support.product import Product, prepared, running
from tests.support.tournaments import Opened, make_opened

__all__ = ["sit", "sites"]  # fixtures

HERE = Path(__file__).parent
FLAGS = (
    "--disable-gpu",
    "--in-process-gpu",  # what is left of it: a process less
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# Debian's chromium-headless-shell: the same engine without windows, which reckons a third as much for each page.
WINDOWLESS, WHOLE = Path("/usr/lib/chromium/chromium-headless-shell"), Path("/usr/bin/chromium")

OWN_SITE = re.compile(r"\bSit(es)?\b|\brunning\(")  # the fixtures of rigged.py, or a product of its own
LIVE_SITE = re.compile(r"live_site|open_as_organiser")
# What takes longest begins first, so that at the end nobody waits for it; the first two bring the others of a product.
FIRST = ("test_pairs.py", "test_desk.py", "test_every_page.py", "test_table_axe.py", "test_gestures.py", "test_line.py")
# Half of the tests with the whole product: all of them one after the other would take longer than all the rest.
SECOND_PRODUCT = ("test_desk.py", "test_evening.py", "test_people.py", "test_restart.py")

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # what tests themselves read and write beside a browser

expect.set_options(timeout=30_000)  # ms: for a broken build, not to measure anything


@cache
def name_server(file: Path) -> str:
    """Return what the tests of a file share: a site of their own, the site in the tests' process, or a product.

    Those that need the whole product share two, so that it is started twice at most.
    """
    text = file.read_text()
    if OWN_SITE.search(text):
        return file.name
    if LIVE_SITE.search(text):
        return "live"
    return "second product" if file.name in SECOND_PRODUCT else "product"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Say of each test here with whom it shares a process, and whether it begins first."""
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.process(name_server(item.path)))
            if item.path.name in FIRST:
                item.add_marker("first")


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
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {
        **browser_context_args,
        "locale": "it-IT",
        "viewport": {"width": 1280, "height": 900},
        "service_workers": "block",  # what a worker asks for can't be held up by a test; test_on_a_telephone has one
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
    """The running product, with the tournaments of its first start and plain decks."""
    data = tmp_path_factory.mktemp("browser") / "data"
    shutil.copytree(prepared(), data)
    draw_plain_decks(data / "static")
    with running(data) as started:
        yield started


@pytest.fixture(scope="session")
def base_url(product: Product) -> str:
    return product.url
