"""What is said of one operation of the API."""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, field

from service.http.problems import KINDS, ProblemCode

Tag: TypeAlias = Literal["Questions", "Live games", "Rulesets", "Pages", "System"]

JSON: Final = "application/json"
MSGPACK: Final = "application/msgpack"
HTML: Final = "text/html"
TEXT: Final = "text/plain"
STREAM: Final = "text/event-stream"


class Operation(Struct, frozen=True, kw_only=True):
    """An operation of the API, as the OpenAPI document tells of it.

    Shape: `answer` is the type of a structured body, str for a text, None for no body. `cached` operations have an
    ETag and may answer 304; `guarded` ones may ask for a key and limit the rate. `accepts` and `sends` name headers.
    `also` has what else may be sent, by status, in the medium of the answer.
    """

    name: str
    method: Literal["get", "post", "delete"]
    path: str
    tag: Tag
    summary: str
    description: str
    status: int = 200
    body: Any = None
    answer: Any = str
    media: tuple[str, ...] = (JSON,)
    bearer: Literal["none", "optional", "required"] = "none"
    guarded: bool = False
    cached: bool = False
    accepts: tuple[str, ...] = ()
    sends: tuple[str, ...] = ()
    also: Mapping[int, str] = field(default_factory=dict[int, str])
    problems: tuple[ProblemCode, ...] = ()

    @property
    def statuses(self) -> frozenset[int]:
        """Every status that the operation can send, but for those of any request to its path."""
        refused = {KINDS[code].status for code in self.problems}
        return frozenset({self.status, *self.also, *refused, *((304,) if self.cached else ())})
