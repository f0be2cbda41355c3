"""A process aside that thinks for the house's players, asked one question at a time.

It decides nothing about when or for whom. Whatever becomes of the process, who asks gets an answer or none in the time
they give it: one that died or hangs is started anew, with a growing pause if it keeps failing.
"""

import contextlib
import logging
import os
import subprocess
import sys
import threading
import time
from multiprocessing.connection import Connection
from secrets import randbits
from typing import Any, NamedTuple

from django.conf import settings

from games.bots.memory import Memory, remember
from games.bots.questions import HouseQuestion
from games.engine.game import GameMove, View

logger = logging.getLogger(__name__)

HOUSE = "games.bots.process"
START_SECONDS = 10.0  # it may take to load
RESTART_FIRST_SECONDS, RESTART_MOST_SECONDS = 0.5, 30.0
SEED_BITS = 64


class HousePlan(NamedTuple):
    """Moves of a house player at a version of its table; none: by rules of thumb, for there was no time."""

    version: int
    moves: tuple[GameMove, ...]
    halvings: int = 0

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<HousePlan: for version {self.version}>"


class Thinker:
    """The process aside, started when it is first asked. Safe between threads: they are answered in turns.

    ``module``: what it runs, that of the house's players or one made alike.
    """

    def __init__(self, module: str = HOUSE) -> None:
        self._module = module
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._to: Connection | None = None
        self._back: Connection | None = None
        self._retry_at, self._pause = 0.0, RESTART_FIRST_SECONDS

    def ask(self, question: Any, seconds: float) -> Any:
        """Return the answer, an ``Answer`` to a ``HouseQuestion``; None where there is none within so many seconds, or
        the process can't be had now."""
        with self._lock:
            started = self._process is None
            if started and not self._start():
                return None
            assert self._to is not None
            assert self._back is not None
            try:
                self._to.send(question)
                if not self._back.poll(START_SECONDS if started else seconds):
                    raise TimeoutError
                answer = self._back.recv()
            except (OSError, EOFError) as error:  # TimeoutError is one
                logger.warning("the process that thinks for the house gave no answer: %s", type(error).__name__)
                self._end()
                self._put_off()
                return None
            self._pause = RESTART_FIRST_SECONDS
            if answer.fault:
                logger.error("a house player could not think: %s at %s", answer.fault, question.ruleset)
                return None
            return answer

    def stop(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _start(self) -> bool:
        if time.monotonic() < self._retry_at:
            return False
        asked, to = os.pipe()
        back, answered = os.pipe()
        try:
            self._process = subprocess.Popen(  # noqa: S603 the command is ours
                [sys.executable, "-m", self._module, str(asked), str(answered)],
                cwd=settings.BASE_DIR,
                stdin=subprocess.DEVNULL,
                pass_fds=(asked, answered),
            )
        except OSError:
            logger.exception("the process that thinks for the house can't be started")
            os.close(to)
            os.close(back)
            self._put_off()
            return False
        finally:
            os.close(asked)
            os.close(answered)
        self._to, self._back = Connection(to, readable=False), Connection(back, writable=False)
        return True

    def _put_off(self) -> None:
        self._retry_at = time.monotonic() + self._pause
        self._pause = min(2 * self._pause, RESTART_MOST_SECONDS)

    def _end(self) -> None:
        for end in (self._to, self._back):
            if end is not None:
                end.close()
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            self._process.wait()
        self._process = self._to = self._back = None


def make_question(
    ruleset: str, views: list[View], strength: str, *, halvings: int = 0, seed: int | None = None
) -> HouseQuestion:
    """Return the question of a seat that has seen these Views since the deal began. Without a ``seed``: fresh dice."""
    memory: Memory = remember(views)
    plain = str(strength)  # a member of an enumeration would bring the models with it to a process without settings
    return HouseQuestion(ruleset, views[-1], memory, plain, randbits(SEED_BITS) if seed is None else seed, halvings)
