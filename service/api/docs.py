"""The OpenAPI document and the page that shows it, served wholly from here: nothing is fetched from elsewhere.

The page is Swagger UI. Its built files stand in the package `offapi`, of which no code is run.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from service.http.caching import Representation, answer_cached, represent, show
from service.openapi.document import encoded_document

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


@show("/openapi.json")
def openapi(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Show the OpenAPI document."""
    return answer_cached(request, _document())


@cache
def _document() -> Representation:
    return represent(encoded_document(), "application/json")


@show("/docs")
def docs() -> Response[bytes]:
    """Show the page on which the document can be browsed and tried."""
    page = _file("docs.html")
    return Response(page.body, media_type=page.media_type, headers=PAGE_HEADERS)


@show("/docs/{name:str}")
def docs_file(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """Show a file that a page needs."""
    if name not in (*_OURS, *_SWAGGER):
        raise NotFoundException("There is no such file.")
    return answer_cached(request, _file(name))


HANDLERS: Final = (openapi, docs, docs_file)
