"""The tools: an operation each, whose body, path, query and headers are the fields of one object, its arguments."""

import re
from functools import cache
from typing import Annotated, Any, Final, TypeAlias, cast
from urllib.parse import urlencode

import msgspec
from litestar.types import HTTPScope, Message, Receive, ReceiveMessage
from msgspec import Meta, Raw, Struct, defstruct

from service.api.batches.batch import PATH as BATCHES
from service.game.rulesets import RulesetId, Seat
from service.http.body import ClientLeft
from service.http.context import context_of
from service.http.decoding import decoder_of
from service.http.endpoint import Endpoint
from service.http.operation import BODY_BYTES, Operation
from service.http.problems import answer_refusal
from service.schemas.refusal import Refusal
from service.schemas.revision import Version
from service.schemas.scalars import ShownGameId

SecretToken: TypeAlias = Annotated[
    str, Meta(description="The secret token of a seat or of the host, from `open_game`.")
]
RepeatKey: TypeAlias = Annotated[
    str, Meta(description="A random text of 16 to 256 characters; with the same one the call can be repeated.")
]
SeenVersion: TypeAlias = Annotated[Version, Meta(description="The version of the game that you saw.")]
LastVersion: TypeAlias = Annotated[Version, Meta(description="The version that you saw last.")]


class Argument(Struct, frozen=True):
    """An argument that its operation has in the path, in the query or, in the form `header`, as a header."""

    name: str
    type: Any
    header: str = ""


ARGUMENTS: Final = {
    "ruleset_id": Argument("ruleset_id", RulesetId),
    "game_id": Argument("game_id", ShownGameId),
    "seat": Argument("seat", Seat),
    "after": Argument("after", LastVersion),
    "If-Match": Argument("version", SeenVersion, '"{}"'),
    "Idempotency-Key": Argument("idempotency_key", RepeatKey, "{}"),
    "Authorization": Argument("token", SecretToken, "Bearer {}"),
}
"""The arguments, by the names of the parameters and headers of operations."""
_SHARED_FIELDS: Final = frozenset({b"host", b"x-api-key"})
"""The fields of a call's head that the request of its operation has, too. A token is an argument and nothing else."""


def is_tool(operation: Operation) -> bool:
    """Return True if an operation is a tool: no stream, no batch, and none that asks by URL what another one asks."""
    return not operation.is_stream and operation.path != BATCHES and "{notation}" not in operation.path


class Tool:
    """An operation as a tool."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.operation = endpoint.operation
        self._takes_body = self.operation.body is not None
        self._in_path = _find_in_path(self.operation)
        self._arguments = _list_arguments(self.operation)
        self._decode = decoder_of(make_arguments_type(self.operation))

    async def ask(self, scope: HTTPScope, receive: Receive, arguments: bytes) -> tuple[int, bytes]:
        """Ask the operation with the arguments of a call, and return the status and the body of its answer.

        The call counts as a request of the operation, under its route and its method.
        Errors: ClientLeft.
        """
        context = context_of(scope)
        context.route, context.method, context.body_bytes = self.operation.path, self.operation.method, 0
        try:
            request, body = self._make_request(scope, arguments)
        except Refusal as refusal:
            refused = answer_refusal(refusal, context)
            return refused.status, refused.body
        return await _exchange(self.endpoint, request, body, receive)

    def _make_request(self, scope: HTTPScope, arguments: bytes) -> tuple[HTTPScope, bytes]:
        """Return the request of the operation, and its body.

        Errors: Refusal, with every fault of the arguments; those of a body alone are left to the endpoint.
        """
        context = context_of(scope)
        shared = {name: value for name, value in context.fields.items() if name in _SHARED_FIELDS}
        context.fields = {**shared, b"content-type": b"application/json"}
        request: dict[str, Any] = {**scope, "query_string": b"", "path_params": {}}
        if not self._arguments and self._takes_body:
            return cast("HTTPScope", request), arguments
        if len(arguments) > BODY_BYTES:
            raise Refusal("body_too_large", f"The arguments are larger than {BODY_BYTES} bytes.")
        given = self._decode(arguments, "json")
        values = {name: getattr(given, each.name) for name, each in self._arguments.items()}
        sent = {name: str(value) for name, value in values.items() if value is not None}
        context.fields |= _write_fields(sent)
        request["path_params"] = {name: sent.pop(name) for name in self._in_path}
        request["query_string"] = urlencode({name: sent[name] for name in sent if not ARGUMENTS[name].header}).encode()
        return cast("HTTPScope", request), self._write_body(arguments)

    def _write_body(self, arguments: bytes) -> bytes:
        """Write the body of the operation's request: the arguments that are its fields."""
        if not self._takes_body:
            return b""
        others = {each.name for each in self._arguments.values()}
        fields = msgspec.json.decode(arguments, type=dict[str, Raw])
        return msgspec.json.encode({name: value for name, value in fields.items() if name not in others})


def _write_fields(sent: dict[str, str]) -> dict[bytes, bytes]:
    forms = {name: form for name in sent if (form := ARGUMENTS[name].header)}
    return {name.lower().encode(): form.format(sent[name]).encode() for name, form in forms.items()}


async def _exchange(endpoint: Endpoint, request: HTTPScope, body: bytes, receive: Receive) -> tuple[int, bytes]:
    """Send a request to an endpoint, and return the status and the body of its answer.

    Errors: ClientLeft, if it does not answer.
    """
    whole: ReceiveMessage = {"type": "http.request", "body": body, "more_body": False}
    parts = iter((whole,))
    sent: list[Message] = []

    async def receive_body() -> ReceiveMessage:
        return next(parts, None) or await receive()

    async def collect(message: Message) -> None:
        sent.append(message)

    await endpoint(request, receive_body, collect)
    if not sent:
        raise ClientLeft
    start, end = cast("tuple[Any, Any]", sent)  # as every response of an endpoint is sent
    return start["status"], end["body"]


def _find_in_path(operation: Operation) -> list[str]:
    return re.findall(r"{(\w+)}", operation.path)


def _list_arguments(operation: Operation) -> dict[str, Argument]:
    """Return the arguments that are no fields of the body, by the names of parameters and headers."""
    bearer = () if operation.bearer == "none" else ("Authorization",)
    names = (*_find_in_path(operation), *operation.required_parameters, *operation.optional_parameters, *bearer)
    return {name: ARGUMENTS[name] for name in names}


@cache
def make_arguments_type(operation: Operation) -> type[Struct]:
    """Make the type of the arguments of a tool: the body of its operation, with a field for each other argument.

    Errors: ValueError, if a field has the name of an argument.
    """
    body: type[Struct] | None = operation.body
    arguments = _list_arguments(operation)
    if body is not None and not arguments:
        return body
    if body is not None and {each.name for each in arguments.values()} & {*body.__struct_fields__}:
        raise ValueError(operation.operation_id)
    needed = {
        *_find_in_path(operation),
        *operation.required_parameters,
        "Authorization" if operation.bearer == "required" else "",
    }
    fields: list[Any] = [
        (each.name, each.type) if name in needed else (each.name, each.type | None, None)
        for name, each in arguments.items()
    ]
    return defstruct(
        f"{operation.operation_id.title().replace('_', '')}Arguments",
        fields,
        bases=None if body is None else (body,),
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        namespace={"__doc__": f"{operation.summary}."},
    )
