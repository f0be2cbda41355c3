"""Waiting on conditions: the only way a test lets time pass."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")
PATIENCE = 120.0  # seconds until a broken build gives up: waiting costs nothing where all is well, however slow it is


def until(condition: Callable[[], Found], *, seconds: float = PATIENCE, what: str = "") -> Found:
    """Return what ``condition`` returns as soon as that is true; AssertionError if it never is within ``seconds``.

    The limit is there for a broken build, not to measure anything.
    """
    began = time.monotonic()
    while True:
        value = condition()
        if value:
            return value
        waited = time.monotonic() - began
        if waited > seconds:
            raise AssertionError(f"waited {seconds:g} s in vain for {what or condition!r}")
        time.sleep(min(max(0.02, waited / 20), 0.2))  # who is waited for needs the processor too
