"""What this service knows of one request, in one typed object that travels with it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct, field

from service.wire.refusal import ProblemCode

Headers: TypeAlias = tuple[tuple[bytes, bytes], ...]
"""Header names in lower case, with their values."""
NO_ROUTE: Final = "none"
"""The route of requests that no route is meant for, so that stray paths make no new series."""
CONTEXT: Final = "context"
"""The key of the context in the state of a scope."""


class RequestContext(Struct):
    """The facts of one request: set as it is read and answered, counted and logged when it ends.

    Shape: `route` is the template of the path; `question` the decoded body and `answer` what the handler made of it,
    each None until then; `problem` the code with which it was refused; `headers` go with the answer, whatever it is;
    `charge` takes more requests off the caller's quota, None where there is no quota.
    """

    request_id: str
    trace_id: str
    route: str = NO_ROUTE
    body_bytes: int = 0
    question: object = None
    answer: object = None
    problem: ProblemCode | None = None
    headers: list[tuple[bytes, bytes]] = field(default_factory=list[tuple[bytes, bytes]])
    charge: Callable[[int], Awaitable[None]] | None = None


def context_of(scope: Mapping[str, Any]) -> RequestContext:
    """Return the context of a request; a new one where nothing has made it, as on a port of the metrics' own."""
    state: dict[str, Any] = scope["state"]
    context: RequestContext | None = state.get(CONTEXT)
    if context is None:
        context = state[CONTEXT] = RequestContext("", "")
    return context


def route_of(scope: Mapping[str, Any]) -> str:
    """Return the template of a request's path: what its endpoint has set, or the framework."""
    route = context_of(scope).route
    found: str = scope.get("path_template", NO_ROUTE) if route is NO_ROUTE else route
    return found


def log_names(scope: Mapping[str, Any]) -> dict[str, str]:
    """Name a request for the log; its path may hold an id, so only the route is named."""
    context = context_of(scope)
    return {
        "request_id": context.request_id,
        "trace_id": context.trace_id,
        "route": route_of(scope),
        "method": scope["method"],
    }
