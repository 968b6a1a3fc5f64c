"""The caller of a request: an app, by the name of its API key; without keys an address."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from litestar.types import Scope

from service.http.context import context_of

_SUBSCRIBER_BITS: Final = 64
"""The first bits of an IPv6 address, which its subscriber cannot choose."""


def caller_of(scope: Scope) -> str:
    """Return the name of the caller: `key/` and the name of the app, or `address/` and the address."""
    app = context_of(scope).app
    return f"key/{app}" if app else name_address(scope)


def name_address(scope: Scope) -> str:
    """Return the name of a caller who is known only by the address."""
    client = scope["client"]
    return "address/" + (_subscriber(client[0]) if client else "none")


@lru_cache(maxsize=4096)
def _subscriber(host: str) -> str:
    """Return the part of an address that names a subscriber: of an IPv6 address its network."""
    try:
        address = ip_address(host)
    except ValueError:
        return "none"  # a Unix socket, or something else that a trusted proxy has sent as an address
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address), _SUBSCRIBER_BITS), strict=False))
