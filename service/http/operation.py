"""The declaration of an operation; its route, document, metrics and kind in a batch follow from it.

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
"""The problems of the guard, which runs before the function."""

_OF_VERSION: Final[tuple[ProblemCode, ...]] = ("bad_version", "stale_version", "version_needed")
"""The problems of a required If-Match header."""


def _answer_nothing() -> None:
    """Answer nothing: a placeholder until the operation is declared over its function."""


@cache
def _taken_by(function: Callable[..., Any]) -> tuple[Any, ...]:
    """Return the types of the positional parameters of a function."""
    hints, parameters = get_type_hints(function), signature(function).parameters
    return tuple(hints[name] for name, one in parameters.items() if one.kind is not _BY_KEYWORD)


class Operation(Struct, frozen=True):
    """An operation, and the decorator that declares it over its function `fn`.

    Its answers are in JSON or MessagePack, as the caller asks, unless it `is_stream`.
    Unit: a cost is a number of requests beyond the first; None costs no more.
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
    """Whether it takes a token of a game, or many in its body. With a token it needs no API key."""
    allows_query: bool = False
    """True if it also answers QUERY, which is safe to repeat."""
    private: bool = False
    """True if caches must not keep the answer: only the caller may see it."""
    public: bool = False
    """True if any cache may keep the answer for a while, unless it answers a POST."""
    cached: bool = False
    """True if the answer has an ETag, and may be 304."""
    max_body_bytes: int | None = None
    """The most bytes of a body; None for the limit of the service."""
    optional_body: bool = False
    """True if the body may be missing; it then counts as an empty object."""
    decoder: Callable[[bytes, Any], Sliced[Any]] | None = None
    """Decodes the body step by step, if its type alone does not describe it."""
    text_body: str = ""
    """A plain-text media type the body may also have; empty for none."""
    text_form: TextForm | None = None
    """A plain-text form the answer may also have; None for none."""
    is_long_running: Callable[[Any], bool] | None = None
    """Returns True if even a light body means long work: see `is_sliced`; None for never."""
    batch_cost: Callable[[Any], int] | None = None
    """Returns the cost of a body in a batch, charged before any is answered."""
    cancel_on_disconnect: bool = False
    """True if work stops when the client disconnects, even if it is not sliced."""
    upfront_cost: Callable[[Any], int] | None = None
    """Returns the cost of a body, charged before it is answered."""
    actual_cost: Callable[[Any], int] | None = None
    """Returns the cost of an answer."""
    required_parameters: tuple[Parameter, ...] = ()
    """Required parameters of query and head."""
    optional_parameters: tuple[Parameter, ...] = ()
    """Optional parameters of query and head."""
    response_headers: tuple[str, ...] = ()
    """Names of further headers of a success."""
    problems: tuple[ProblemCode, ...] = ()
    """The problems that its function can raise."""

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
        """Return its parameters in the order of the document, each with True if it is required."""
        needed = (*(IN_PATH[name] for name in re.findall(r"{(\w+)}", self.path)), *self.required_parameters)
        optional = (*self.optional_parameters, *((IF_NONE_MATCH,) if self.cached else ()))
        token = {AUTHORIZATION: self.bearer == "required"} if self.takes_token else {}
        return dict.fromkeys(needed, True) | dict.fromkeys(optional, False) | token

    @property
    def takes_token(self) -> bool:
        """Return True if its request may have a token."""
        return self.bearer in {"optional", "required"}

    @property
    def text(self) -> Parameter | None:
        """Return the path parameter that the function takes as a text. Return None if it takes none."""
        return next(iter(self.parameters)) if str in self.takes else None

    @property
    def is_sliced(self) -> bool:
        """Return True if the function is a generator: it yields between pieces of work."""
        return isgeneratorfunction(self.fn)

    @property
    def request_class(self) -> RequestClass:
        """Return the class of its requests in metrics."""
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
        """Return the types of the function's arguments from a request, in order."""
        return _taken_by(self.fn)

    def bind(self, services: Mapping[Any, object]) -> Callable[..., Any]:
        """Return the function with its services, found by the types of its parameters."""
        hints, parameters = get_type_hints(self.fn), signature(self.fn).parameters.items()
        bound = {name: services[hints[name]] for name, one in parameters if one.kind is _BY_KEYWORD}
        return partial(self.fn, **bound) if bound else self.fn

    @property
    def request_type(self) -> type[ApiRequest] | None:
        """Return the type of request that the function takes. Return None if it takes none."""
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
        """Return its possible problems, including those of the guard and of its headers."""
        version = _OF_VERSION if IF_MATCH in self.required_parameters else ()
        if not self.guarded:
            return (*self.problems, *version)
        key: tuple[ProblemCode, ...] = () if self.bearer != "none" else ("api_key_missing",)
        return (*self.problems, *version, *key, *_GUARD)

    @property
    def statuses(self) -> frozenset[int]:
        """Return its possible statuses, except those of every path."""
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
"""The problems of every operation that takes a state."""

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
"""The problems of every question with a notation in its path."""
question: Final = partial(Operation, method="POST", allows_query=True, public=True, max_body_bytes=BODY_BYTES)
"""The decorator of a question: a POST or a QUERY, answered with status 200 from the request alone.

A question that may draw at random is not `public`.
"""
look_up: Final = partial(Operation, cached=True, public=True)
"""The decorator of a question about its path: with GET or HEAD, so caches can answer it."""
reference: Final = partial(look_up, tag="Reference", guarded=False)
"""The decorator of an operation with the same answer for every caller."""
