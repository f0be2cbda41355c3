"""Network addresses of visitors: what a server says of who asks, made sure of, and what counts as one address."""

from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address, ip_network

NOBODY = "0.0.0.0"  # noqa: S104 whose address isn't known: all of them count as one
OWN_PREFIX = 64  # bits of an IPv6 address that a household has; it changes the others as it likes


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
    """Return what an address is counted under: itself, of IPv6 its /64."""
    address = ip_address(clean_address(text))
    return str(address) if address.version == 4 else str(ip_network((address, OWN_PREFIX), strict=False))


def is_proxy(text: str, proxies: Iterable[str]) -> bool:
    """Tell if an address is one of these proxies (or networks of them), whose connections carry everybody's requests.

    What is no address is a Unix socket, by which only a proxy speaks.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return True
    return any(address in ip_network(proxy, strict=False) for proxy in proxies if proxy != "*")
