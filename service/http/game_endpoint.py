"""The corridor of live games: the same as that of questions, with a game's id, a token and a version around it."""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Literal, Protocol, TypeAlias

import msgspec
from litestar.types import HTTPScope, Receive, Send
from msgspec import Struct

from service.api.game_calls import Call, etag
from service.api.games import Reply
from service.http.endpoint import (
    CONTENT_TYPES,
    ENCODE,
    Format,
    Gone,
    decode_strictly,
    negotiate,
    read_body,
    send_bytes,
    send_refusal,
)
from service.http.problems import Refusal

Method: TypeAlias = Literal["GET", "POST", "DELETE"]
Headers: TypeAlias = tuple[tuple[bytes, bytes], ...]
Handle: TypeAlias = Callable[[Call, Any], Awaitable[Reply]]

PATH: Final = "/v1/games"
_BELOW: Final = re.compile(rf"{PATH}(?:(/[A-Za-z0-9_-]{{22}})(/[a-z]+)?)?").fullmatch
"""A game's id, and one of its calls. What has not the shape of an id is no game's; the store has other keys, too."""
_RETRY_AFTER: Final = {"store_down": b"1", "store_full": b"60", "too_many_streams": b"10"}
_READ: Final = {
    name.encode(): name for name in ("authorization", "if-match", "if-none-match", "idempotency-key", "last-event-id")
}
PRIVATE: Final = ((b"cache-control", b"private, no-store"), (b"vary", b"accept, authorization"))


class Action:
    """What a method does to a resource: the body that it takes, None for none, and the handler."""

    def __init__(self, body: type[Struct] | None, handle: Handle) -> None:
        self.body = body
        self.handle = handle
        self._decode: dict[Format, Callable[[bytes], Any]] = {}
        if body is not None:
            self._decode = {
                "json": msgspec.json.Decoder(body).decode,
                "msgpack": msgspec.msgpack.Decoder(body).decode,
            }

    def decode(self, raw: bytes, content: Format) -> object:
        """Decode a body, where the action takes one.

        Errors: Refusal, with every fault of its shape.
        """
        return None if self.body is None else decode_strictly(self._decode[content], raw, content, self.body)


class Resource:
    """An ASGI handler of one path of live games."""

    def __init__(self, actions: Mapping[Method, Action], limit: int) -> None:
        self._actions = dict[str, Action](actions.items())
        if "GET" in actions:
            self._actions["HEAD"] = actions["GET"]  # the server sends no body with it
        self._limit = limit
        self._allow = ", ".join(sorted(self._actions)).encode()

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            reply, wanted = await self._answer(scope, receive)
        except Refusal as refusal:
            await send_refusal(refusal, scope, send, (*PRIVATE, *self._headers(refusal)))
        except Gone:
            return
        else:
            body = b"" if reply.answer is None else ENCODE[wanted](reply.answer)
            await send_bytes(send, reply.status, CONTENT_TYPES[wanted], body, (*PRIVATE, *reply.headers))

    async def _answer(self, scope: HTTPScope, receive: Receive) -> tuple[Reply, Format]:
        action = self._actions.get(scope["method"])
        if action is None:
            raise Refusal("method_not_allowed", f"This resource knows {self._allow.decode()}.")
        content, wanted = negotiate(scope)
        body = action.decode(await read_body(scope, receive, self._limit), content)
        return await action.handle(read_call(scope), body), wanted

    def _headers(self, refusal: Refusal) -> Headers:
        if refusal.code == "method_not_allowed":
            return ((b"allow", self._allow),)
        return refusal_headers(refusal)


def read_call(scope: HTTPScope) -> Call:
    """Read what a request brings along besides its body."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name = _READ.get(raw_name)
        if name is not None:
            value = raw_value.decode("latin-1")
            # A header that comes twice means both, so that it is never half of them that counts.
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return Call(scope["path_params"]["game_id"], headers)


def refusal_headers(refusal: Refusal) -> Headers:
    """Tell the headers that a refusal brings along."""
    if refusal.code in {"token_missing", "unknown_token"}:
        return ((b"www-authenticate", b"Bearer"),)
    if refusal.code == "body_too_slow":
        return ((b"connection", b"close"),)
    if refusal.version is not None:
        return ((b"etag", etag(refusal.version).encode()),)
    retry = _RETRY_AFTER.get(refusal.code)
    return () if retry is None else ((b"retry-after", retry),)


class HTTPHandler(Protocol):
    """An ASGI handler of requests."""

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        ...


class GamePaths:
    """All paths below /v1/games."""

    def __init__(self, paths: Mapping[str, HTTPHandler]) -> None:
        self._paths = {PATH + path: handler for path, handler in paths.items()}

    def behind(self, before: Callable[[HTTPHandler], HTTPHandler]) -> "GamePaths":
        """Make the same paths, with something put before the handler of each."""
        return GamePaths({path.removeprefix(PATH): before(handler) for path, handler in self._paths.items()})

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates of the paths."""
        return tuple(self._paths)

    def find(self, scope: HTTPScope) -> HTTPHandler:
        """Find the handler of a path, and leave its template behind for the metrics.

        Errors: Refusal, for a path that is none of these.
        """
        found = _BELOW(scope["path"])
        game, call = found.groups("") if found else ("", "/")
        template = f"{PATH}/{{game_id}}{call}" if game else PATH + call
        handler = self._paths.get(template)
        if handler is None:
            raise Refusal("not_found", "No resource has this path.")
        scope["path_template"] = template
        scope["path_params"] = {"game_id": game[1:]}
        return handler
