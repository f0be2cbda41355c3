"""The rest of a process while nobody is on the site: who waits here waits longer, until somebody comes or something is
due soon.

Nothing depends on it but what is spent: who rests looks ahead at what is due (``HORIZON``) further than it rests
(``REST_SECONDS``), so nothing is later for it; and while nobody can tell whether people are here, nobody rests. Rest is
over at once when somebody comes: each web process tells it over Redis, and the watch of each worker hears it, or asks
within ``ASK_SECONDS`` if that was lost.
"""

import logging
import threading
import time
from collections.abc import Callable
from datetime import timedelta

from players import presence

logger = logging.getLogger(__name__)

REST_SECONDS = 10.0  # from one look to the next, at rest
HORIZON = timedelta(seconds=30)  # who has something due within it doesn't rest
STAY_SECONDS = 15.0  # so long nobody rests after somebody came
ASK_SECONDS = 2.0  # between two questions whether somebody is on the site
TELL_SECONDS = 5.0  # between two times that a web process says so
LEAVE_SECONDS = 60.0  # who has asked for nothing for so long, and holds no socket, has gone


class SiteRest:
    """The rest of one process. It never begins before ``begin``: where nobody watches for people, nobody rests."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._changed = threading.Condition()
        self._awake_until: float | None = None  # None: always
        self.calls = 0  # so often somebody was told to look about them
        self.resting = 0  # so many threads rest now

    def begin(self) -> None:
        """Let rest begin, once nobody has come for a while."""
        self._awake_until = self._seconds() + STAY_SECONDS

    def end(self) -> None:
        """Let nobody rest any more."""
        self._awake_until = None
        self.call()

    @property
    def is_quiet(self) -> bool:
        """Tell if nobody is on the site, nor was just now."""
        return self._awake_until is not None and self._seconds() >= self._awake_until

    def stay(self, seconds: float = STAY_SECONDS) -> None:
        """End the rest of all who rest, for so long."""
        with self._changed:
            was_quiet = self.is_quiet
            if self._awake_until is not None:
                self._awake_until = max(self._awake_until, self._seconds() + seconds)
            if was_quiet:
                self.call()

    def call(self) -> None:
        """Have all who rest look about them."""
        with self._changed:
            self.calls += 1
            self._changed.notify_all()

    def wait(self, ended: threading.Event, seconds: float = REST_SECONDS, *, since: int | None = None) -> None:
        """Rest for so long, or until somebody calls; not at all once ``ended`` is set, or rest is over.

        ``since``: the ``calls`` before one looked for something to do: what was called meanwhile isn't lost.
        """
        with self._changed:
            calls = self.calls if since is None else since
            self.resting += 1
            self._changed.wait_for(lambda: self.calls != calls or ended.is_set() or not self.is_quiet, seconds)
            self.resting -= 1


worker_rest = SiteRest()  # of this process, if it is a worker


class Visits:
    """The people who are on the site through this web process: those who asked for something lately, and sockets."""

    def __init__(self, rest: SiteRest) -> None:
        self.rest = rest
        self._sockets = 0

    def note(self) -> None:
        """Note that somebody asks for something."""
        self.rest.stay(LEAVE_SECONDS)

    def enter(self) -> None:
        """Note that a socket is open from now on."""
        self._sockets += 1
        self.note()

    def leave(self) -> None:
        """Note that one was closed."""
        self._sockets -= 1
        self.note()

    def is_anybody_here(self) -> bool:
        """Tell if somebody has been here lately; whoever holds a socket is."""
        if self._sockets:
            self.note()
        return not self.rest.is_quiet


visits = Visits(SiteRest())  # of this process, if it is a web process


class VisitTeller(threading.Thread):
    """Tells the workers, every TELL_SECONDS, that somebody is on the site through this web process; at once when
    somebody comes."""

    def __init__(self, visits_here: Visits) -> None:
        super().__init__(name="visit-teller", daemon=True)
        self.visits = visits_here
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.is_set():
            if self.visits.is_anybody_here():
                presence.mark_visited()
                self.ended.wait(TELL_SECONDS)
            else:
                self.visits.rest.wait(self.ended)

    def stop(self) -> None:
        self.ended.set()
        self.visits.rest.call()


class VisitWatch(threading.Thread):
    """Hears whether somebody is on the site, and ends the rest of this process when somebody comes. While Redis is away
    nobody knows, and nobody rests."""

    def __init__(self, rest: SiteRest) -> None:
        super().__init__(name="visit-watch", daemon=True)
        self.rest = rest
        self.ended = threading.Event()
        self._well = True

    def run(self) -> None:
        self.rest.begin()
        while not self.ended.is_set():
            try:
                with presence.hear_visits() as hear:
                    while not self.ended.is_set():
                        if hear(ASK_SECONDS) or presence.is_visited():
                            self.rest.stay()
                        self._well = True
            except presence.UNREACHABLE as error:
                if self._well:
                    logger.info("whether somebody is on the site can't be known: %r", error)
                self._well = False
                self.rest.stay(LEAVE_SECONDS)
                self.ended.wait(1)
        self.rest.end()

    def stop(self) -> None:
        """End the thread, and all rest."""
        self.ended.set()
        self.rest.end()
        if self.is_alive():
            self.join(timeout=5)
