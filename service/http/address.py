"""The address at which the service was asked, from which a caller can reach its pages."""

import re
from typing import Final

from litestar.types import HTTPScope

is_host: Final = re.compile(rb"[\w.:~!$&'()*+,;=%\[\]-]*").fullmatch
"""Return a match for a value of the header Host that is well-formed. Source: RFC 3986, 3.2.2."""
MAX_HOST_LENGTH: Final = 261
"""Characters of a host that is repeated: the longest name that there is, a colon, a port and a little more."""


def base_of(scope: HTTPScope) -> str:
    """Return the scheme and the host of a request, such as `https://example.org`; "" if it names no host.

    Behind a trusted proxy the scheme is the one that the proxy was asked by.
    """
    for name, value in scope["headers"]:
        if name == b"host" and 0 < len(value) <= MAX_HOST_LENGTH and is_host(value):
            return f"{scope['scheme']}://{value.decode('latin-1')}"
    return ""
