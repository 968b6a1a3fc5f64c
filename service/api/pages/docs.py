"""The OpenAPI document, and the page that shows it, for which a browser fetches nothing from other hosts.

The page is Swagger UI. Its built files are in the package `offapi`, whose code is not run.
Scalar, which it has as well, is three times as large.
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

from service.api.pages.layout import STYLE, write_page
from service.api.pages.static_files import STATIC, represent_file
from service.http.caching import Representation, answer_packed, represent
from service.http.operation import MALFORMED, read

_OWN_FILES: Final = ("deal.svg", "docs.js", STYLE)
_SWAGGER_FILES: Final = ("swagger_bundle.js", "swagger_style.css")
_CONTENT: Final = """\
<section aria-label="Title"><h1>Reference</h1></section>
<noscript>This page needs JavaScript. The document that it shows is <a href="openapi.json">openapi.json</a>.</noscript>
<link rel="stylesheet" href="docs/swagger_style.css">
<div id="swagger-ui"></div>
<script src="docs/swagger_bundle.js"></script>
<script src="docs/docs.js"></script>
"""


def _find_swagger() -> Path:
    """Return the folder of the files of Swagger UI. The package is not imported: it would read them all into memory.

    Errors: FileNotFoundError, if the package is not installed.
    """
    spec = find_spec("offapi")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("The docs page needs the package offapi, which is not installed.")
    return Path(spec.origin).parent


_FILES: Final = {
    **{name: STATIC / name for name in _OWN_FILES},
    **{name: _find_swagger() / name for name in _SWAGGER_FILES},
}


@read(
    "/openapi.json",
    operation_id="openapi",
    tags=["System"],
    summary="Get this document",
    description="The OpenAPI 3.1 document from which clients can be generated.",
    response_description="This document.",
    answer=dict[str, Any],
    cached=True,
    problems=MALFORMED,
)
def show_document(request: Request[Any, Any, Any], state: State) -> Response[bytes]:
    """Show the OpenAPI document. The application provides it, because it is made from the operations."""
    return answer_packed(request, _represent_document(state.write_document))


@cache
def _represent_document(write: Callable[[], bytes]) -> Representation:
    return represent(write(), "application/json")


@read(
    "/docs",
    operation_id="docs",
    tags=["Pages"],
    summary="Browse the documentation and try the operations",
    description="Swagger UI. A browser fetches nothing for it from other hosts.",
    response_description="The page.",
    media_type="text/html",
    problems=MALFORMED,
)
def show_docs() -> Response[bytes]:
    """Show the page on which the document can be browsed and tried."""
    return write_page("Reference", _CONTENT, here="docs", frame="div")


@read(
    "/docs/{name:str}",
    include_in_schema=False,
    sync_to_thread=True,  # to compress the script of Swagger UI takes a while, once
    cached=True,
    problems=(*MALFORMED, "not_found"),
)
def show_file(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """Show a file that a page needs."""
    if name not in (*_OWN_FILES, *_SWAGGER_FILES):
        raise NotFoundException("There is no such file.")
    return answer_packed(request, represent_file(_FILES[name]))


HANDLERS: Final = (show_document, show_docs, show_file)
