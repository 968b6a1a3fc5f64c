"""A client of the Model Context Protocol that says every header and every field that it sends."""

from typing import Any, Final

import msgspec
from litestar.types import ASGIApp
from msgspec.structs import replace

from service.api.mcp.endpoint import PATH
from service.api.mcp.protocol import LATEST
from tests.support.http.client import JSON, Answer, Request, ask

Json = dict[str, Any]

CLIENT: Final[Json] = {"clientInfo": {"name": "tests", "version": "1"}, "clientCapabilities": {}}


def write_message(method: str, params: Json | None = None, version: str = LATEST, known: object = 1) -> Request:
    """Write a message as a client of this version of the protocol sends it; a notification is known by nothing."""
    params = {} if params is None else params
    headers = {"content-type": JSON, "accept": f"{JSON}, text/event-stream", "mcp-protocol-version": version}
    if version == LATEST:
        told = {"protocolVersion": version, **CLIENT}
        params = {**params, "_meta": {f"io.modelcontextprotocol/{name}": value for name, value in told.items()}}
        headers["mcp-method"] = method
        for named in params.keys() & {"name", "uri"}:
            headers["mcp-name"] = params[named]
    body = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if known is None else {"id": known})
    return Request(PATH, (msgspec.json.encode(body),), headers=tuple(headers.items()))


def with_headers(request: Request, **changes: str | None) -> Request:
    """Change headers of a request, named with underscores; None takes one away."""
    named = {name.replace("_", "-"): value for name, value in changes.items()}
    headers = {**dict(request.headers), **named}
    return replace(request, headers=tuple((name, value) for name, value in headers.items() if value is not None))


def read_result(answer: Answer) -> Json:
    """Read the result of a message that was understood."""
    assert (answer.status, answer.media) == (200, JSON), answer
    read: Json = msgspec.json.decode(answer.body)
    assert (read["jsonrpc"], read["id"]) == ("2.0", 1), read
    result: Json = read["result"]
    return result


def call_tool(name: str, arguments: object, app: ASGIApp | None = None, version: str = LATEST) -> Json:
    """Call a tool, and return its result, which has its answer as a text and, if there is one, as the same JSON."""
    result = read_result(ask(write_message("tools/call", {"name": name, "arguments": arguments}, version), app))
    (content,) = result["content"]
    if "structuredContent" in result:
        assert msgspec.json.decode(content["text"]) == result["structuredContent"]
    return result
