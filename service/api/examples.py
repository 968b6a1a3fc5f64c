"""The examples of the document and of the pages: requests with the service's answers.

`make openapi` renews the answers; the requests are in `openapi/examples/`.
"""

from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from service.schemas.refusal import ProblemCode

EXAMPLES_FILE: Final = Path(__file__).parent / "examples.json"


class Example(Struct, frozen=True):
    """A request, what it shows, and its answer."""

    summary: str
    request: Any
    status: int
    answer: Any


class Examples(Struct, frozen=True):
    """Every example.

    Shape: `asked` has the requests with a body, by operation and name. `shown` has the answers to requests without a
    body, by operation, or by operation and form. `problems` has a problem of each kind.
    """

    asked: dict[str, dict[str, Example]]
    shown: dict[str, Any]
    problems: dict[ProblemCode, Any]


@cache
def read_examples() -> Examples:
    """Return the examples with their last answers."""
    return msgspec.json.decode(EXAMPLES_FILE.read_bytes(), type=Examples)
