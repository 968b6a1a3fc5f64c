"""The request id and the trace id: from the request's headers, else new."""

import re
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from litestar.types import HTTPScope

from service.http.context import CONTEXT, RequestContext, read_fields

_ID: Final = re.compile(rb"[A-Za-z0-9._~+/=:-]{1,128}").fullmatch
_TRACE: Final = re.compile(
    rb"(?:00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
    rb"|(?!00|ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?)"
).fullmatch
"""The header traceparent. Source: W3C Trace Context, 3.2 and 4.3."""
_random: Final = Random()  # noqa: S311 – an id must be unique, not secret


def identify_request(scope: HTTPScope) -> RequestContext:
    """Make the context of an ASGI request, and keep it in its scope."""
    client, state = scope["client"], scope["state"]
    headers: Any = scope["headers"]
    context = make_context(scope["method"], headers, client[0] if client else "", scope["scheme"])
    state[CONTEXT] = context
    return context


def make_context(method: str, headers: Sequence[tuple[bytes, bytes]], client: str, scheme: str) -> RequestContext:
    """Make the context of a request; its id is among the headers of the answer."""
    fields = read_fields(headers)
    given = _ID(fields[b"x-request-id"]) if b"x-request-id" in fields else None
    trace = _TRACE(fields[b"traceparent"]) if b"traceparent" in fields else None
    made = _draw()
    request_id = given[0].decode() if given else _write_uuid(made)
    trace_id = trace[0][3:35].decode() if trace else made
    context = RequestContext(request_id, trace_id, fields, method, client=client, scheme=scheme)
    context.headers.append((b"x-request-id", request_id.encode()))
    return context


def new_request_id() -> str:
    """Return a new id for a request."""
    return _write_uuid(_draw())


def _draw() -> str:
    return _random.randbytes(16).hex()


def _write_uuid(digits: str) -> str:
    """Write random digits as a UUID of version 4; Python's class is many times slower."""
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"
