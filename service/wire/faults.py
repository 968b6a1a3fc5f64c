"""Faults of a request, each with a JSON Pointer to its place."""

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from service.faults import FaultCode

Line: TypeAlias = Annotated[int, Meta(ge=1, description="In a record as text, the line of the fault, counted from 1.")]
Column: TypeAlias = Annotated[int, Meta(ge=1, description="In a notation, the place of the fault, counted from 1.")]


class Error(Struct, frozen=True, gc=False):
    """A fault of a request, and its place."""

    pointer: Annotated[str, Meta(description="JSON Pointer into the request.")]
    code: Annotated[str, Meta(description="A stable code of the fault.")]
    detail: Annotated[str, Meta(description="The fault as a sentence.")]
    column: Column | UnsetType = UNSET
    line: Line | UnsetType = UNSET


class StateError(Struct, frozen=True, gc=False):
    """A fault of a state, and its place."""

    pointer: Annotated[str, Meta(description="JSON Pointer into the request.")]
    code: Annotated[FaultCode, Meta(description="The stable code of the fault.")]
    detail: Annotated[str, Meta(description="The fault as a sentence.")]
    column: Column | UnsetType = UNSET


def pointer(*steps: str | int) -> str:
    """Write the steps to a part of a request as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
