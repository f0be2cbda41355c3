"""Check that a socket was opened by one of our own pages.

Channels' own validator accepts any port of an allowed host, and reads the settings when it is imported. Here scheme,
host and port of Origin must be those of the request itself.
"""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host

PORTS = {"http": 80, "https": 443}


Scope = dict[str, Any]  # of ASGI


def _read_header(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str | None:
    values = [value for key, value in headers if key.lower() == name]
    if len(values) != 1:
        return None
    return values[0].decode("latin-1")


def _read_scheme(scope: Scope) -> str:
    """Return http or https as the browser sees it. A proxy that ends TLS sets the header named in the settings."""
    if settings.SECURE_PROXY_SSL_HEADER:
        name, secure = settings.SECURE_PROXY_SSL_HEADER
        header = name.removeprefix("HTTP_").replace("_", "-").lower().encode()
        forwarded = _read_header(scope["headers"], header)
        if forwarded is not None:
            return "https" if forwarded.split(",", 1)[0].strip() == secure else "http"
    return "https" if scope.get("scheme") in {"wss", "https"} else "http"


def _is_host_allowed(domain: str) -> bool:
    allowed = settings.ALLOWED_HOSTS
    if settings.DEBUG and not allowed:
        allowed = [".localhost", "127.0.0.1", "[::1]"]
    return bool(domain) and validate_host(domain, allowed)


def is_same_origin(scope: Scope) -> bool:
    """Return whether Origin is the very scheme, host and port in Host, and Host is ours; False without an Origin."""
    origin = _read_header(scope["headers"], b"origin")
    host = _read_header(scope["headers"], b"host")
    if origin is None or host is None:
        return False
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    domain, _ = split_domain_port(host)
    if not _is_host_allowed(domain):
        return False
    scheme = _read_scheme(scope)
    try:
        claimed, meant = urlsplit(origin), urlsplit(f"{scheme}://{host}")
        if claimed.path or claimed.query or claimed.fragment or claimed.username or claimed.password:
            return False
        return (claimed.scheme, claimed.hostname, claimed.port or PORTS.get(claimed.scheme)) == (
            scheme,
            meant.hostname,
            meant.port or PORTS[scheme],
        )
    except ValueError:  # a port that is no number
        return False
