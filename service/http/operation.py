"""The declaration of an operation: from it come its route, its part of the document, its metrics, its kind in a batch.

An operation is declared once, by a decorator over a typed function, beside its request and response types. The
function's parameters say what it gets: first the decoded body or the text in the path, then the request if it wants
one, then, by keyword, services, each found by its type.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from inspect import Parameter as Argument
from inspect import iscoroutinefunction, isgeneratorfunction, signature
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from service.game.generators import Sliced
from service.http.parameters import AUTHORIZATION, IF_MATCH, IF_NONE_MATCH, IN_PATH, WAIT_SECONDS, Parameter
from service.http.problem_kinds import PROBLEM_KINDS
from service.http.request import ApiRequest
from service.http.response import TextForm, Versioned
from service.platform.metrics.requests import RequestClass
from service.schemas.refusal import ProblemCode

Method: TypeAlias = Literal["GET", "HEAD", "POST", "QUERY", "PUT", "DELETE"]
Tag: TypeAlias = Literal["Questions", "Reasoning", "Live games", "Seats", "Reference"]
Bearer: TypeAlias = Literal["none", "optional", "required", "in_body"]

_GUARD: Final[tuple[ProblemCode, ...]] = ("unknown_api_key", "too_many_requests")
"""The problems of the guard, which comes before the function."""

_OF_VERSION: Final[tuple[ProblemCode, ...]] = ("bad_version", "stale_version", "version_needed")
"""The problems of the header If-Match, where it is needed."""


def _answer_nothing() -> None:
    """Answer nothing: it stands for the function until the operation is declared."""


@cache
def _taken_by(function: Callable[..., Any]) -> tuple[Any, ...]:
    """Return the types of the positional parameters of a function."""
    hints, parameters = get_type_hints(function), signature(function).parameters
    return tuple(hints[name] for name, one in parameters.items() if one.kind is not _BY_KEYWORD)


class Operation(Struct, frozen=True):
    """An operation, and the decorator that declares it over its function `fn`.

    Its answers are in JSON or MessagePack, as the caller asks, unless it `is_stream`.
    Unit: costs are requests beyond the first, which every request costs; None costs no more.
    """

    path: str
    """The template of its path with its parameters: `/v1/games/{game_id}`."""
    fn: Callable[..., Any] = _answer_nothing
    """The function that answers."""
    method: Method = "GET"
    """The method of its route; `methods` has all that are answered."""
    operation_id: str = ""
    """Its id in the document, and the name of its tool and of its items in batches."""
    tag: Tag = "Questions"
    """Its section in the document."""
    summary: str = ""
    """What it does, in a few words for callers."""
    description: str = ""
    """What callers by any way need to know."""
    over_http: str = ""
    """What only callers over HTTP need to know, behind the `description`."""
    response_description: str = ""
    """What a success answers, for callers."""
    status_code: int = 200
    """The status of a success."""
    is_stream: bool = False
    """True if the answer is an application that sends an event stream."""
    guarded: bool = True
    """True if API keys and quotas apply to it."""
    bearer: Bearer = "none"
    """Whether it takes a token of a game, or many in its body; if it takes any, it needs no API key."""
    allows_query: bool = False
    """True if QUERY is also answered, which tells that it is safe to repeat."""
    private: bool = False
    """True if only the caller may see the answer."""
    public: bool = False
    """True if any cache may keep the answer for a while, unless it answers a POST."""
    cached: bool = False
    """True if the answer has an ETag, and may be 304."""
    max_body_bytes: int | None = None
    """The most bytes of a body; None for the limit of the service."""
    optional_body: bool = False
    """True if the body may be missing, which counts as an empty object."""
    decoder: Callable[[bytes, Any], Sliced[Any]] | None = None
    """Decodes step by step a body that its type alone does not describe."""
    text_body: str = ""
    """The media type of a text that `decoder` also takes; empty for none."""
    text_form: TextForm | None = None
    """The form of a text that the answer may also be; None for none."""
    is_long_running: Callable[[Any], bool] | None = None
    """Returns True if a light body means long work: see `is_sliced`; None for never."""
    batch_cost: Callable[[Any], int] | None = None
    """Returns the cost of a body in a batch, charged before any is answered."""
    cancel_on_disconnect: bool = False
    """True if work that is not sliced also ends when the client leaves."""
    upfront_cost: Callable[[Any], int] | None = None
    """Returns the cost of a body, charged before it is answered."""
    actual_cost: Callable[[Any], int] | None = None
    """Returns the cost of an answer."""
    required_parameters: tuple[Parameter, ...] = ()
    """Parameters of the query and the head that a request must have."""
    optional_parameters: tuple[Parameter, ...] = ()
    """Parameters of the query and the head that a request may have."""
    response_headers: tuple[str, ...] = ()
    """The names of further headers that a success has."""
    problems: tuple[ProblemCode, ...] = ()
    """The problems that its function can answer with."""

    def __call__(self, fn: Callable[..., Any]) -> "Operation":
        """Declare the operation over its function."""
        return replace(self, fn=fn)

    @property
    def methods(self) -> tuple[Method, ...]:
        """Return the methods of its route."""
        if self.allows_query:
            return (self.method, "QUERY")
        return ("GET", "HEAD") if self.method == "GET" and not self.is_stream else (self.method,)

    @property
    def parameters(self) -> dict[Parameter, bool]:
        """Return its parameters in the order of the document, each with True if it is needed."""
        needed = (*(IN_PATH[name] for name in re.findall(r"{(\w+)}", self.path)), *self.required_parameters)
        optional = (*self.optional_parameters, *((IF_NONE_MATCH,) if self.cached else ()))
        token = {AUTHORIZATION: self.bearer == "required"} if self.takes_token else {}
        return dict.fromkeys(needed, True) | dict.fromkeys(optional, False) | token

    @property
    def takes_token(self) -> bool:
        """Return True if its head may have a token."""
        return self.bearer in {"optional", "required"}

    @property
    def text(self) -> Parameter | None:
        """Return the parameter of its path whose text the function takes. Return None if it takes none."""
        return next(iter(self.parameters)) if str in self.takes else None

    @property
    def is_sliced(self) -> bool:
        """Return True if the function is a generator, which yields between pieces of its work."""
        return isgeneratorfunction(self.fn)

    @property
    def request_class(self) -> RequestClass:
        """Return the class by which its requests are counted."""
        if self.is_stream or WAIT_SECONDS in self.optional_parameters:
            return "streams"
        if self.tag in {"Live games", "Seats"}:
            written: RequestClass = "plays" if self.path.endswith("/plays") else "game_writes"
            return "game_reads" if self.method == "GET" or self.allows_query else written
        is_heavy = self.is_sliced or iscoroutinefunction(self.fn)
        return "pages" if self.tag == "Reference" else "heavy" if is_heavy else "questions"

    @property
    def is_plain(self) -> bool:
        """Return True if the function takes the body alone, answers without waiting, and counts for one request."""
        waits = iscoroutinefunction(self.fn) or self.is_long_running is not None
        counts = self.upfront_cost is not None or self.actual_cost is not None
        return self.takes == (self.body,) and not (waits or counts or self.is_stream)

    @property
    def takes(self) -> tuple[Any, ...]:
        """Return the types of what the function takes from a request, in order."""
        return _taken_by(self.fn)

    def bind(self, services: Mapping[Any, object]) -> Callable[..., Any]:
        """Return the function with the services that it needs, which are found by the types of its parameters."""
        hints, parameters = get_type_hints(self.fn), signature(self.fn).parameters.items()
        bound = {name: services[hints[name]] for name, one in parameters if one.kind is _BY_KEYWORD}
        return partial(self.fn, **bound) if bound else self.fn

    @property
    def request_type(self) -> type[ApiRequest] | None:
        """Return the type of request that the function asks for. Return None if it asks for none."""
        return next((kind for kind in self.takes if isinstance(kind, type) and issubclass(kind, ApiRequest)), None)

    @property
    def body(self) -> Any:
        """Return the type of its body. Return None if it takes none."""
        if not self.takes or self.takes[0] in {self.request_type, str}:
            return None
        return self.takes[0]

    @property
    def answer(self) -> Any:
        """Return the type of its answer. Return None if it has no body, or is a stream."""
        returned = get_type_hints(self.fn)["return"]
        if get_origin(returned) is Versioned:
            return get_args(returned)[0]
        if self.is_sliced:
            return get_args(returned)[2]
        return None if self.is_stream or returned is type(None) else returned

    @property
    def every_problem(self) -> tuple[ProblemCode, ...]:
        """Return the problems that it may answer with, those of the guard and of its headers among them."""
        version = _OF_VERSION if IF_MATCH in self.required_parameters else ()
        if not self.guarded:
            return (*self.problems, *version)
        key: tuple[ProblemCode, ...] = () if self.bearer != "none" else ("api_key_missing",)
        return (*self.problems, *version, *key, *_GUARD)

    @property
    def statuses(self) -> frozenset[int]:
        """Return every status that the operation can answer with, except those that every path can."""
        refused = {PROBLEM_KINDS[code].status for code in self.every_problem}
        return frozenset({self.status_code, *refused, *((304,) if self.cached else ())})


_BY_KEYWORD: Final = Argument.KEYWORD_ONLY
RECEIVE_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "malformed_request",
    "not_acceptable",
    "body_too_large",
    "body_too_slow",
    "too_busy",
    "share_used_up",
    "unsupported_media_type",
)
"""The problems of every operation: a body may come with any request."""
READ_PROBLEMS: Final[tuple[ProblemCode, ...]] = (*RECEIVE_PROBLEMS, "malformed_body", "invalid_body")
"""The problems of every operation that takes a body."""
ADMIT_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    *READ_PROBLEMS,
    "malformed_notation",
    "unknown_ruleset",
    "impossible_ruleset",
    "players_not_in_ruleset",
    "impossible_state",
)
"""The problems of every operation that admits a state."""

BODY_BYTES: Final = 64 * 1024
"""Bytes of a body with one state, whose rules may be a whole ruleset."""
RECORD_BYTES: Final = 512 * 1024
"""Bytes of a body with a record of the most deals there can be."""
LOOK_UP_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    *RECEIVE_PROBLEMS,
    "not_found",
    "malformed_notation",
    "unknown_ruleset",
    "players_not_in_ruleset",
    "impossible_state",
)
"""The problems of every question that is asked by a notation in the path."""
question: Final = partial(Operation, method="POST", allows_query=True, public=True, max_body_bytes=BODY_BYTES)
"""The decorator of a question: a POST or a QUERY, answered with status 200 from the request alone.

One that draws at random, where the request names no seed, is not `public`.
"""
look_up: Final = partial(Operation, cached=True, public=True)
"""The decorator of a question about what its path names: with GET or HEAD, so that caches can answer it."""
reference: Final = partial(look_up, tag="Reference", guarded=False)
"""The decorator of an operation that shows what is the same for every caller."""
