"""The page for people at an unknown address."""

from collections.abc import Callable
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import HTTPException, NotFoundException

from service.api.pages.layout import fill, write_page
from service.http import routes


def _answer_missing(request: Request[Any, Any, Any], exc: NotFoundException) -> Response[Any]:
    """Answer browsers with a page of links, and all others with the problem."""
    path = request.url.path
    if path.startswith("/v1/") or "text/html" not in request.headers.get("accept", ""):
        return routes.EXCEPTION_HANDLERS[HTTPException](request, exc)
    base = "../" * (path.count("/") - 1)
    page = write_page("There is no page here", fill("missing.html", base=base), base)
    page.status_code = exc.status_code
    return page


EXCEPTION_HANDLERS: Final[dict[int | type[Exception], Callable[[Request[Any, Any, Any], Any], Response[Any]]]] = {
    NotFoundException: _answer_missing
}
"""The answer to paths unknown to the framework."""
