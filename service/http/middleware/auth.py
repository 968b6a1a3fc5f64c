"""The guard of questions and live games: API keys and quotas.

A caller is an app, by the name of its key; without one, an address. Without keys and quotas there is no guard. Calls on
a game need no key: an app has opened it with its own, and given the players their tokens.
"""

from collections.abc import Callable
from typing import Any, Final

from litestar.types import HTTPScope

from service.http.context import context_of
from service.http.middleware.api_keys import ApiKeys
from service.http.middleware.rate_limit import RateLimit
from service.http.problem_kinds import KEY_HEADER
from service.http.request import caller_of
from service.schemas.refusal import Refusal

_KEY_NAME: Final = KEY_HEADER.lower().encode()


class Auth:
    """The guard of requests: admits known callers, as long as their quota lasts.

    Shape: `keys` is None if no key is needed, `limit` None if there is no quota.
    """

    def __init__(self, keys: ApiKeys | None, limit: RateLimit | None) -> None:
        self._keys = keys
        self.limit = limit

    @property
    def admits_some(self) -> bool:
        """Return True if it does not admit everybody."""
        return self._keys is not None or self.limit is not None

    async def check(self, scope: HTTPScope, *, needs_key: bool) -> None:
        """Admit a request. One without a valid key counts for the quota of its address.

        Errors: Refusal, for a missing or unknown key, or a quota that is used up.
        """
        try:
            self._identify_app(scope, needs_key=needs_key)
        finally:
            if self.limit is not None and not context_of(scope).quota:  # the message that calls a tool counts already
                await self._consume_one(self.limit, scope)

    async def _consume_one(self, limit: RateLimit, scope: HTTPScope) -> None:
        result = await limit.try_consume(caller_of(scope))
        context_of(scope).quota = result.headers
        if result.retry_after:
            raise refuse_rate(result.retry_after)

    async def consume(self, scope: HTTPScope, count: Callable[[Any], int] | None, counted: object) -> None:
        """Consume of an admitted caller's quota what a body or an answer counts for beyond one request.

        Shape: the headers show what is left after it.
        """
        if self.limit is not None and count is not None and (more := count(counted)):
            context_of(scope).quota = (await self.limit.consume(caller_of(scope), more)).headers

    def _identify_app(self, scope: HTTPScope, *, needs_key: bool) -> None:
        """Note the name of the app in the context.

        Errors: Refusal, for a missing or unknown key.
        """
        if self._keys is None:
            return
        sent = context_of(scope).fields.get(_KEY_NAME)
        if sent is None and not needs_key:
            return
        if sent is None:
            raise Refusal("api_key_missing", f"Send the key of your app in the header {KEY_HEADER}.")
        name = self._keys.find(sent)  # of two keys none: it is not clear which of them counts
        if name is None:
            raise Refusal("unknown_api_key", f"No app has the key in the header {KEY_HEADER}.")
        context_of(scope).app = name


def refuse_rate(seconds: int) -> Refusal:
    """Refuse a caller whose quota is used up for some seconds."""
    return Refusal("too_many_requests", f"The quota is used up for now. Ask again in {seconds} s.", fact=seconds)
