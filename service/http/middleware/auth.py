"""The guard before questions and live games: which app asks, and how much it may.

A caller is an app, by the name of its key; without keys, an address. Without keys and rates there is no guard at all.
"""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from litestar.types import HTTPScope, Message, Receive, Send

from service.api.batches import questions_asked
from service.http.endpoint import send_refusal
from service.http.game_endpoint import HTTPHandler
from service.http.middleware.api_keys import ApiKeys
from service.http.middleware.rate_limit import RateLimit, Standing
from service.http.problems import Refusal

KEY_HEADER: Final = "X-API-Key"
_KEY_NAME: Final = KEY_HEADER.lower().encode()
_CHALLENGE: Final = ((b"www-authenticate", f'ApiKey header="{KEY_HEADER}"'.encode()),)
_ONE_SUBSCRIBER: Final = 64
"""Of an IPv6 address, the bits that one subscriber cannot choose."""


class Guard:
    """What every request to a guarded resource must pass."""

    def __init__(self, keys: ApiKeys | None, limit: RateLimit | None) -> None:
        self._keys = keys
        self._limit = limit

    def before(self, handler: HTTPHandler) -> HTTPHandler:
        """Stand before a handler, if there is anything to guard."""
        return handler if self._keys is None and self._limit is None else _Guarded(handler, self._keys, self._limit)


class _Guarded:
    """An ASGI handler that lets in whom it knows, as long as its quota lasts."""

    def __init__(self, handler: HTTPHandler, keys: ApiKeys | None, limit: RateLimit | None) -> None:
        self._handler = handler
        self._keys = keys
        self._limit = limit

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it; one without a right key is counted, too, by its address."""
        caller, refusal = self._recognize(scope)
        if self._limit is not None:
            standing = await self._limit.admit(caller)
            if standing is not None:
                if not standing.admitted:
                    await send_refusal(_too_many(), scope, send, standing.headers)
                    return
                send = _telling(send, scope, caller, self._limit, standing)
        if refusal is not None:
            await send_refusal(refusal, scope, send, _CHALLENGE)
        else:
            await self._handler(scope, receive, send)

    def _recognize(self, scope: HTTPScope) -> tuple[str, Refusal | None]:
        """Tell who asks, and why it may not."""
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


def _too_many() -> Refusal:
    return Refusal("too_many_requests", "The quota is spent for now. Ask again after the seconds in Retry-After.")


def _telling(send: Send, scope: HTTPScope, caller: str, limit: RateLimit, standing: Standing) -> Send:
    """Tell the caller with its answer what is left to it; what the answer has counted beyond one is charged first."""

    async def telling_send(message: Message) -> None:
        if message["type"] == "http.response.start":
            told = standing
            if more := questions_asked(scope) - 1:
                told = await limit.charge_more(caller, more) or standing
            message["headers"] = [*message["headers"], *told.headers]
        await send(message)

    return telling_send


def _address(scope: HTTPScope) -> str:
    client = scope["client"]
    return "address/" + (_subscriber(client[0]) if client else "none")


@lru_cache(maxsize=4096)
def _subscriber(host: str) -> str:
    """Tell the part of an address that names who has it; of IPv6 that is a network, as each has one to itself."""
    try:
        address = ip_address(host)
    except ValueError:
        return "none"  # a socket of the machine, or what a trusted proxy wrote in place of an address
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address), _ONE_SUBSCRIBER), strict=False))
