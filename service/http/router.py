"""The front: questions and live games walk their corridors from here; the framework has all that is read.

The framework's router costs about as much as a whole question and remembers every path that it has seen, so the
paths of the corridors stand in a table here, and a path longer than any of ours goes no further.
"""

import re
from collections.abc import Mapping
from logging import getLogger
from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from service.http.endpoint import send_refusal
from service.http.game_endpoint import PATH, GamePaths, HTTPHandler
from service.http.problems import PATH_AT_MOST, Refusal
from service.runtime.logging import name_request

_logger: Final = getLogger(__name__)
_SLASHES: Final = re.compile("//+")
_HOST: Final = re.compile(rb"[\w.:~!$&'()*+,;=%\[\]-]*").fullmatch
"""What may stand in the header Host. Source: RFC 3986, 3.2.2."""


class Front:
    """An ASGI application over the corridors of questions, the paths of live games and the framework's application."""

    def __init__(self, corridors: Mapping[str, HTTPHandler], games: GamePaths, rest: ASGIApp) -> None:
        self._corridors = corridors
        self._games = games
        self._rest = rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or pass it on to the framework."""
        if scope["type"] != ScopeType.HTTP:
            await self._rest(scope, receive, send)
            return
        try:
            await self._find(scope)(scope, receive, send)
        except Refusal as refusal:
            await send_refusal(refusal, scope, send)
        except Exception:
            _logger.exception("request failed", extra=name_request(scope))
            await send_refusal(Refusal("internal_error", "The service failed; the fault has been logged."), scope, send)

    def _find(self, scope: HTTPScope) -> HTTPHandler | ASGIApp:
        """Find who answers a request.

        Errors: Refusal, for one that nobody is to look at.
        """
        _check_head(scope)
        # A doubled or a last slash is mostly a slip in joining a base and a path; it means nothing else.
        path = scope["path"] = _SLASHES.sub("/", scope["path"]).removesuffix("/") or "/"
        corridor = self._corridors.get(path)
        if corridor is not None:
            scope["path_template"] = path
            return corridor
        if path == PATH or path.startswith(PATH + "/"):
            return self._games.find(scope)
        return self._rest


def _check_head(scope: HTTPScope) -> None:
    if len(scope["path"]) > PATH_AT_MOST:
        raise Refusal("not_found", f"No resource has a path of more than {PATH_AT_MOST} characters.")
    for name, value in scope["headers"]:
        if name == b"host" and _HOST(value) is None:
            raise Refusal("malformed_request", "The header Host names no host.")
