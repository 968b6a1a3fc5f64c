"""The OpenAPI document and the page that shows it, served wholly from here: nothing is fetched from elsewhere.

The page is Swagger UI. Its built files stand in the package `offapi`, of which no code is run.
"""

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from litestar import Request, Response
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from service.http.caching import Representation, answer_cached, represent
from service.http.operation import MALFORMED, read

STYLE: Final = "pages.css"
_HERE: Final = Path(__file__).parent / "static"
_TYPES: Final = {".css": "text/css", ".html": "text/html", ".js": "text/javascript"}
_OURS: Final = ("docs.js", STYLE)
_SWAGGER: Final = ("swagger_bundle.js", "swagger_style.css")
PAGE_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""What a page may do: use what this service serves, and no more."""


def _swagger() -> Path:
    """Find the package with the files of Swagger UI, without importing it: it would read all of them into memory.

    Errors: FileNotFoundError, when it is not installed.
    """
    spec = find_spec("offapi")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("The docs page needs the package offapi, which is not installed.")
    return Path(spec.origin).parent


_FILES: Final = {
    **{name: _HERE / name for name in ("docs.html", *_OURS)},
    **{name: _swagger() / name for name in _SWAGGER},
}


@cache
def _file(name: str) -> Representation:
    path = _FILES[name]
    return represent(path.read_bytes(), _TYPES[path.suffix])


@read(
    "/openapi.json",
    operation_id="openapi",
    tags=["System"],
    summary="Show this document",
    description="The OpenAPI 3.1 document from which clients can be generated.",
    response_description="This document.",
    answer=dict[str, Any],
    cached=True,
    problems=MALFORMED,
)
def show_document(request: Request[Any, Any, Any], state: State) -> Response[bytes]:
    """Show the OpenAPI document, which stands above the operations that it tells of: the application gives it."""
    return answer_cached(request, _represent(state.write_document))


@cache
def _represent(write: Callable[[], bytes]) -> Representation:
    return represent(write(), "application/json")


@read(
    "/docs",
    operation_id="docs",
    tags=["Pages"],
    summary="Browse and try this document",
    description="Swagger UI, served wholly by this service: it needs no other network.",
    response_description="The page.",
    media_type="text/html",
    problems=MALFORMED,
)
def show_docs() -> Response[bytes]:
    """Show the page on which the document can be browsed and tried."""
    page = _file("docs.html")
    return Response(page.body, media_type=page.media_type, headers=PAGE_HEADERS)


@read("/docs/{name:str}", include_in_schema=False, cached=True, problems=(*MALFORMED, "not_found"))
def show_file(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """Show a file that a page needs."""
    if name not in (*_OURS, *_SWAGGER):
        raise NotFoundException("There is no such file.")
    return answer_cached(request, _file(name))


HANDLERS: Final = (show_document, show_docs, show_file)
