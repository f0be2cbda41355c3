"""Requests that go out to addresses people give: webhooks, pushed notices. No other code of the site makes any.

https alone. The name is resolved once, and the connection goes to an address that was checked: a name that leads
elsewhere the next time changes nothing. Addresses of the machine and of networks of its own are refused, in whatever
clothes they come. No redirect is followed; time and length of the answer are limited, all of it together.
"""

import http.client
import io
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from queue import Empty, Queue
from typing import Any, cast
from urllib.parse import urlsplit

from django.conf import settings

from players import caps

CODES = frozenset(
    {
        "malformed",  # no address of a server, or one with a name and password in it
        "not_https",
        "wrong_port",  # who may name any would have the site try the doors of others
        "unknown_name",
        "inside",  # it leads to this machine or to a network that is somebody's own
        "no_answer",
        "no_tls",  # the server has no certificate for that name that this machine trusts
        "too_late",
        "too_long",
        "not_http",
        "redirected",
    }
)
HTTPS_PORT = 443
PORTS = (HTTPS_PORT, 8443)
UNICAST = ip_network("2000::/3")  # what of IPv6 is given out for the whole internet
CARRIERS = (ip_network("2001::/32"), ip_network("2002::/16"))  # Teredo and 6to4 have an IPv4 address in them
LOOK_UP_SECONDS = 2.0  # for a form, whose reader waits

Resolver = Callable[[str, int, float], Sequence[str]]
"""Gives the addresses of a name, for that port, within so many seconds."""


class OutgoingRefused(Exception):
    """A request that wasn't made, or an answer that won't do. ``code`` is one of CODES."""

    def __init__(self, code: str) -> None:
        if code not in CODES:
            raise ValueError(f"not a code of outgoing requests: {code}")
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class OutgoingAnswer:
    """The answer of a server out there: its status and its body."""

    status: int
    body: bytes


@dataclass(frozen=True, slots=True)
class _Target:
    """Destination of a request: the name of the server, its port, and the path with its query."""

    host: str
    port: int
    path: str


def send_request(
    url: str,
    *,
    body: bytes,
    headers: Mapping[str, str],
    resolve: Resolver | None = None,
    seconds: float | None = None,
) -> OutgoingAnswer:
    """Post ``body`` to an address. Return the answer, whatever its status; OutgoingRefused where there is none.

    ``seconds``: the time for all of it, where that is less than for any request (``players.caps``).
    """
    deadline = time.monotonic() + (caps.OUTGOING_SECONDS if seconds is None else seconds)
    target = _read_target(url)
    addresses = _find_addresses(target, resolve or resolve_name, _count_left(deadline))
    try:
        with _connect(target, addresses, deadline) as line:
            connection = http.client.HTTPSConnection(target.host, target.port)
            connection.sock = line
            sent = {"User-Agent": "Smazzata", "Connection": "close", **headers}
            line.settimeout(_count_left(deadline))
            connection.request("POST", target.path, body, sent)
            return _read_answer(line, deadline)
    except TimeoutError:
        raise OutgoingRefused("too_late") from None
    except ssl.SSLError:
        raise OutgoingRefused("no_tls") from None
    except http.client.HTTPException:
        raise OutgoingRefused("not_http") from None
    except OSError:
        raise OutgoingRefused("no_answer") from None


def check_address(url: str, *, resolve: Resolver | None = None) -> None:
    """Raise OutgoingRefused where a request to this address would be refused before it is made."""
    _find_addresses(_read_target(url), resolve or resolve_name, LOOK_UP_SECONDS)


def is_public(text: str) -> bool:
    """Tell if an address is one of the internet, and carries none that isn't."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        return address.is_global and address in UNICAST and not any(address in carrier for carrier in CARRIERS)
    return address.is_global and not address.is_multicast


def resolve_name(host: str, port: int, seconds: float) -> Sequence[str]:
    """Return the addresses of a name: none if it has none, or if nobody knew in time."""
    answers: Queue[list[str]] = Queue(1)
    threading.Thread(target=lambda: answers.put(_look_up(host, port)), name="resolver", daemon=True).start()
    try:
        return answers.get(timeout=seconds)
    except Empty:
        return []


def _look_up(host: str, port: int) -> list[str]:
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [str(row[4][0]) for row in rows]


def _read_target(url: str) -> _Target:
    if not re.fullmatch(r"[!-~]+", url):
        raise OutgoingRefused("malformed")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise OutgoingRefused("malformed") from None
    if parts.scheme != "https":
        raise OutgoingRefused("not_https")
    if not host or port == 0 or "@" in parts.netloc or parts.fragment:
        raise OutgoingRefused("malformed")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return _Target(host, port or HTTPS_PORT, path)


def _find_addresses(target: _Target, resolve: Resolver, seconds: float) -> Sequence[str]:
    """Return the addresses of a server, in the order they are tried: all of them are public, or it is refused."""
    if not settings.OUTGOING_OPEN and target.port not in PORTS:
        raise OutgoingRefused("wrong_port")
    addresses = resolve(target.host, target.port, seconds)
    if not addresses:
        raise OutgoingRefused("unknown_name")
    if not settings.OUTGOING_OPEN and not all(map(is_public, addresses)):
        raise OutgoingRefused("inside")
    return addresses


def _count_left(deadline: float) -> float:
    """Return the seconds until the deadline. TimeoutError if it is past."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _connect(target: _Target, addresses: Sequence[str], deadline: float) -> ssl.SSLSocket:
    """Connect to the first of these addresses that listens; the certificate is asked of the name."""
    for address in addresses:
        try:
            line = socket.create_connection((address, target.port), timeout=_count_left(deadline))
        except OSError:
            continue
        try:
            line.settimeout(_count_left(deadline))
            return ssl.create_default_context().wrap_socket(line, server_hostname=target.host)
        except BaseException:
            line.close()
            raise
    _count_left(deadline)
    raise OutgoingRefused("no_answer")


def _read_answer(line: ssl.SSLSocket, deadline: float) -> OutgoingAnswer:
    """Read an answer. No more is asked for than the limit, whatever length the server tells."""
    stream = cast(socket.socket, _AnswerStream(line, deadline))
    with closing(http.client.HTTPResponse(stream, method="POST")) as answer:
        try:
            answer.begin()
            if 300 <= answer.status < 400:
                raise OutgoingRefused("redirected")
            if answer.length is not None and answer.length > caps.OUTGOING_BYTES:
                raise OutgoingRefused("too_long")
            body = answer.read(caps.OUTGOING_BYTES)
        except (ValueError, OverflowError):  # sizes of chunks that are none
            raise OutgoingRefused("not_http") from None
        if answer.length:  # that much is missing
            raise OutgoingRefused("not_http")
        return OutgoingAnswer(answer.status, body)


class _AnswerStream(io.RawIOBase):
    """Stream of a server's answer, as ``http.client`` reads it: no later than the deadline, no more than the limit."""

    def __init__(self, line: ssl.SSLSocket, deadline: float) -> None:
        self._line, self._deadline, self._left = line, deadline, caps.OUTGOING_BYTES

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._line.settimeout(_count_left(self._deadline))
        count = self._line.recv_into(buffer)
        self._left -= count
        if self._left < 0:
            raise OutgoingRefused("too_long")
        return count
