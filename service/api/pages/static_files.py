"""The files of the pages.

Those of Swagger UI come from the package `flask_swagger_ui`. Its code never runs: it needs Flask, which is not
installed.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from service.http.caching import Representation, make_representation, respond_compressed
from service.http.routes import page

_STATIC: Final = Path(__file__).parent / "static"
_TREES: Final = (Path(__file__).parent / "documents", Path(__file__).parents[3])
"""Where documents are: in a folder of the wheel, or in the repository."""
_TYPES: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


def _find_swagger() -> Path:
    """Return the folder of the built files of Swagger UI.

    Errors: FileNotFoundError, if the package is not installed.
    """
    spec = find_spec("flask_swagger_ui")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("The docs page needs the package flask-swagger-ui, which is not installed.")
    return Path(spec.origin).parent / "dist"


_FILES: Final = {
    **{path.name: path for path in _STATIC.iterdir() if path.suffix in _TYPES},
    **{name: _find_swagger() / name for name in ("swagger-ui-bundle.js", "swagger-ui.css")},
}


def find_document(path: str) -> Path:
    """Return the location of a document by its path in the repository."""
    return next(document for tree in _TREES if (document := tree / path).exists())


@cache
def read_representation(path: Path) -> Representation:
    """Return the representation of a file; it is read once."""
    return make_representation(path.read_bytes(), _TYPES[path.suffix])


@page("/static/{name:str}", sync_to_thread=True)  # compressing Swagger UI's script takes a while, once
def show_file(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """Serve a file of a page."""
    if name not in _FILES:
        raise NotFoundException("There is no such file.")
    response = respond_compressed(request, read_representation(_FILES[name]))
    if name == "table-worker.js":
        response.headers["service-worker-allowed"] = "/"  # it is for /table, outside this folder
    return response
