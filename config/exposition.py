"""The figures of a process, for Prometheus: at ``/metrics`` of each web process, at a port of its own of each worker.

Whoever asks carries METRICS_TOKEN; anybody else, and everybody on a site without one, is answered 404. A web process
answers before Django, which would refuse a request for this machine's address. The figures are declared in
``players/metrics.py`` and ``games/metrics.py``, beside those of the process itself; none has a person, a table or a
card in it.
"""

import hmac
import logging
import threading
from collections.abc import Iterable
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server
from wsgiref.types import StartResponse, WSGIEnvironment

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, Scope
from django.utils import timezone
from prometheus_client import make_asgi_app, make_wsgi_app
from prometheus_client.exposition import ThreadingWSGIServer

from games import metrics
from games.selectors import count_overdue, count_running
from players.realtime import db_executor

logger = logging.getLogger(__name__)

PATH = "/metrics"
IDLE_SECONDS = 5  # of a connection to a worker that asks nothing


def is_allowed(authorization: bytes, token: str) -> bool:
    """Return whether a request with this header may see the figures. How long it takes tells nothing of the token."""
    return hmac.compare_digest(authorization, f"Bearer {token}".encode()) and bool(token)


class MetricsEndpoint:
    """An ASGI application in front of another: it answers ``/metrics``."""

    def __init__(self, application: ASGI3Application, token: str) -> None:
        self.application = application
        self.token = token
        self._answer: Any = make_asgi_app(disable_compression=True)

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer with the figures, or with 404 whoever doesn't have the token; pass on everything else."""
        if scope["type"] != "http" or scope["path"] != PATH:
            await self.application(scope, receive, send)
            return
        headers = {name.lower(): value for name, value in scope["headers"]}
        if scope["method"] != "GET" or not is_allowed(headers.get(b"authorization", b""), self.token):
            await send({"type": "http.response.start", "status": 404, "headers": [], "trailers": False})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        await db_executor.run(measure_tables)
        await self._answer(scope, receive, send)


def measure_tables() -> None:
    """Ask the database for the figures that it alone has; they are NaN while it doesn't answer."""
    running = overdue = float("nan")
    try:
        now = timezone.now()
        running, overdue = count_running(), count_overdue(now)
    except Exception:
        logger.warning("the tables could not be counted", exc_info=True)
    metrics.TABLES_RUNNING.set(running)
    metrics.TABLES_OVERDUE.set(overdue)


class QuietHandler(WSGIRequestHandler):
    """A request to a worker: not logged, and ended if it doesn't come."""

    timeout = IDLE_SECONDS

    def log_message(self, *_: object) -> None:
        """Log nothing: it would name whoever asked."""


def serve_worker(host: str, port: int, token: str) -> ThreadingWSGIServer:
    """Give this process's figures at a port, from a thread, until the process ends. OSError if the port is taken."""
    figures: Any = make_wsgi_app(disable_compression=True)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        allowed = is_allowed(environ.get("HTTP_AUTHORIZATION", "").encode("latin-1"), token)
        if environ["PATH_INFO"] != PATH or environ["REQUEST_METHOD"] != "GET" or not allowed:
            start_response("404 Not Found", [])
            return [b""]
        answered: Iterable[bytes] = figures(environ, start_response)
        return answered

    server = make_server(host, port, answer, ThreadingWSGIServer, QuietHandler)
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
