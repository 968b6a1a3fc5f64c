"""The files that pages need, and the headers of a page."""

from functools import cache
from pathlib import Path
from typing import Final

from service.http.caching import Representation, represent

STATIC: Final = Path(__file__).parent / "static"
_TYPES: Final = {".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml"}
PAGE_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""The headers of a page, which let it use only what this service serves."""


@cache
def represent_file(path: Path) -> Representation:
    """Represent a file, which is read once."""
    return represent(path.read_bytes(), _TYPES[path.suffix])
