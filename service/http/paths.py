"""The head of a request, looked at before any route is: its path and its host."""

import re
from typing import Final

from litestar.types import HTTPScope

from service.http.problems import PATH_AT_MOST
from service.wire.refusal import Refusal

_SLASHES: Final = re.compile("//+")
_HOST: Final = re.compile(rb"[\w.:~!$&'()*+,;=%\[\]-]*").fullmatch
"""What may stand in the header Host. Source: RFC 3986, 3.2.2."""


def normalize_path(scope: HTTPScope) -> str:
    """Take doubled and last slashes out of the path: mostly a slip in joining a base and a path, never a meaning.

    Errors: Refusal, for a path longer than any of ours (the framework remembers what it has seen), or a bad host.
    """
    path = scope["path"]
    if len(path) > PATH_AT_MOST:
        raise Refusal("not_found", f"No resource has a path of more than {PATH_AT_MOST} characters.")
    for name, value in scope["headers"]:
        if name == b"host" and _HOST(value) is None:
            raise Refusal("malformed_request", "The header Host names no host.")
    scope["path"] = path = _SLASHES.sub("/", path).removesuffix("/") or "/"
    return path
