"""Draws of a test's process: cards, ids and lots that come from a name, so that what fails, fails again."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support.thorough import THOROUGH


@contextmanager
def draw_from(name: str) -> Iterator[None]:
    """Draw what this process draws from ``name``; freely in a soak, as the processes that a test starts always do."""
    with pytest.MonkeyPatch.context() as patch:
        if not THOROUGH:  # ``secrets`` and SystemRandom have all they give from there
            patch.setattr(random, "_urandom", random.Random(name).randbytes)
        yield
