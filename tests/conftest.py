"""Known people, a known hour, the catalogues as a start compiles them, and the running product for whoever needs it."""

import fcntl
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from subprocess import Popen

import hypothesis
import pytest
from django.conf import settings
from django.db import connection
from django.template.base import Template
from django.template.context import Context
from django.template.loader import get_template
from django.test import TransactionTestCase
from django.urls import reverse
from django.utils import translation
from pytest_django import DjangoDbBlocker

from config.launcher.prepare import compile_messages
from config.memory import spare_collector
from players.models import Player
from tests import settings as served
from tests.services import kept
from tests.support import empty_databases, live
from tests.support.arrangements import NEXT, Stack, arrange_once, forget_keys, sort
from tests.support.clock import NOW
from tests.support.commits import commits_at_block_end
from tests.support.draws import draw_from
from tests.support.people import create_person
from tests.support.thorough import THOROUGH, mark_thorough, tries
from tests.workers import begin_first

# A busy machine is no fault: no example is timed. What fails, fails again: only a soak tries other examples each time.
hypothesis.settings.register_profile(
    "ours",
    max_examples=tries(10, 300),
    deadline=None,
    derandomize=not THOROUGH,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("ours")

STACK = Stack()
# What takes longest begins first, so that at the end nobody waits for it.
FIRST = (
    "config/launcher/test_supervisor.py", "tournaments/equal/test_withheld.py", "crawl/",
    "flows/", "config/test_junk.py", "tournaments/transfer/", "tournaments/organise/", "tournaments/desk/",
    "config/test_safety.py", "games/test_sweep.py", "games/lobby/test_live.py", "tournaments/running/",
)  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--draws", default="", help="any word: cards, ids and lots are drawn otherwise than by default")


def pytest_configure() -> None:
    """The site's catalogues, as a start compiles them; processes that tests start find them."""
    compile_messages(live.ROOT / "locale")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what there is on the other database only; tell a soak what it tries more of."""
    elsewhere = [
        item for item in items if any(config.getoption("db") not in mark.args for mark in item.iter_markers("only_on"))
    ]
    if elsewhere:
        config.hook.pytest_deselected(items=elsewhere)
        items[:] = [item for item in items if item not in elsewhere]
    if THOROUGH:
        mark_thorough(items)
    sort(items)
    begin_first(items, Path(__file__).parent, FIRST)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Note which test comes next, for what may still stand then."""
    item.stash[NEXT] = nextitem


def pytest_collection_finish(session: pytest.Session) -> None:
    """Thousands of tests and all they import stay to the end: the collector need not go through them each time, nor
    look after every request, as in the processes of the product.

    What the first page of a process takes longest for, its workers find done: all views and templates are read.
    """
    if session.config.getoption("workers") and not session.config.getoption("collectonly"):
        with translation.override("it"):
            reverse("home")
        for path in (live.ROOT / "templates").rglob("*.html"):
            get_template(str(path.relative_to(live.ROOT / "templates")))
    spare_collector()


def _emptied(case: TransactionTestCase) -> None:
    """Delete what a test that really commits has left: faster than Django's flush, which migrates anew after it."""
    empty_databases.empty()


TransactionTestCase._fixture_teardown = _emptied


@pytest.fixture(scope="session", autouse=True)
def _what_parts_are_drawn_with_is_not_kept(django_test_environment: None) -> None:
    """Django keeps a copy of each template's context for the tests: of what a view answers with, not of its parts and
    what it extends, which have theirs from it, nor of the hundreds in which options are drawn."""
    kept = Template._render  # type: ignore[attr-defined]

    def drawn(self: Template, context: Context) -> str:
        part = context.template is not self or str(self.name).startswith("django/forms/")
        return self.nodelist.render(context) if part else kept(self, context)

    Template._render = drawn  # type: ignore[attr-defined]


@pytest.fixture(scope="session", autouse=True)
def _the_test_client_asks_for_no_static_files(django_test_environment: None) -> None:
    """ServeStatic is asynchronous: it would carry each request of the synchronous client into a loop of its own and
    back into a thread, which takes as long as a small page. The live site has it (tests/support/live.py)."""
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if name != served.STATICS]


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker
) -> None:
    """Take a copy of the empty database that the first process of a run has made; the others wait for it.

    The servers the tests started are thrown away whole: nothing is dropped.
    """
    with django_db_blocker.unblock(), (kept() / f"{connection.vendor}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not empty_databases.exists():
            empty_databases.make()
        empty_databases.copy()


@pytest.fixture
def _arrangements(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Have what a test begins with stand in the database before its own transaction."""
    with django_db_blocker.unblock():
        STACK.begin(request)
    yield
    with django_db_blocker.unblock():
        STACK.end(request.node)


@pytest.fixture
def _django_db_helper(_arrangements: None, _django_db_helper: None) -> None:
    """Override pytest-django's: its transaction comes after what is arranged."""


@pytest.fixture(autouse=True)
def _draws_of_a_test_are_those_of_its_name(request: pytest.FixtureRequest) -> Iterator[None]:
    with draw_from(f"{request.config.getoption('draws')} {request.node.nodeid}"):
        yield


@pytest.fixture(autouse=True)
def _commits_of_a_test_that_is_rolled_back(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let what happens on commit happen, unless the test really commits."""
    if "db" in request.fixturenames or request.node.get_closest_marker("django_db"):
        request.getfixturevalue("_django_db_helper")
        forget_keys()
        if connection.in_atomic_block:
            with commits_at_block_end():
                yield
            return
    yield


@pytest.fixture(scope="session")
def now() -> datetime:
    """The hour at which a test happens, unless it runs against real processes."""
    return NOW


@arrange_once
def anna(db: None, now: datetime) -> Player:
    return create_person("Anna", now)


@arrange_once
def bruno(db: None, now: datetime) -> Player:
    return create_person("Bruno", now)


@arrange_once
def carla(db: None, now: datetime) -> Player:
    return create_person("Carla", now)


@arrange_once
def dino(db: None, now: datetime) -> Player:
    return create_person("Dino", now)


@pytest.fixture
def live_site(transactional_db: None) -> Iterator[live.Site]:
    """The web server over this test's database; ``.url`` and ``.ws_url`` say where."""
    with live.web_thread() as site:
        yield site


@pytest.fixture
def celery_worker(transactional_db: None, tmp_path: Path) -> Iterator[Popen[bytes]]:
    """A real Celery worker process, with its sweep, on this test's database and Redis."""
    with live.worker_process(tmp_path / "worker.log") as process:
        yield process


@pytest.fixture(autouse=True)
def _the_sites_own_language() -> Iterator[None]:
    """No test leaves its reader's language to the next one."""
    translation.activate("it")
    yield
    translation.activate("it")
