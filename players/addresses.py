"""Network addresses of visitors: what a server says of whoever asks, made sure of, and what counts as one address."""

import hashlib
from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings

from players import caps

FORWARDING = frozenset({"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"})  # headers of proxies
NOBODY = "0.0.0.0"  # noqa: S104 whose address isn't known: all of them count as one


def clean_address(text: str) -> str:
    """Return the address as databases take it; NOBODY for what isn't one, as a proxy in between may send."""
    try:
        address = ip_address(text.strip().partition("%")[0])
    except ValueError:
        return NOBODY
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(address)


def name_household(text: str) -> str:
    """Return what an address is counted under: itself, of IPv6 its first bits."""
    address = ip_address(clean_address(text))
    return str(address) if address.version == 4 else str(ip_network((address, caps.IPV6_PREFIX_BITS), strict=False))


def compute_address_digest(address: str) -> str:
    """Return a digest of what an address is counted under; the address itself is never kept."""
    key = settings.SECRET_KEY.encode()[:64]
    return hashlib.blake2b(name_household(address).encode(), key=key, digest_size=24).hexdigest()


def is_this_machine(address: str, headers: Iterable[str]) -> bool:
    """Tell if a request was made on the machine that serves it: over its loopback, and handed on by no proxy.

    Names are forged easily (``Host: localhost``), so they aren't asked.
    """
    handed_on = not FORWARDING.isdisjoint(name.lower() for name in headers)
    return ip_address(clean_address(address)).is_loopback and not handed_on


def is_proxy(text: str, proxies: Iterable[str]) -> bool:
    """Tell if an address is one of these proxies (or networks of them), whose connections carry everybody's requests.

    What is no address is a Unix socket, by which only a proxy speaks.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return True
    return any(address in ip_network(proxy, strict=False) for proxy in proxies if proxy != "*")
