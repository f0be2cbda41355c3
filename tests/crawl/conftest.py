"""A house in brackets that the tests of this folder share, and the answers of all its addresses."""

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.crawl.walk import Crawl
from tests.languages import pseudo
from tests.languages.world import House, furnish
from tests.support.arrangements import forget_keys
from tests.support.commits import commits_at_block_end
from tests.support.draws import draw_from

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give all of this folder to one process; in a soak the crawl asks more addresses, whichever test looks at them."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.process("crawl"))
            item.add_marker(pytest.mark.thorough)


@pytest.fixture(scope="package")
def furnished(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> Iterator[House]:
    """A house from which each test starts, and to which it is rolled back; all speak in brackets."""
    catalogue = pseudo.make_catalogue(tmp_path_factory.mktemp("brackets"))
    with (
        pseudo.spoken(catalogue),
        django_db_blocker.unblock(),
        transaction.atomic(),
    ):
        forget_keys()
        with draw_from(f"{request.config.getoption('draws')} house"), commits_at_block_end():
            house = furnish(timezone.now())
        yield house
        transaction.set_rollback(True)


@pytest.fixture
def house(furnished: House, db: None) -> House:
    return deepcopy(furnished)


@pytest.fixture(scope="package")
def crawl(furnished: House, django_db_blocker: DjangoDbBlocker, request: pytest.FixtureRequest) -> Crawl:
    """Ask all addresses, once for all tests, and leave the house as it was."""
    with django_db_blocker.unblock(), transaction.atomic():
        forget_keys()
        with draw_from(f"{request.config.getoption('draws')} crawl"), commits_at_block_end():
            answers = Crawl(deepcopy(furnished))
        transaction.set_rollback(True)
    return answers
