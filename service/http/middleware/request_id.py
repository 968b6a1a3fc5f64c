"""What is seen of every request from outside: its id, its trace, and the line that is logged of it."""

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from litestar.types import HTTPScope

from service.http.readiness import Stop

_ID: Final = re.compile(rb"[A-Za-z0-9._~+/=:-]{1,128}").fullmatch
_TRACE: Final = re.compile(
    rb"(?:00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
    rb"|(?!00|ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?)"
).fullmatch
"""The header traceparent. Source: W3C Trace Context, 3.2 and 4.3."""
_CLOSE: Final = (b"connection", b"close")
_chance: Final = Random()  # noqa: S311 – ids are to differ, not to be secret


class Access:
    """Names every request, and logs it when it is answered.

    Shape: a request keeps its id and its trace in the `state` of its scope, as `request_id` and `trace_id`.
    """

    def __init__(self, stop: Stop, log: Callable[[Mapping[str, Any], int, float], None] | None) -> None:
        self._stop = stop
        self._log = log

    def begin(self, scope: HTTPScope) -> tuple[tuple[bytes, bytes], ...]:
        """Name a request; tell the headers that go with its answer."""
        given = trace = None
        for name, value in scope["headers"]:
            if name == b"x-request-id":
                given = _ID(value)
            elif name == b"traceparent":
                trace = _TRACE(value)
        made = b"%032x" % _chance.getrandbits(128)
        request_id = given[0] if given else made
        state = scope["state"]
        state["request_id"] = request_id.decode()
        if "trace_id" not in state:  # where the traces of OpenTelemetry are on, they have named it already
            state["trace_id"] = (trace[0][3:35] if trace else made).decode()
        # A balancer gives up its connections while it can still be told to.
        return ((b"x-request-id", request_id), _CLOSE) if self._stop.draining else ((b"x-request-id", request_id),)

    def end(self, scope: HTTPScope, status: int, seconds: float) -> None:
        """Log a request that is answered."""
        if self._log is not None:
            self._log(scope, status, seconds)
