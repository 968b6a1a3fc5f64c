"""The declaration of an operation: a route handler of the framework, and what is particular to this service.

An operation is declared once, by a decorator of Litestar's over a typed function, beside the types that it takes and
gives. What Litestar has no word for stands in the handler's `opt`, as keyword arguments of the decorator: `problems`,
the codes with which it may refuse; `fast`, whether the fast lane serves it; `guarded`, whether keys and quotas apply.
"""

from functools import partial
from typing import Final

from litestar import HttpMethod, post, route

from service.wire.refusal import ProblemCode

READ: Final[tuple[ProblemCode, ...]] = (
    "malformed_body",
    "invalid_body",
    "not_acceptable",
    "body_too_large",
    "body_too_slow",
    "unsupported_media_type",
)
"""What every operation that reads a body may refuse."""
ADMIT: Final[tuple[ProblemCode, ...]] = (
    *READ,
    "unknown_ruleset",
    "impossible_ruleset",
    "players_not_in_ruleset",
    "impossible_state",
)
"""What every operation that admits a state may refuse."""

MALFORMED: Final[tuple[ProblemCode, ...]] = ("malformed_request",)
"""What the framework may refuse of every request that it reads."""

question: Final = partial(
    post, status_code=200, sync_to_thread=False, tags=["Questions"], fast=True, guarded=True, negotiated=True
)
"""The decorator of a question: `post`, answered with 200 from the request alone."""
read: Final = partial(
    route,
    http_method=[HttpMethod.GET, HttpMethod.HEAD],
    sync_to_thread=False,
    fast=False,
    guarded=False,
    negotiated=False,
)
"""The decorator of what is read from the framework's lane, with GET or HEAD."""
