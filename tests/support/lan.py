"""Requests over real connections from each of this machine's own addresses, as other machines of its network make."""

import socket
from contextlib import closing
from http.client import HTTPConnection

import psutil

from tests.support.live import Site
from tests.support.waiting import PATIENCE


def find_lan_addresses() -> list[str]:
    """Return the addresses by which this machine speaks to others."""
    families = [one for ones in psutil.net_if_addrs().values() for one in ones if one.family == socket.AF_INET]
    return [one.address for one in families if not one.address.startswith("127.")]


def ask_from(site: Site, path: str, source: str = "", **headers: str) -> int:
    """Ask over a real connection, from one of this machine's addresses. Return the answer's status."""
    at = (source, 0) if source else None
    with closing(HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE, source_address=at)) as connection:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        with connection.getresponse() as answer:
            return answer.status
