"""A request as the function of an operation sees it: its facts, but not its body."""

from typing import Self

from litestar.types import HTTPScope
from msgspec import Struct

from service.http.address import base_of
from service.http.caller import caller_of
from service.http.context import context_of
from service.http.negotiation import Format


class ApiRequest(Struct, frozen=True, gc=False, kw_only=True):
    """A request: its id and caller, the format wanted for the answer, the bytes of its body, and its query as sent.

    Shape: `base` is the address at which the service was asked.
    """

    request_id: str
    base: str
    caller: str
    wanted: Format
    body_bytes: int
    query: bytes

    @classmethod
    def read(cls, scope: HTTPScope, wanted: Format) -> Self:
        """Read a request.

        Errors: Refusal, in types that read more of it.
        """
        context = context_of(scope)
        return cls(
            request_id=context.request_id,
            base=base_of(scope),
            caller=caller_of(scope),
            wanted=wanted,
            body_bytes=context.body_bytes,
            query=scope["query_string"],
        )
