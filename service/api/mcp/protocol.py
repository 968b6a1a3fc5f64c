"""The messages of the Model Context Protocol: their types, and their required parts by version.

Source: modelcontextprotocol.io, revisions 2026-07-28 (stateless) and 2025-11-25.
"""

import re
from base64 import b64decode
from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Raw, Struct, field

LATEST: Final = "2026-07-28"
"""The stateless version: each request names its version and its client."""
WITH_HANDSHAKE: Final = ("2025-11-25", "2025-06-18", "2025-03-26")
"""Versions that begin with `initialize`; the service keeps no session."""
SUPPORTED: Final = (LATEST, *WITH_HANDSHAKE)

CALL_TOOL: Final = "tools/call"
"""The method that calls a tool; only its messages may be long."""
READ_RESOURCE: Final = "resources/read"
_VERSION: Final = b"mcp-protocol-version"

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
HEADER_MISMATCH: Final = -32020
UNSUPPORTED_VERSION: Final = -32022
_ENCODED: Final = re.compile(r"=\?base64\?([A-Za-z0-9+/=]*)\?=").fullmatch


_Text: TypeAlias = Annotated[str, Meta(max_length=1000)]
"""A text that is kept during a tool's call."""


class Capabilities(Struct, frozen=True):
    """The abilities of a client: unused, so the decoder skips them."""


class RequestMeta(Struct, frozen=True):
    """The metadata of a request in the latest version: the protocol's version and the client."""

    version: _Text = field(name="io.modelcontextprotocol/protocolVersion", default="")
    capabilities: Capabilities | None = field(name="io.modelcontextprotocol/clientCapabilities", default=None)


class Params(Struct, frozen=True):
    """The parameters of all methods that there are."""

    name: _Text = ""
    """The tool that `tools/call` calls."""
    uri: _Text = ""
    """The resource that `resources/read` reads."""
    arguments: Raw = Raw(b"{}")
    """The arguments of the tool, in JSON."""
    version: _Text = field(name="protocolVersion", default="")
    """The version that `initialize` asks for."""
    meta: RequestMeta = field(name="_meta", default=RequestMeta())
    """The metadata of the request; empty before the latest version."""


class RpcMessage(Struct, frozen=True):
    """A request of JSON-RPC or, without an `id`, a notification."""

    jsonrpc: Literal["2.0"]
    method: Annotated[str, Meta(max_length=100)]
    id: int | _Text | None = None
    params: Params = Params()


class ProtocolError(Exception):
    """A message that is refused before a tool is called: a JSON-RPC error, and the status of its response.

    Shape: `facts` are the extra data of errors of this code; None if there are none.
    """

    def __init__(self, code: int, message: str, facts: object = None, status: int = 400) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.facts = facts
        self.status = status


def require_version(message: RpcMessage, fields: Mapping[bytes, bytes]) -> str:
    """Return the protocol version of a request.

    Errors: ProtocolError, if there is no such version, or headers and body differ.
    """
    told, named = message.params.meta.version, fields.get(_VERSION, b"").decode("latin-1")
    if message.method == "initialize":
        return _choose_version(message.params.version)
    if not told and named != LATEST:
        if named and named not in WITH_HANDSHAKE:
            raise _refuse_version(named)
        return named or WITH_HANDSHAKE[-1]
    if not told or message.params.meta.capabilities is None:
        needed = ", ".join(name for name in RequestMeta.__struct_encode_fields__)
        raise ProtocolError(INVALID_PARAMS, f"In version {LATEST}, params._meta has {needed}.")
    _require_headers(message, fields)
    if told != LATEST:
        raise _refuse_version(told)
    return told


def _choose_version(wanted: str) -> str:
    """Return the version of a handshake: the wanted one or, if that is not supported, the newest."""
    return wanted if wanted in WITH_HANDSHAKE else WITH_HANDSHAKE[0]


def _require_headers(message: RpcMessage, fields: Mapping[bytes, bytes]) -> None:
    """Refuse a request whose headers, which proxies may route by, differ from its body.

    Errors: ProtocolError.
    """
    params = message.params
    expected = {_VERSION: params.meta.version, b"mcp-method": message.method}
    if message.method == CALL_TOOL:
        expected[b"mcp-name"] = params.name
    if message.method == READ_RESOURCE:
        expected[b"mcp-name"] = params.uri
    for name, value in expected.items():
        sent = fields.get(name)
        if sent is None or _decode_header(sent) != value:
            found = "is missing" if sent is None else f"is {sent[:80].decode('latin-1')!r}"
            detail = f"The header {name.decode()} {found}, and the body says {value[:80]!r}."
            raise ProtocolError(HEADER_MISMATCH, detail)


def _decode_header(sent: bytes) -> str:
    """Return the text of a header, which may be encoded in Base64. Return "" if it cannot be decoded."""
    value = sent.decode("latin-1")
    found = _ENCODED(value)
    if found is None:
        return value
    try:
        return b64decode(found[1], validate=True).decode()
    except ValueError:
        return ""


def _refuse_version(version: str) -> ProtocolError:
    facts = {"supported": SUPPORTED, "requested": version[:80]}
    return ProtocolError(UNSUPPORTED_VERSION, f"Supported versions of MCP: {', '.join(SUPPORTED)}.", facts)


class _Identified(Struct, frozen=True):
    """The id of an unreadable message."""

    id: int | _Text | None = None


_decode_id: Final = msgspec.json.Decoder(_Identified).decode


def find_id(raw: bytes) -> int | str | None:
    """Return the id of a message. Return None if it has no readable one."""
    try:
        return _decode_id(raw).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
