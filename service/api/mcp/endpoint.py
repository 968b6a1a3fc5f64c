"""POST /mcp: operations as tools, answered by their endpoints."""

import asyncio
import re
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, Final, cast, get_args

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.types import HTTPScope, Receive, Send
from msgspec import Raw
from msgspec.structs import replace

from service import __version__
from service.api.mcp.listing import encoded_tools
from service.api.mcp.protocol import (
    CALL_TOOL,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    READ_RESOURCE,
    SUPPORTED,
    WITH_HANDSHAKE,
    ProtocolError,
    RpcMessage,
    find_id,
    require_version,
)
from service.api.mcp.resources import CONTENTS, LISTED
from service.api.mcp.tools import Tool, is_tool
from service.http.body import LIGHT_BYTES, ClientLeft, hold_body, read_body
from service.http.context import RequestContext, context_of
from service.http.decoding import decoder_of
from service.http.endpoint import Endpoint
from service.http.guards.auth import Auth
from service.http.guards.cors import AllowedOrigins
from service.http.negotiation import negotiate
from service.http.operation import BODY_BYTES, RECORD_BYTES, Tag
from service.http.problem_document import Problem, answer_exception, answer_refusal
from service.http.request import caller_of
from service.http.response import ENCODE, WholeResponse
from service.http.routes import in_place
from service.platform.time_slices import TimeSlice
from service.schemas.refusal import ProblemCode, Refusal

PATH: Final = "/mcp"
TOOLSETS: Final[dict[str, tuple[Tag, ...]]] = {
    PATH: get_args(Tag),
    f"{PATH}/questions": ("Questions", "Reference"),
    f"{PATH}/reasoning": ("Reasoning", "Reference"),
    f"{PATH}/games": ("Live games", "Seats", "Reference"),
}
"""The tags of the tools at each path: a model reads the whole list of its path."""
MAX_MESSAGE_BYTES: Final = RECORD_BYTES + BODY_BYTES
"""Bytes of a message: the largest arguments of a tool, and their envelope."""
STATUSES: Final = (200, 202, 400, 401, 403, 404, 406, 408, 413, 415, 429, 503)
"""Statuses of responses without a tool's answer."""
INSTRUCTIONS: Final = (Path(__file__).parent / "instructions.md").read_text(encoding="utf-8")
_SERVER: Final = {"name": "catch-the-ten", "title": "Catch the Ten", "version": __version__}
_ABILITIES: Final[dict[str, Any]] = {"capabilities": {"tools": {}, "resources": {}}, "instructions": INSTRUCTIONS}
_OF_RESULT: Final = {"resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": _SERVER}}
"""Fields of every result in the latest version."""
_CACHED: Final = {"ttlMs": 3_600_000, "cacheScope": "public"}
"""Milliseconds for which a client may cache answers that are the same for every caller."""
_CODES: Final[dict[ProblemCode, int]] = {"malformed_body": PARSE_ERROR, "internal_error": INTERNAL_ERROR}
_METHODS: Final = ("server/discover", "tools/list", CALL_TOOL, "resources/list", READ_RESOURCE)
_JSON: Final = b"application/json"
_NO_STORE: Final = ((b"cache-control", b"no-store"),)
"""The header of every result, because a result may hold tokens."""
_LOOPBACK: Final = re.compile(rb"https?://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?\Z")
_decode_message: Final = decoder_of(RpcMessage)


class McpEndpoint:
    """The tools of some operations as an ASGI application.

    Shape: pages of `origins` may call it, besides the service's own; `auth` is None if every message is admitted.
    """

    def __init__(self, endpoints: Iterable[Endpoint], origins: AllowedOrigins, auth: Auth | None) -> None:
        tools = [Tool(endpoint) for endpoint in endpoints if is_tool(endpoint.operation)]
        self._tools = {tool.operation.operation_id: tool for tool in tools}
        self._write_tools = partial(encoded_tools, tuple([tool.operation for tool in tools]))
        self._origins = origins
        self._auth = auth

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Answer one message."""
        context = context_of(scope)
        try:
            response = await self._respond(context, receive)
        except ProtocolError as error:
            response = _write_error(None, error)
        except ClientLeft:
            return
        except Exception as exc:  # noqa: BLE001 – the caller gets an answer in any case, and the log the exception
            response = _write_problem(None, context, answer_exception(exc, context))
        await response(scope, receive, send)

    async def _respond(self, context: RequestContext, receive: Receive) -> WholeResponse:
        self._require_origin(context.fields)
        if self._auth is not None:  # every message is charged; if it needs a key, its tool says so
            await self._auth.check(context, needs_key=False)
        if negotiate(context.method, context.fields) != ("json", "json"):
            raise Refusal("not_acceptable", "A message is sent and answered as application/json only.")
        raw = await read_body(context, receive, MAX_MESSAGE_BYTES)
        with hold_body(context, len(raw)) if len(raw) > LIGHT_BYTES else nullcontext():
            async with TimeSlice(caller_of(context)) if len(raw) > LIGHT_BYTES else nullcontext():
                try:
                    message, arguments = _decode(raw)
                except Refusal as refusal:
                    return _write_problem(find_id(raw), context, answer_refusal(refusal, context))
        del raw  # a tool may wait long for its turn, and holds its arguments itself
        return await self._answer(message, arguments, context, receive)

    def _require_origin(self, fields: dict[bytes, bytes]) -> None:
        """Refuse a message from a page of another origin, unless that is allowed.

        Anybody can point a host name at this service; then Host equals the page's origin. So only on loopback names
        does equality show that the page is the service's own.
        Errors: ProtocolError.
        """
        origin = fields.get(b"origin", b"")
        is_own = origin.partition(b"://")[2] == fields.get(b"host") and _LOOPBACK.match(origin)
        if origin and not is_own and origin not in self._origins:
            named = origin[:80].decode("latin-1")
            raise ProtocolError(INVALID_REQUEST, f"Pages of {named!r} may not call this service.", status=403)

    async def _answer(
        self, message: RpcMessage, arguments: bytes, context: RequestContext, receive: Receive
    ) -> WholeResponse:
        """Answer a readable message; a notification gets no answer."""
        if message.id is None:
            return WholeResponse(202, _JSON, b"")
        version = ""
        try:
            version = require_version(message, context.fields)
            if message.method == CALL_TOOL:
                result = await self._call(message.params.name, arguments, version, context, receive)
            elif message.method == "tools/list":  # written at the first call, because it takes a while
                result = {"tools": Raw(await asyncio.to_thread(self._write_tools)), **_CACHED}
            else:
                result = self._answer_static(message, version)
        except ProtocolError as error:
            # Clients of older versions read no body of another status.
            status = 200 if version in WITH_HANDSHAKE else error.status
            return _write_error(message.id, error, status)
        # Clients of older versions refuse an empty result that is not empty.
        told = {} if version in WITH_HANDSHAKE else _OF_RESULT
        made = {"jsonrpc": "2.0", "id": message.id, "result": {**told, **result}}
        return WholeResponse(200, _JSON, ENCODE["json"](made), _NO_STORE)

    def _answer_static(self, message: RpcMessage, version: str) -> dict[str, Any]:
        """Return the result of a method with the same result for every caller.

        Errors: ProtocolError, if there is no such method or resource.
        """
        match message.method:
            case "server/discover":
                return {"supportedVersions": SUPPORTED, **_ABILITIES, **_CACHED}
            case "initialize":
                return {"protocolVersion": version, "serverInfo": _SERVER, **_ABILITIES}
            case "ping":
                return {}
            case "resources/list":
                return {"resources": LISTED, **_CACHED}
            case "resources/read" if message.params.uri in CONTENTS:
                return {"contents": [CONTENTS[message.params.uri]], **_CACHED}
            case "resources/read":
                raise ProtocolError(INVALID_PARAMS, "There is no such resource: see resources/list.")
            case method:
                detail = f"There is no method {method!r}; there are {', '.join(_METHODS)}."
                raise ProtocolError(METHOD_NOT_FOUND, detail, status=404)

    async def _call(
        self, name: str, arguments: bytes, version: str, context: RequestContext, receive: Receive
    ) -> dict[str, Any]:
        """Return the answer of a tool's operation; a problem is a result as well, so a model can correct its call.

        Errors: ProtocolError, if there is no such tool; ClientLeft.
        """
        tool = self._tools.get(name)
        if tool is None:
            detail = f"There is no tool {name[:80]!r}; there are {', '.join(self._tools)}."
            raise ProtocolError(INVALID_PARAMS, detail)
        response = await tool.ask(context, receive, b"{}" if arguments == b"null" else arguments)
        context.status = response.status
        written = _write_content(response.body, tool.operation.response_description, version)
        return {**written, "isError": response.status >= 400}


def _write_content(body: bytes, description: str, version: str) -> dict[str, Any]:
    """Write an answer as text, which every host shows to its model, and as JSON if the version has it."""
    content = {"content": [{"type": "text", "text": body.decode() or description}]}
    return content if not body or version == WITH_HANDSHAKE[-1] else {**content, "structuredContent": Raw(body)}


def route_mcp(endpoints: Iterable[Endpoint], origins: AllowedOrigins, auth: Auth | None) -> Iterator[HTTPRouteHandler]:
    """Make the framework's routes to the tools of operations."""
    every = tuple(endpoints)
    for path, tags in TOOLSETS.items():
        of_path = [endpoint for endpoint in every if endpoint.operation.tag in tags]

        async def call_tool() -> None:
            """Stand for the endpoint."""

        yield post(path, status_code=200, middleware=[in_place(McpEndpoint(of_path, origins, auth))])(call_tool)


def _decode(raw: bytes) -> tuple[RpcMessage, bytes]:
    """Return a message, and the arguments of its tool; neither keeps the raw message alive.

    Errors: Refusal.
    """
    if raw.lstrip()[:1] == b"[":
        raise Refusal(
            "invalid_body", "Send each message as a request of its own: the protocol has no batches any more."
        )
    message: RpcMessage = _decode_message(raw, "json")
    if message.method != CALL_TOOL and len(raw) > BODY_BYTES:
        raise Refusal("body_too_large", f"A message that calls no tool is larger than {BODY_BYTES} bytes.")
    arguments = bytes(message.params.arguments)
    return replace(message, params=replace(message.params, arguments=Raw())), arguments


def _write_error(known: int | str | None, error: ProtocolError, status: int | None = None) -> WholeResponse:
    """Write the error of a message, with its id if known."""
    facts = {} if error.facts is None else {"data": error.facts}
    made = {"jsonrpc": "2.0", "id": known, "error": {"code": error.code, "message": error.message, **facts}}
    return WholeResponse(status or error.status, _JSON, ENCODE["json"](made))


def _write_problem(known: int | str | None, context: RequestContext, response: WholeResponse) -> WholeResponse:
    """Write the problem of a refused message as an error."""
    problem = cast("Problem", context.answer)
    error = ProtocolError(_find_code(problem), problem.detail, Raw(response.body), response.status)
    return replace(_write_error(known, error), headers=response.headers)


def _find_code(problem: Problem) -> int:
    """Return the code of JSON-RPC for a problem."""
    if problem.errors and all(error.pointer.startswith("/params") for error in problem.errors):
        return INVALID_PARAMS
    return _CODES.get(problem.code, INVALID_REQUEST)
