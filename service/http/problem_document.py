"""Problem documents (RFC 9457): the only place that turns a refusal into an HTTP answer."""

from logging import getLogger
from typing import Annotated, Any, Final
from uuid import NAMESPACE_URL, UUID, uuid5

from msgspec import Meta, Struct

from service.game.rulesets import Seat
from service.http.context import Headers, RequestContext, log_names
from service.http.problem_kinds import PROBLEM_KINDS, problem_type
from service.http.response import ENCODE, WholeResponse, write_etag
from service.schemas.faults import Error
from service.schemas.refusal import ProblemCode, Refusal
from service.schemas.revision import Revision, Version
from service.schemas.verdict import Verdict

PROBLEM_TYPE: Final = "application/problem+json"


class Problem(Struct, frozen=True, kw_only=True):
    """A problem document: what went wrong, where and why. `code` is stable; `title` and `detail` are for people."""

    type: Annotated[
        str,
        Meta(description="The page that explains problems of this kind, as a reference relative to the service."),
    ]
    title: Annotated[str, Meta(description="The kind of problem, for people.")]
    status: Annotated[int, Meta(description="The HTTP status.")]
    detail: Annotated[str, Meta(description="What went wrong in this case, for people.")]
    instance: Annotated[
        str,
        Meta(
            description="The id of the request as a URN: `urn:uuid:` and the `X-Request-ID`; of one that is no UUID, "
            "the UUID of version 5 that is made of it in the namespace of URLs."
        ),
    ]
    code: Annotated[
        Annotated[
            ProblemCode,
            Meta(title="ProblemCode", description="The stable code of a problem; the page at `type` explains it."),
        ],
        Meta(description="The stable code of the kind of problem."),
    ]
    errors: Annotated[
        tuple[Error, ...],
        Meta(description="The faults of the request, each with its place; [] if no part of it is at fault."),
    ]
    verdict: Annotated[
        Verdict | None,
        Meta(description="With `illegal_play`, the verdict on the card, with the rule and its source, else null."),
    ] = None
    turn: Annotated[Seat | None, Meta(description="With `not_your_turn`, the seat to play, else null.")] = None
    version: Annotated[
        Version | None, Meta(description="With `stale_version`, the latest version of the game, else null.")
    ] = None
    seconds: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="With `too_many_requests`, the seconds after which to ask again, else null."),
    ] = None


FAILED: Final = "The service failed; the fault has been logged."
"""The detail of the problem if the service fails."""
_logger: Final = getLogger(__name__)


def write_problem(refusal: Refusal, request_id: str) -> Problem:
    """Write a refusal as a problem document."""
    kind = PROBLEM_KINDS[refusal.code]
    return Problem(
        type=problem_type(refusal.code),
        title=kind.title,
        status=kind.status,
        detail=refusal.detail,
        instance=_write_instance(request_id),
        code=refusal.code,
        errors=refusal.errors,
        **_write_fact(refusal),
    )


def _write_instance(request_id: str) -> str:
    try:
        return UUID(request_id).urn
    except ValueError:
        return uuid5(NAMESPACE_URL, request_id).urn


def _write_fact(refusal: Refusal) -> dict[str, Any]:
    field, fact = PROBLEM_KINDS[refusal.code].field, refusal.fact
    if field is None or fact is None:
        return {}
    return {field: str(fact) if type(fact) is Revision else fact}


def answer_refusal(refusal: Refusal, context: RequestContext, headers: Headers = ()) -> WholeResponse:
    """Make the response to a refused request, and note the problem in its context, for metrics and the log.

    Shape: `headers` are those of the resource.
    """
    context.problem = refusal.code
    context.answer = problem = write_problem(refusal, context.request_id)
    more = (*headers, *PROBLEM_KINDS[refusal.code].headers)
    if type(refusal.fact) is Revision:
        more = (*more, (b"etag", write_etag(refusal.fact).encode()))
    return WholeResponse(problem.status, PROBLEM_TYPE.encode(), ENCODE["json"](problem), more)


def answer_exception(exc: Exception, context: RequestContext, headers: Headers = ()) -> WholeResponse:
    """Make the response to a refused request, or to a failure of the service, explained only in the log."""
    if isinstance(exc, Refusal):
        return answer_refusal(exc, context, headers)
    _logger.error("request failed", exc_info=exc, extra=log_names(context))
    return answer_refusal(Refusal("internal_error", FAILED), context)
