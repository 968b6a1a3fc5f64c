"""Faults of a request as they go over the wire, each with a JSON Pointer to its place."""

from typing import Annotated

from msgspec import Meta, Struct

from service.faults import FaultCode


class Error(Struct, frozen=True, gc=False):
    """One fault of a request, and where it is."""

    pointer: Annotated[str, Meta(description="JSON Pointer into the request.")]
    code: Annotated[str, Meta(description="A stable code of the fault.")]
    detail: str


class StateError(Struct, frozen=True, gc=False):
    """One fault of a state, and where it is."""

    pointer: Annotated[str, Meta(description="JSON Pointer into the request.")]
    code: FaultCode
    detail: str


def pointer(*steps: str | int) -> str:
    """Write the steps to a part of a request as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
