"""An operation as the document describes it, read from its declaration."""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias, cast, get_args, get_origin, get_type_hints

from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from service.http.fast_lane import template_of
from service.http.problem_kinds import KINDS
from service.http.response import TextForm, Versioned
from service.wire.refusal import ProblemCode

Tag: TypeAlias = Literal["Questions", "Live games", "Rulesets", "Pages", "System"]
Bearer: TypeAlias = Literal["none", "optional", "required"]

JSON: Final = "application/json"
MSGPACK: Final = "application/msgpack"
HTML: Final = "text/html"
TEXT: Final = "text/plain"
STREAM: Final = "text/event-stream"
_GUARD: Final[tuple[ProblemCode, ...]] = ("unknown_api_key", "too_many_requests")
"""The problems of the guard, which comes before the handler."""


class Operation(Struct, frozen=True, kw_only=True):
    """An operation of the API.

    Shape: `answer` is the type of a structured body, str for a text, None for no body; the request of a `bare`
    operation may have no body. `cached` operations have an ETag and may answer 304; `guarded` ones may need an API key
    and have a quota. `needs`, `accepts` and `sends` name headers. `also` describes further answers, by status, in the
    media type of the answer; `data` is the type of the JSON that there is instead of a page; `text`
    the media type of texts that it takes besides, `text_form` the form of texts with which it can answer.
    """

    name: str
    method: str
    path: str
    tag: Tag
    summary: str
    description: str
    success: str
    status: int
    body: Any
    bare: bool
    answer: Any
    data: Any
    media: tuple[str, ...]
    text: str | None
    text_form: TextForm | None
    bearer: Bearer
    guarded: bool
    cached: bool
    needs: tuple[str, ...]
    accepts: tuple[str, ...]
    sends: tuple[str, ...]
    also: Mapping[int, str]
    problems: tuple[ProblemCode, ...]

    @property
    def statuses(self) -> frozenset[int]:
        """Return every status that the operation can answer with, except those that every path can."""
        refused = {KINDS[code].status for code in self.problems}
        return frozenset({self.status, *self.also, *refused, *((304,) if self.cached else ())})


def describe_operation(handler: HTTPRouteHandler) -> Operation:
    """Read the declaration of an operation."""
    opt, hints = handler.opt, get_type_hints(handler.fn)
    (method,) = {name.lower() for name in handler.http_methods} - {"head"}
    guarded: bool = opt["guarded"]
    tags: list[Any] = list(handler.tags or ["Pages"])
    return Operation(
        name=str(handler.operation_id),
        method=method,
        path=template_of(handler),
        tag=tags[0],
        summary=handler.summary or "",
        description=handler.description or "",
        success=handler.response_description or "",
        status=handler.status_code,
        body=hints.get("data"),
        bare=opt.get("bare", False),
        answer=opt.get("answer") or _answer_of(hints["return"]),
        data=opt.get("data"),
        media=_media_of(handler),
        text=opt.get("text"),
        text_form=opt.get("text_form"),
        bearer=opt.get("bearer", "none"),
        guarded=guarded,
        cached=opt.get("cached", False),
        needs=opt.get("needs", ()),
        accepts=opt.get("accepts", ()),
        sends=opt.get("sends", ()),
        also=opt.get("also", {}),
        problems=(*opt["problems"], *_guard_problems(handler)),
    )


def _guard_problems(handler: HTTPRouteHandler) -> tuple[ProblemCode, ...]:
    if not handler.opt["guarded"]:
        return ()
    return _GUARD if "bearer" in handler.opt else ("api_key_missing", *_GUARD)


def _answer_of(returned: Any) -> Any:
    """Return the type of the body that a handler's return type stands for."""
    if get_origin(returned) is Versioned:
        return get_args(returned)[0]
    if returned is type(None):
        return None
    is_structured = isinstance(returned, type) and issubclass(returned, Struct)
    return cast("Any", returned) if is_structured else str


def _media_of(handler: HTTPRouteHandler) -> tuple[str, ...]:
    if handler.opt["negotiated"]:
        return (JSON,) if handler.status_code == 204 else (JSON, MSGPACK)
    media = handler.media_type or JSON
    return (media.value if isinstance(media, MediaType) else str(media),)
