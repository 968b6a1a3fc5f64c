"""Who asks, and how much: the guard of questions and live games, by the keys of apps and by quotas.

A caller is an app, by the name of its key; without keys, an address. Without keys and rates there is no guard at all.
"""

from functools import lru_cache, partial
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from litestar.types import HTTPScope, Scope

from service.http.context import RequestContext, context_of
from service.http.middleware.api_keys import ApiKeys
from service.http.middleware.rate_limit import RateLimit, Standing
from service.http.problems import KEY_HEADER
from service.wire.refusal import Refusal

_KEY_NAME: Final = KEY_HEADER.lower().encode()
_ONE_SUBSCRIBER: Final = 64
"""Of an IPv6 address, the bits that one subscriber cannot choose."""


class Auth:
    """The guard of requests: lets in whom it knows, as long as the quota lasts."""

    def __init__(self, keys: ApiKeys | None, limit: RateLimit | None) -> None:
        self._keys = keys
        self._limit = limit

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to guard."""
        return self._keys is not None or self._limit is not None

    async def __call__(self, scope: HTTPScope) -> None:
        """Let a request in; one without a right key is counted, too, by its address.

        Errors: Refusal, for a missing or unknown key, or a quota that is spent.
        """
        caller, refusal = self._recognize(scope)
        if self._limit is not None:
            await self._charge(self._limit, caller, context_of(scope))
        if refusal is not None:
            raise refusal

    async def _charge(self, limit: RateLimit, caller: str, context: RequestContext) -> None:
        standing = await limit.admit(caller)
        if standing is None:
            return
        context.headers += standing.headers
        if not standing.admitted:
            detail = "The quota is spent for now. Ask again after the seconds in Retry-After."
            raise Refusal("too_many_requests", detail)
        context.charge = partial(_charge_more, limit, caller, context, standing)

    def _recognize(self, scope: HTTPScope) -> tuple[str, Refusal | None]:
        """Return who asks, and why it may not; None if it may."""
        if self._keys is None:
            return _address(scope), None
        sent = [value for name, value in scope["headers"] if name == _KEY_NAME]
        if not sent:
            return _address(scope), Refusal("api_key_missing", f"Send the key of your app in the header {KEY_HEADER}.")
        # A key that is sent twice is no key: which of the two would count?
        name = self._keys.find(b",".join(sent))
        if name is None:
            return _address(scope), Refusal("unknown_api_key", f"No app has the key in the header {KEY_HEADER}.")
        return f"key/{name}", None


async def _charge_more(
    limit: RateLimit, caller: str, context: RequestContext, standing: Standing, requests: int
) -> None:
    """Charge a caller for more requests than the one that was let in, and show what is left after them."""
    after = await limit.charge_more(caller, requests)
    if after is not None:
        context.headers = [header for header in context.headers if header not in standing.headers]
        context.headers += after.headers


def _address(scope: Scope) -> str:
    client = scope["client"]
    return "address/" + (_subscriber(client[0]) if client else "none")


@lru_cache(maxsize=4096)
def _subscriber(host: str) -> str:
    """Return the part of an address that names who has it; of IPv6 that is a network, as each has one to itself."""
    try:
        address = ip_address(host)
    except ValueError:
        return "none"  # a socket of the machine, or what a trusted proxy wrote in place of an address
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address), _ONE_SUBSCRIBER), strict=False))
