"""Static files answered from memory: whatever Django answered once for a file that never changes is answered again.

ServeStatic opens a thread and a file for each request, and Django goes through its middleware; a table's page asks for
forty files at once. Only whole files with a hash in their name are kept, as they were sent, with all their headers.
"""

from typing import Any, NamedTuple

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, Scope

MAX_BYTES = 16 * 1024 * 1024  # kept by a process
MAX_ENCODINGS = 8  # different Accept-Encoding headers whose answers are kept
IMMUTABLE = b"immutable"
PARTIAL_REQUESTS = {b"range", b"if-none-match", b"if-modified-since"}


class StaticAnswer(NamedTuple):
    """An answer as it was sent."""

    start: Any
    body: bytes


class StaticCache:
    """An ASGI application in front of another: it answers GET of files under ``prefix`` that it has seen answered."""

    def __init__(self, application: ASGI3Application, prefix: str, most: int = MAX_BYTES) -> None:
        self.application = application
        self.prefix = prefix
        self.room = most  # bytes that may still be kept
        self.kept: dict[tuple[str, bytes], StaticAnswer] = {}
        self.encodings: set[bytes] = set()

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer it, or have it answered and keep what may be kept."""
        if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith(self.prefix):
            await self.application(scope, receive, send)
            return
        headers = {name.lower(): value for name, value in scope["headers"]}
        if not PARTIAL_REQUESTS.isdisjoint(headers):
            await self.application(scope, receive, send)
            return
        key = (scope["path"], headers.get(b"accept-encoding", b""))
        hit = self.kept.get(key)
        if hit is not None:
            await send(hit.start)
            await send({"type": "http.response.body", "body": hit.body, "more_body": False})
            return
        start: Any = None
        parts: list[bytes] = []

        async def record(message: Any) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
            elif message["type"] == "http.response.body":
                parts.append(message.get("body", b""))
                if not message.get("more_body"):
                    self._keep(key, start, b"".join(parts))
            await send(message)

        await self.application(scope, receive, record)

    def _keep(self, key: tuple[str, bytes], start: Any, body: bytes) -> None:
        headers = {name.lower(): value for name, value in start["headers"]}
        whole = start["status"] == 200 and headers.get(b"content-length") == str(len(body)).encode()
        if not whole or IMMUTABLE not in headers.get(b"cache-control", b"") or len(body) > self.room:
            return
        if key[1] not in self.encodings and len(self.encodings) >= MAX_ENCODINGS:
            return
        if key not in self.kept:
            self.encodings.add(key[1])
            self.room -= len(body)
            self.kept[key] = StaticAnswer(start, body)
