"""The guard of questions and live games: API keys and quotas.

A caller is an app, by the name of its key; without one, an address. Without keys and quotas there is no guard. Calls on
a game need no key: its app opened it with a key, and gave the players their tokens.
"""

from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias

from service.http.context import RequestContext
from service.http.guards.api_keys import ApiKeys
from service.http.guards.rate_limit import RateLimit
from service.http.problem_kinds import KEY_HEADER
from service.http.request import caller_of
from service.schemas.refusal import Refusal

_KeyFault: TypeAlias = Literal["api_key_missing", "unknown_api_key"]
_KEY_NAME: Final = KEY_HEADER.lower().encode()
_KEY_FAULTS: Final[dict[_KeyFault, str]] = {
    "api_key_missing": f"Send the key of your app in the header {KEY_HEADER}.",
    "unknown_api_key": f"No app has the key in the header {KEY_HEADER}.",
}
"""The detail of each fault. Only the text is kept: a refusal kept and raised later would form a reference cycle with
its frame.
"""


class Auth:
    """The guard of requests: admits known callers, as long as their quota lasts.

    Shape: `keys` is None if no key is needed, `limit` None if there is no quota.
    """

    def __init__(self, keys: ApiKeys | None, limit: RateLimit | None) -> None:
        self.keys = keys
        self.limit = limit

    @property
    def is_restricted(self) -> bool:
        """Return True if it checks keys or quotas at all."""
        return self.keys is not None or self.limit is not None

    async def check(self, context: RequestContext, *, needs_key: bool) -> None:
        """Admit a request. Without a valid key it is charged to its address.

        Errors: Refusal, for a missing or unknown key, or a quota that is used up.
        """
        fault = self._identify_app(context, needs_key=needs_key)
        if self.limit is not None and not context.quota:  # the message that calls a tool is charged already
            result = await self.limit.try_consume(caller_of(context))
            context.quota = result.headers
            if result.retry_after:
                raise refuse_rate(result.retry_after)
        if fault is not None:
            raise Refusal(fault, _KEY_FAULTS[fault])

    def check_at_once(self, context: RequestContext, *, needs_key: bool) -> bool:
        """Admit a request, and return True. Return False, without a charge, if the store has to be asked.

        Errors: Refusal, for a missing or unknown key.
        """
        fault = self._identify_app(context, needs_key=needs_key)
        if self.limit is not None:
            quota = self.limit.try_consume_at_once(caller_of(context))
            if quota is None:
                return False
            context.quota = quota
        if fault is not None:
            raise Refusal(fault, _KEY_FAULTS[fault])
        return True

    async def consume(self, context: RequestContext, count: Callable[[Any], int] | None, counted: object) -> None:
        """Charge an admitted caller for a body or an answer that costs more than one request.

        Shape: the headers show the rest of the quota afterwards.
        """
        if self.limit is not None and count is not None and (more := count(counted)):
            context.quota = (await self.limit.consume(caller_of(context), more)).headers

    def _identify_app(self, context: RequestContext, *, needs_key: bool) -> _KeyFault | None:
        """Note the app's name in the context. Return the fault of its key, if there is one."""
        if self.keys is None:
            return None
        sent = context.fields.get(_KEY_NAME)
        if sent is None and not needs_key:
            return None
        if sent is None:
            return "api_key_missing"
        name = self.keys.find(sent)  # of two keys neither: it is not clear which one counts
        if name is None:
            return "unknown_api_key"
        context.app = name
        return None


def refuse_rate(seconds: int) -> Refusal:
    """Refuse a caller whose quota is used up; it may retry after some seconds."""
    return Refusal("too_many_requests", f"The quota is used up for now. Ask again in {seconds} s.", fact=seconds)
