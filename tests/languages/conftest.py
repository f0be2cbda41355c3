"""The product speaking in brackets, and a house to read it in."""

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.languages import pseudo
from tests.languages.world import House, furnish
from tests.support.clock import NOW
from tests.support.commits import commits_at_block_end
from tests.support.draws import draw_from


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the language's catalogue: to make it takes a second."""
    return pseudo.make_catalogue(tmp_path_factory.mktemp("brackets"))


@pytest.fixture
def brackets(catalogue: Path) -> Iterator[None]:
    with pseudo.spoken(catalogue):
        yield


@pytest.fixture(scope="module")
def furnished(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, catalogue: Path, request: pytest.FixtureRequest
) -> Iterator[House]:
    """A house that a module's tests share: each starts from it and is rolled back to it."""
    with (
        pseudo.spoken(catalogue),
        django_db_blocker.unblock(),
        transaction.atomic(),
    ):
        with draw_from(f"{request.config.getoption('draws')} house"), commits_at_block_end():
            house = furnish(NOW)
        yield house
        transaction.set_rollback(True)


@pytest.fixture
def house(furnished: House, db: None) -> House:
    return deepcopy(furnished)
