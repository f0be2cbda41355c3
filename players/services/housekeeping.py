"""Housekeeping: rows that nobody will miss are deleted, a batch at a time, each step by the app that knows them.

Apps register their steps at start. A step deletes at most one batch, in short transactions that wait for no lock, and
says how many rows it took; run again it goes on where it stopped, and run twice it does no harm. Ages stand in
``players.caps``. No deadline of a game depends on it.
"""

import logging
from collections.abc import Callable
from datetime import datetime

from players import caps

logger = logging.getLogger(__name__)

Step = Callable[[datetime], int]
_steps: dict[str, Step] = {}


def register_step(name: str, step: Step) -> None:
    """Add a step, at start (AppConfig.ready), after those before it. The same name again replaces it."""
    _steps[name] = step


def keep_house(*, now: datetime) -> dict[str, int]:
    """Run every step, each until it finds nothing or has done its share. Return what each took.

    A step that fails is logged, and stops no other.
    """
    done = {}
    for name, step in _steps.items():
        done[name] = 0
        try:
            for _batch in range(caps.HOUSEKEEPING_BATCHES):
                count = step(now)
                if not count:
                    break
                done[name] += count
        except Exception:
            logger.exception("a step of the housekeeping failed: %s", name)
    return done
