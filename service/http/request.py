"""A request as an operation's function sees it: its facts without its body.

Its caller is an app, by the name of its API key; without keys an address.
"""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from msgspec import Struct

from service.http.context import RequestContext
from service.http.negotiation import Format
from service.schemas.ids import Caller, app_of

_SUBSCRIBER_BITS: Final = 64
"""The prefix of an IPv6 address that its subscriber cannot choose, in bits."""


class ApiRequest(Struct, frozen=True):
    """A request: its facts, and the format of its answer. Subclasses have its parameters, by their `field`."""

    context: RequestContext
    wanted: Format

    @property
    def caller(self) -> Caller:
        """Return the name of the caller."""
        return caller_of(self.context)


def caller_of(context: RequestContext) -> Caller:
    """Return the name of the caller: `key/` and the name of the app, or `address/` and the address."""
    return app_of(context.app) if context.app else caller_at(context.client)


def caller_at(address: str) -> Caller:
    """Return the name of a caller without a key, by its address."""
    return Caller(f"address/{_subscriber(address)}")


@lru_cache(maxsize=4096)
def _subscriber(host: str) -> str:
    """Return the part of an address that names a subscriber: the network of an IPv6 address."""
    try:
        address = ip_address(host)
    except ValueError:
        return "none"  # no address: a Unix socket, or another text from a trusted proxy
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address), _SUBSCRIBER_BITS), strict=False))
