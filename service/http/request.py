"""A request as the function of an operation sees it: its facts, but not its body."""

from typing import Self

from litestar.types import HTTPScope
from msgspec import Struct

from service.http.caller import caller_of
from service.http.context import context_of
from service.http.negotiation import Format


class ApiRequest(Struct, frozen=True, gc=False, kw_only=True):
    """A request: its caller, the format that is wanted for the answer, the bytes of its body, and its query as sent."""

    caller: str
    wanted: Format
    body_bytes: int
    query: bytes

    @classmethod
    def read(cls, scope: HTTPScope, wanted: Format) -> Self:
        """Read a request.

        Errors: Refusal, in types that read more of it.
        """
        return cls(
            caller=caller_of(scope),
            wanted=wanted,
            body_bytes=context_of(scope).body_bytes,
            query=scope["query_string"],
        )
