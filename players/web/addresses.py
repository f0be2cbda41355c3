"""Addresses: where a request comes from, and links that others can open too."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from players.addresses import is_this_machine


def read_client_address(request: HttpRequest) -> str:
    """Return the address the request comes from; the server has set it, from a proxy's header where it trusts one."""
    return request.META.get("REMOTE_ADDR") or ""


def is_from_network(request: HttpRequest) -> bool:
    """Tell if another machine asks, of a network to which the site is shown on plain http (O9)."""
    return settings.PLAIN_NETWORK and not is_this_machine(read_client_address(request), request.headers)


def is_own_page(address: str) -> bool:
    """Tell whether this is a whole path of the site, without its name: what a link may bring back to."""
    return address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)


def is_loopback(host: str) -> bool:
    """Tell if a host, with or without a port, is this machine's own loopback."""
    name = (urlsplit(f"//{host}").hostname or "").lower()
    return name in ("localhost", "::1") or name.startswith("127.")


def make_address(request: HttpRequest, path: str) -> str:
    """Return the whole address of a path, which others can open too.

    Read on the machine that serves the network (O9), it isn't the loopback, which leads every telephone to itself.
    """
    if is_loopback(request.get_host()) and not is_loopback(urlsplit(settings.SITE_URL).netloc):
        return f"{settings.SITE_URL}{path}"
    return request.build_absolute_uri(path)
