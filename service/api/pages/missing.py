"""The page for people who come to an address at which there is nothing."""

from collections.abc import Callable
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import HTTPException, NotFoundException

from service.api.pages.layout import fill, write_page
from service.http import routes


def _answer_missing(request: Request[Any, Any, Any], exc: NotFoundException) -> Response[Any]:
    """Answer a browser with a page that leads on, and all others with the problem."""
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
"""The answer where the framework finds nothing."""
