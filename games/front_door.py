"""The watch at the front door: it asks the site for itself, by the address that people use.

Beside each worker's sweep. A web process may be alive and yet hear nobody (its connections are all taken, the proxy is
down, the certificate has run out): who can't be reached can't play, and that is an outage like the others
(games/outages.py). A door that was never reached from here isn't watched: not every server can call itself by name.
"""

import logging
import socket
import ssl
import threading
from collections.abc import Callable
from datetime import datetime
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from django.db import connections
from django.utils import timezone

from games.outages import DOOR, Pulse, extend_for_shut_door, tidy_connections
from games.site_rest import SiteRest, worker_rest

logger = logging.getLogger(__name__)

EVERY_SECONDS = 0.5
ANSWER_SECONDS = 2.0  # the door is shut for whoever waits longer
PATH = "/healthz"


def knock(url: str, seconds: float = ANSWER_SECONDS) -> bool:
    """Tell if the site at ``url`` answers within so many seconds for each step of it."""
    address = urlsplit(url)
    secure = address.scheme == "https"
    port = address.port or (443 if secure else 80)
    host = address.hostname or ""
    try:
        line = socket.create_connection((host, port), seconds)
        try:
            if secure:
                line = ssl.create_default_context().wrap_socket(line, server_hostname=host)
            asked = HTTPConnection(host, port, timeout=seconds)
            asked.sock = line
            asked.request("GET", PATH, headers={"Host": address.netloc, "Connection": "close"})
            return asked.getresponse().status == 200
        finally:
            line.close()
    except (OSError, HTTPException):
        return False


class DoorWatch(threading.Thread):
    """Knocks until stopped, with a connection to the database of its own; loud only when things change."""

    def __init__(self, url: str, clock: Callable[[], datetime] = timezone.now, rest: SiteRest = worker_rest) -> None:
        super().__init__(name="front-door", daemon=True)
        self.url, self.clock, self.rest = url, clock, rest
        self.pulse = Pulse(DOOR, clock)
        self.shut_since: datetime | None = None
        self.rests = False  # it knocks again when the rest that it has announced is over
        self.ended = threading.Event()

    def look(self) -> bool:
        """Knock once and note what came of it."""
        if knock(self.url):
            self.shut_since = None
            self.rests = self.rest.is_quiet and self.pulse.announce_rest()
            return self.rests or self.pulse()
        self.rests = False
        now = self.clock()
        if self.shut_since is None:
            self.shut_since = now
        if extend_for_shut_door(self.shut_since, now):
            logger.error("%s can't be reached; until it can it isn't counted as an outage any more", self.url)
        return False

    def run(self) -> None:
        while not self.ended.is_set():
            try:
                self.look()
            except Exception:
                logger.exception("the front door could not be watched")
                tidy_connections()
                self.rests = False
            if self.rests:
                self.rest.wait(self.ended)
            else:
                self.ended.wait(EVERY_SECONDS)
        connections.close_all()

    def stop(self) -> None:
        self.ended.set()
        self.rest.call()
        if self.is_alive():
            self.join(timeout=5)
