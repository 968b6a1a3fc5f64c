"""The path and the host of a request, checked before a route is looked up."""

import re
from typing import Final

from litestar.types import HTTPScope

from service.http.address import is_host
from service.wire.refusal import Refusal

MAX_PATH_LENGTH: Final = 500
"""Characters of a path, more than any route has."""
_OTHER_SPELLING: Final = re.compile(rb"//|./\Z|%(?:2[d-f]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)", re.IGNORECASE).search
"""Finds an empty segment, and an encoded slash or another character that needs no encoding (RFC 3986, 2.3)."""


def require_path(scope: HTTPScope) -> str:
    """Return the path of a request, which has one spelling, so that no other one leads round the rules of a proxy.

    Errors: Refusal, also for a host that is malformed, missing or sent twice, or a path longer than any route: the
    framework caches the paths it has seen.
    """
    path = scope["path"]
    if len(path) > MAX_PATH_LENGTH:
        raise Refusal("not_found", f"No resource has a path of more than {MAX_PATH_LENGTH} characters.")
    hosts = 0
    for name, value in scope["headers"]:
        if name == b"host":
            hosts += 1
            if is_host(value) is None:
                raise Refusal("malformed_request", "The header Host is malformed.")
    # Source: RFC 9112, 3.2. Two of them may be read as different hosts by what stands in front of the service.
    if hosts != 1 and (hosts or scope["http_version"] != "1.0"):
        raise Refusal("malformed_request", "Send the header Host once.")
    if _OTHER_SPELLING(scope["raw_path"]):
        detail = "No resource has this path: no path has an empty segment, or a percent-encoding that it does not need."
        raise Refusal("not_found", detail)
    return path
