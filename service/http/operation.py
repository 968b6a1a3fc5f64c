"""The declaration of an operation: a route handler of Litestar, with the options that this service adds.

An operation is declared once, by a decorator over a typed function, beside the types that it takes and gives. Further
keyword arguments of the decorator become the `opt` of the handler:
- `problems`: the codes of the problems that it may answer with;
- `fast`: True if the fast lane serves it;
- `guarded`: True if API keys and quotas apply;
- `bare`: True if a request may have no body, which counts as an empty object;
- `negotiated`: True if it reads a body and answers in the format that the caller wants;
- `private`: True if only the caller may see the answer; `bearer`: "required" or "optional" if it takes a token, so that
  it needs no API key;
- `public`: True if any cache may keep the answer for a while;
- `body_bytes`: the bytes that its body may have, if that is less than any body may have;
- `pieces`: a generator function that does the work of the handler in pieces, for bodies that are not light;
- `leaving`: True if its work ends when the client leaves;
- `cached`: True if it has an ETag and may answer 304;
- `needs`, `accepts`, `sends`: names of its further headers, those that a request must and may have among them;
- `data`: the type of the JSON that it can answer instead of a page;
- `text`: the media type of texts that it takes besides JSON and MessagePack, if there is one;
- `text_form`: the form of texts with which it can answer besides, if there is one;
- `answer`, `also`, `decoder`: the type of the answer, further answers by status, the decoder of the body, if they do
  not follow from the types of the function.
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
    "too_busy",
    "unsupported_media_type",
)
"""The problems of every operation that reads a body."""
ADMIT: Final[tuple[ProblemCode, ...]] = (
    *READ,
    "malformed_notation",
    "unknown_ruleset",
    "impossible_ruleset",
    "players_not_in_ruleset",
    "impossible_state",
)
"""The problems of every operation that admits a state."""
MALFORMED: Final[tuple[ProblemCode, ...]] = ("malformed_request",)
"""The problem of every request that the framework reads."""

BODY_BYTES: Final = 64 * 1024
"""Bytes of a body with one state, whose rules may be a whole ruleset."""
RECORD_BYTES: Final = 512 * 1024
"""Bytes of a body with a record of the most deals there can be."""
question: Final = partial(
    post,
    status_code=200,
    sync_to_thread=False,
    tags=["Questions"],
    fast=True,
    guarded=True,
    negotiated=True,
    body_bytes=BODY_BYTES,
)
"""The decorator of a question: a POST, answered with status 200 from the request alone."""
LOOK_UP: Final[tuple[ProblemCode, ...]] = (
    "not_acceptable",
    "body_too_large",
    "body_too_slow",
    "too_busy",
    "unsupported_media_type",
    "not_found",
    "malformed_notation",
    "unknown_ruleset",
    "players_not_in_ruleset",
    "impossible_state",
)
"""The problems of every question that is asked by a notation in the path."""

look_up: Final = partial(
    route,
    http_method=[HttpMethod.GET, HttpMethod.HEAD],
    sync_to_thread=False,
    tags=["Questions"],
    fast=True,
    guarded=True,
    negotiated=True,
    cached=True,
    public=True,
)
"""The decorator of a question about the notation in its path: with GET or HEAD, so that caches can answer it."""
read: Final = partial(
    route,
    http_method=[HttpMethod.GET, HttpMethod.HEAD],
    sync_to_thread=False,
    fast=False,
    guarded=False,
    negotiated=False,
)
"""The decorator of an operation that is served by the framework, with GET or HEAD."""
