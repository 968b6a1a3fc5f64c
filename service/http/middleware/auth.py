"""The guard of questions and live games: API keys and quotas.

A caller is an app, by the name of its key; without one, an address. Without keys and quotas there is no guard. Calls on
a game need no key: an app has opened it with its own, and given the players their tokens.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from litestar.handlers import HTTPRouteHandler
from litestar.types import HTTPScope

from service.http.caller import caller_of
from service.http.context import RequestContext, context_of
from service.http.middleware.api_keys import ApiKeys
from service.http.middleware.rate_limit import RateLimit
from service.http.problem_kinds import KEY_HEADER
from service.wire.refusal import Refusal

_KEY_NAME: Final = KEY_HEADER.lower().encode()


class Auth:
    """The guard of requests: admits known callers, as long as their quota lasts.

    Shape: `keys` is None if no key is needed, `limit` None if there is no quota.
    """

    def __init__(self, keys: ApiKeys | None, limit: RateLimit | None) -> None:
        self._keys = keys
        self.limit = limit

    def guard_of(self, handler: HTTPRouteHandler) -> Callable[[HTTPScope], Awaitable[None]] | None:
        """Return the guard of an operation. Return None if it admits every request."""
        if not handler.opt.get("guarded") or (self._keys is None and self.limit is None):
            return None
        return partial(self._admit, needs_key=not handler.opt.get("bearer"))

    async def _admit(self, scope: HTTPScope, *, needs_key: bool) -> None:
        """Admit a request. One without a valid key counts for the quota of its address.

        Errors: Refusal, for a missing or unknown key, or a quota that is used up.
        """
        try:
            self._identify_app(scope, needs_key=needs_key)
        finally:
            if self.limit is not None:
                await self._charge(self.limit, caller_of(scope), context_of(scope))

    async def _charge(self, limit: RateLimit, caller: str, context: RequestContext) -> None:
        standing = await limit.admit(caller)
        if standing is None:
            return
        context.quota = standing.headers
        if standing.wait:
            raise refuse_rate(standing.wait)
        context.charge = partial(_charge_more, limit, caller)

    def _identify_app(self, scope: HTTPScope, *, needs_key: bool) -> None:
        """Note the name of the app in the context.

        Errors: Refusal, for a missing or unknown key.
        """
        if self._keys is None:
            return
        sent = [value for name, value in scope["headers"] if name == _KEY_NAME]
        if not sent and not needs_key:
            return
        if not sent:
            raise Refusal("api_key_missing", f"Send the key of your app in the header {KEY_HEADER}.")
        # Two keys are refused: it is not clear which of them counts.
        name = self._keys.find(b",".join(sent))
        if name is None:
            raise Refusal("unknown_api_key", f"No app has the key in the header {KEY_HEADER}.")
        context_of(scope).app = name


def refuse_rate(seconds: int) -> Refusal:
    """Refuse a caller whose quota is used up, for so many seconds."""
    return Refusal("too_many_requests", f"The quota is used up for now. Ask again in {seconds} s.", fact=seconds)


async def _charge_more(limit: RateLimit, caller: str, context: RequestContext, requests: int) -> None:
    """Charge an admitted caller for more requests, and show in the headers what is left of the quota after them."""
    after = await limit.charge_more(caller, requests)
    if after is not None:
        context.quota = after.headers
