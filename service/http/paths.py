"""The path and the host of a request, checked before a route is looked up."""

import re
from typing import Final

from litestar.types import HTTPScope

from service.http.problems import MAX_PATH_LENGTH
from service.wire.refusal import Refusal

METRICS: Final = "/metrics"
"""The path that operators keep from the public by its name, so that it has no other spelling."""
_SLASHES: Final = re.compile("//+")
_HOST: Final = re.compile(rb"[\w.:~!$&'()*+,;=%\[\]-]*").fullmatch
"""The characters of the header Host. Source: RFC 3986, 3.2.2."""


def normalize_path(scope: HTTPScope) -> str:
    """Return the path of a request without doubled and trailing slashes, which are slips in joining URLs.

    Errors: Refusal, for a host that is malformed, missing or sent twice, or a path longer than any route: the framework
    caches the paths it has seen.
    """
    path = scope["path"]
    if len(path) > MAX_PATH_LENGTH:
        raise Refusal("not_found", f"No resource has a path of more than {MAX_PATH_LENGTH} characters.")
    hosts = 0
    for name, value in scope["headers"]:
        if name == b"host":
            hosts += 1
            if _HOST(value) is None:
                raise Refusal("malformed_request", "The header Host is malformed.")
    # Source: RFC 9112, 3.2. Two of them may be read as different hosts by what stands in front of the service.
    if hosts != 1 and (hosts or scope["http_version"] != "1.0"):
        raise Refusal("malformed_request", "Send the header Host once.")
    if "//" in path or path.endswith("/"):
        scope["path"] = path = _SLASHES.sub("/", path).removesuffix("/") or "/"
    if path == METRICS and scope["raw_path"] != METRICS.encode():
        raise Refusal("not_found", "No resource has this path.")
    return path
