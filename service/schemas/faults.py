"""Faults of a request, each with a JSON Pointer to its place."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from service.game.faults import FaultCode

_Place: TypeAlias = Annotated[int, Meta(ge=1)] | None
Line: TypeAlias = Annotated[
    _Place, Meta(description="In a record as text, the line of the fault, counted from 1, else null.")
]
Column: TypeAlias = Annotated[
    _Place, Meta(description="In a notation, the place of the fault, counted from 1, else null.")
]


class Error(Struct, frozen=True, gc=False):
    """A fault of a request, and its place."""

    pointer: Annotated[str, Meta(description="JSON Pointer into the request.")]
    code: Annotated[str, Meta(description="A stable code of the fault.")]
    detail: Annotated[str, Meta(description="The fault as a sentence.")]
    column: Column = None
    """The column of a text, from 1; None for JSON."""
    line: Line = None
    """The line of a text, from 1; None for JSON."""


class StateError(Struct, frozen=True, gc=False):
    """A fault of a state, and its place."""

    pointer: Annotated[str, Meta(description="JSON Pointer into the request.")]
    code: Annotated[
        Annotated[
            FaultCode,
            Meta(
                title="FaultCode",
                description="The stable code of a fault of a state, a ruleset or a request; /problems/impossible-state "
                "explains each.",
            ),
        ],
        Meta(description="The stable code of the fault."),
    ]
    detail: Annotated[str, Meta(description="The fault as a sentence.")]
    column: Column = None


def pointer(*steps: str | int) -> str:
    """Write the steps to a part of a request as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
