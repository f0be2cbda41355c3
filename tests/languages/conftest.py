"""The product speaking in brackets."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.languages import pseudo


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the language's catalogue: to make it takes a second."""
    return pseudo.make_catalogue(tmp_path_factory.mktemp("brackets"))


@pytest.fixture
def brackets(catalogue: Path) -> Iterator[None]:
    with pseudo.spoken(catalogue):
        yield
