"""What goes wrong outside the corridor, as the same problem documents."""

from collections.abc import Mapping
from logging import getLogger
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException

from service.http.problems import KINDS, ProblemCode, Refusal, write_problem
from service.runtime.logging import name_request

PROBLEM_TYPE: Final = "application/problem+json"
_logger = getLogger(__name__)
_CODES: Final[dict[int, ProblemCode]] = {
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "body_too_large",
    415: "unsupported_media_type",
}


def answer_http_exception(request: Request[Any, Any, Any], exc: HTTPException) -> Response[bytes]:
    """Answer what the framework refuses."""
    if exc.status_code >= 500:
        return answer_exception(request, exc)
    code = _CODES.get(exc.status_code, "malformed_request")
    return _problem(request, Refusal(code, exc.detail or KINDS[code].title), exc.headers)


def answer_exception(request: Request[Any, Any, Any], exc: Exception) -> Response[bytes]:
    """Answer a fault of the service: say nothing of it to the caller, everything to the log."""
    _logger.error("request failed", exc_info=exc, extra=name_request(request.scope))
    return _problem(request, Refusal("internal_error", "The service failed; the fault has been logged."))


def _problem(
    request: Request[Any, Any, Any], refusal: Refusal, headers: Mapping[str, str] | None = None
) -> Response[bytes]:
    problem = write_problem(refusal, request.scope["path"])
    return Response(msgspec.json.encode(problem), status_code=problem.status, media_type=PROBLEM_TYPE, headers=headers)
