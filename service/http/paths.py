"""The path and the host of a request, checked before a route is looked up."""

import re
from typing import Final

from litestar.types import HTTPScope

from service.http.problems import PATH_AT_MOST
from service.wire.refusal import Refusal

_SLASHES: Final = re.compile("//+")
_HOST: Final = re.compile(rb"[\w.:~!$&'()*+,;=%\[\]-]*").fullmatch
"""The characters of the header Host. Source: RFC 3986, 3.2.2."""


def normalize_path(scope: HTTPScope) -> str:
    """Return the path of a request without doubled and trailing slashes, which are slips in joining URLs.

    Errors: Refusal, for a malformed host, or a path longer than any route: the framework caches the paths it has seen.
    """
    path = scope["path"]
    if len(path) > PATH_AT_MOST:
        raise Refusal("not_found", f"No resource has a path of more than {PATH_AT_MOST} characters.")
    for name, value in scope["headers"]:
        if name == b"host" and _HOST(value) is None:
            raise Refusal("malformed_request", "The header Host is malformed.")
    if "//" in path or path.endswith("/"):
        scope["path"] = path = _SLASHES.sub("/", path).removesuffix("/") or "/"
    return path
