"""The product speaking in brackets, and a house to read it in."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from tests.languages import pseudo
from tests.languages.world import House, furnish


@pytest.fixture
def brackets(tmp_path: Path) -> Iterator[None]:
    with pseudo.spoken(tmp_path):
        yield


@pytest.fixture
def house(brackets: None, now: datetime) -> House:
    return furnish(now)
