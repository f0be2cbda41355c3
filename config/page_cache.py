"""Public pages of tournaments answered from memory, before Django, to readers without an account (SP10).

A page is kept by its address and the reader's language and zone, with the tournament's version, which the database is
asked for anew for whoever comes: in one read for all who came within a moment. So a live region is never older than the
hint that made its reader ask, whatever process answers. While a crowd waits for a new version of a whole page, those
who come after it, for a second, are shown the one before: its socket tells them of the new one. What the clock alone
changes may be some seconds old. What is each reader's own (the CSP's nonce, the forms' token and its
cookie, the hour) is put in as it is sent.
"""

import asyncio
import logging
import re
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope
from cachetools import LRUCache
from django.conf import settings
from django.http import HttpRequest, HttpResponse, parse_cookie
from django.middleware.csrf import CSRF_SECRET_LENGTH, CsrfViewMiddleware, get_token
from django.utils.translation import get_language_from_request

from players import metrics
from players.middleware import ZONE_COOKIE
from players.realtime import db_executor
from players.selectors import list_time_zones
from tournaments.core.visibility import read_versions
from tournaments.pages.public_addresses import find_public_page

logger = logging.getLogger(__name__)

MAX_BYTES = 32 * 1024 * 1024  # kept by a process
MAX_AGE_SECONDS = 5.0
LATE_SECONDS = 1.0  # after it was last known to be current, a whole page may be shown while the next is made
CROWD = 20  # requests that wait for it meanwhile
TURN_SECONDS = 1.0  # a page waits for the one that is being made, so that those at the tables wait for one at most
GATHER_SECONDS = 0.02  # who comes within it is answered by one read of the versions
MAX_LANGUAGES = 1000  # headers whose language is known

OWN_COOKIES = {settings.SESSION_COOKIE_NAME, "messages"}  # with one of them a page may be this reader's alone
OWN_HEADERS = {b"authorization", b"range"}
KEPT_HEADERS = (b"host", b"hx-target", b"x-forwarded-host", b"x-forwarded-proto")  # by which pages differ
KEPT_STATUSES = (200, 404)
NOT_KEPT = (b"content-length", b"set-cookie")
NONCE_OF_HEADER = re.compile(rb"'nonce-([^']+)'")
TOKEN = rb'(?<=name="csrfmiddlewaretoken" value=")[0-9A-Za-z]{64}'
HOUR = rb'(?<=name="server-time" content=")[0-9]{10}'

Headers = list[tuple[bytes, bytes]]


class PublicRequest(NamedTuple):
    """Request of any visitor for a page that all of them read alike."""

    public_id: str
    path: str
    query: str
    scheme: str
    headers: tuple[tuple[bytes, bytes], ...]
    language: str
    zone: str

    @property
    def is_live(self) -> bool:
        """Return True if only the page's live region is asked for."""
        return any(name == b"hx-target" for name, _ in self.headers)


class KeptPage(NamedTuple):
    """A page as Django made it, cut where something of one reader's stood: ``fields`` says what, between ``parts``."""

    status: int
    headers: Headers
    parts: tuple[bytes, ...]
    fields: tuple[str, ...]
    nonce: bytes  # the first reader's, in the headers; empty for none
    size: int

    def fill(self, cookies: Mapping[str, str]) -> tuple[Headers, bytes]:
        """Return the headers and the body for a reader who sent these cookies."""
        nonce = secrets.token_urlsafe(16).encode()
        own = {"nonce": nonce, "hour": str(int(time.time())).encode()}
        headers = [(name, value.replace(self.nonce, nonce) if self.nonce else value) for name, value in self.headers]
        if "token" in self.fields:
            own["token"], cookie = build_token(cookies)
            headers.append((b"set-cookie", cookie))
        pieces = [self.parts[0]]
        for field, part in zip(self.fields, self.parts[1:], strict=True):
            pieces += (own[field], part)
        body = b"".join(pieces)
        return [*headers, (b"content-length", str(len(body)).encode())], body


def build_token(cookies: Mapping[str, str]) -> tuple[bytes, bytes]:
    """Return a form's token for a reader who sent these cookies, and the cookie to set with it, as Django does.

    But for a new secret: Django asks the system for each of its characters, which takes twice as long as all the rest.
    """
    request, response = HttpRequest(), HttpResponse()
    request.COOKIES = dict(cookies)
    guard = CsrfViewMiddleware(lambda request: response)
    guard.process_request(request)
    request.META.setdefault("CSRF_COOKIE", secrets.token_hex(CSRF_SECRET_LENGTH // 2))
    token = get_token(request)
    guard.process_response(request, response)
    return token.encode(), response.cookies[settings.CSRF_COOKIE_NAME].OutputString().encode()


def cut_page(status: int, headers: Headers, body: bytes) -> KeptPage:
    """Return a page that Django has answered, cut where something of its reader's stands."""
    policy = next((value for name, value in headers if name.lower() == b"content-security-policy"), b"")
    match_of_nonce = NONCE_OF_HEADER.search(policy)
    nonce = match_of_nonce[1] if match_of_nonce else b""
    kinds = {"token": TOKEN, "hour": HOUR} | ({"nonce": re.escape(nonce)} if nonce else {})
    parts, fields, end = [], [], 0
    for match in re.finditer(b"|".join(b"(?P<%s>%s)" % (kind.encode(), words) for kind, words in kinds.items()), body):
        parts.append(body[end : match.start()])
        fields.append(str(match.lastgroup))
        end = match.end()
    kept = [(name, value) for name, value in headers if name.lower() not in NOT_KEPT]
    return KeptPage(status, kept, (*parts, body[end:]), tuple(fields), nonce, len(body))


@dataclass
class CurrentPage:
    """A page that is kept: its version (it may be of a later one), when it was made, and when last it was current."""

    page: KeptPage
    version: int
    made_at: float
    current_at: float


class VersionReader:
    """Reader of tournaments' versions. Whoever asks is answered by a read that begins after they asked; who ask within
    a moment share it."""

    def __init__(self, read: Callable[[set[str]], Mapping[str, int]]) -> None:
        self._read = read
        self._wanted: set[str] = set()
        self._next: asyncio.Task[Mapping[str, int]] | None = None
        self._turn = asyncio.Lock()

    async def read(self, public_id: str) -> int | None:
        """Return the version, or None of what not everybody may see. Raises what the database does."""
        self._wanted.add(public_id)
        if self._next is None or self._next.done():  # done before its time: the loop has ended, and a new one begun
            self._next = asyncio.create_task(self._read_soon())
        return (await asyncio.shield(self._next)).get(public_id)

    async def finish(self) -> None:
        """Wait for the reads that are under way."""
        if self._next is not None and not self._next.done():
            await asyncio.wait([self._next])
        async with self._turn:
            pass

    async def _read_soon(self) -> Mapping[str, int]:
        async with self._turn:
            await asyncio.sleep(GATHER_SECONDS)
            wanted, self._wanted, self._next = self._wanted, set(), None
            return await db_executor.run(self._read, wanted)


class PageCache:
    """An ASGI application in front of another: it answers public pages that it has seen answered."""

    def __init__(self, application: ASGI3Application, clock: Callable[[], float] = time.monotonic) -> None:
        self.application = application
        self._versions = VersionReader(read_versions)
        self._clock = clock
        self._kept: LRUCache[PublicRequest, CurrentPage] = LRUCache(MAX_BYTES, getsizeof=lambda kept: kept.page.size)
        self._making: dict[PublicRequest, asyncio.Task[CurrentPage | None]] = {}
        self._waiting: Counter[PublicRequest] = Counter()  # requests
        self._turn = asyncio.Semaphore(1)
        self._languages: LRUCache[tuple[str, str], str] = LRUCache(MAX_LANGUAGES)

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer it, or have it answered."""
        page = None
        if scope["type"] == "http" and scope["method"] == "GET":
            cookies = read_cookies(scope)
            wanted = self._read_request(scope, cookies)
            page = None if wanted is None else await self._find(wanted, scope)
        if page is None:
            await self.application(scope, receive, send)
            return
        headers, body = page.fill(cookies)
        await send({"type": "http.response.start", "status": page.status, "headers": headers, "trailers": False})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    async def finish(self) -> None:
        """Wait for what is being made, whoever has hung up meanwhile: the process ends."""
        await self._versions.finish()
        while making := [task for task in self._making.values() if not task.done()]:
            await asyncio.wait(making)

    def _read_request(self, scope: HTTPScope, cookies: Mapping[str, str]) -> PublicRequest | None:
        """Return what is asked for, or None if it isn't a page that many read alike, or not for whoever asks."""
        address = find_public_page(scope["path"], scope["query_string"].decode("latin-1"))
        headers = {name.lower(): value for name, value in scope["headers"]}
        if address is None or not OWN_COOKIES.isdisjoint(cookies) or not OWN_HEADERS.isdisjoint(headers):
            return None
        chosen, accepted = cookies.get(settings.LANGUAGE_COOKIE_NAME, ""), headers.get(b"accept-language", b"")
        spoken = (chosen, accepted.decode("latin-1"))
        language = self._languages.get(spoken)
        if language is None:
            language = self._languages[spoken] = find_language(*spoken)
        zone = cookies.get(ZONE_COOKIE, "")
        return PublicRequest(
            address.public_id,
            scope["path"],
            address.query,
            scope["scheme"],
            tuple((name, headers[name]) for name in KEPT_HEADERS if name in headers),
            language,
            zone if zone in list_time_zones() else "",
        )

    async def _find(self, wanted: PublicRequest, scope: HTTPScope) -> KeptPage | None:
        """Return the page at the tournament's version or later, made now if need be; None if it can't be kept.

        While a crowd waits for a whole page, who comes after it is shown the one before.
        """
        try:
            version = await self._versions.read(wanted.public_id)
        except Exception:
            logger.warning("the versions of tournaments could not be read", exc_info=True)
            return None
        if version is None:
            return None
        kept, now = self._kept.get(wanted), self._clock()
        if kept is not None:
            current = kept.version >= version and now - kept.made_at < MAX_AGE_SECONDS
            if current:
                kept.current_at = now
            crowded = self._waiting[wanted] >= CROWD and not wanted.is_live
            if current or (crowded and now - kept.current_at < LATE_SECONDS):
                metrics.PAGES_FROM_MEMORY.inc()
                return kept.page
        self._waiting[wanted] += 1
        try:
            while True:
                made = await asyncio.shield(self._start_making(wanted, version, scope))
                if made is None or made.version >= version:
                    return None if made is None else made.page
        finally:
            self._waiting[wanted] -= 1
            if not self._waiting[wanted]:
                del self._waiting[wanted]

    def _start_making(
        self, wanted: PublicRequest, version: int, scope: HTTPScope
    ) -> "asyncio.Task[CurrentPage | None]":
        """Return the task that makes the page, begun now unless one is under way: it may be for a version before."""
        task = self._making.get(wanted)
        if task is None or task.done():
            task = self._making[wanted] = asyncio.create_task(self._make(wanted, version, scope))
        return task

    async def _make(self, wanted: PublicRequest, version: int, scope: HTTPScope) -> CurrentPage | None:
        """Have the page made for nobody in particular, and keep it; None if it isn't one to keep."""
        began = self._clock()
        anybody = [
            *wanted.headers,
            (b"accept-language", wanted.language.encode()),
            (b"cookie", f"{ZONE_COOKIE}={wanted.zone}".encode()),
        ]
        asked = {**scope, "query_string": wanted.query.encode(), "headers": anybody}
        coming = iter([{"type": "http.request", "body": b"", "more_body": False}])
        sent: list[Any] = []

        async def receive() -> Any:
            for message in coming:
                return message
            await asyncio.Event().wait()  # nobody hangs up

        async def record(message: Any) -> None:
            sent.append(message)

        try:
            async with self._take_turn():
                await self.application(cast(HTTPScope, asked), receive, record)
            start, *rest = sent
            cookies = [value for name, value in start["headers"] if name.lower() == b"set-cookie"]
            own = any(not value.startswith(f"{settings.CSRF_COOKIE_NAME}=".encode()) for value in cookies)
            if start["status"] not in KEPT_STATUSES or own:
                return None
            body = b"".join(message.get("body", b"") for message in rest)
            made = CurrentPage(cut_page(start["status"], start["headers"], body), version, began, began)
            if made.page.size <= MAX_BYTES / 4:
                self._kept[wanted] = made
            return made
        except Exception:
            logger.exception("a public page could not be made to be kept")
            return None
        finally:
            del self._making[wanted]

    @asynccontextmanager
    async def _take_turn(self) -> AsyncIterator[None]:
        """Wait for the page that is being made, ``TURN_SECONDS`` at most.

        A page takes the interpreter for some 50 ms and more: two at once only take it from the tables for longer.
        """
        try:
            await asyncio.wait_for(self._turn.acquire(), TURN_SECONDS)
        except TimeoutError:
            yield
            return
        try:
            yield
        finally:
            self._turn.release()


def read_cookies(scope: HTTPScope) -> dict[str, str]:
    """Return the cookies of a request; the last of a name, as Django does."""
    sent = [value for name, value in scope["headers"] if name.lower() == b"cookie"]
    return parse_cookie(b"; ".join(sent).decode("latin-1")) if sent else {}


def find_language(cookie: str, header: str) -> str:
    """Return the language that Django would speak to a reader with this cookie and this Accept-Language."""
    request = HttpRequest()
    request.COOKIES = {settings.LANGUAGE_COOKIE_NAME: cookie}
    request.META["HTTP_ACCEPT_LANGUAGE"] = header
    return get_language_from_request(request)
