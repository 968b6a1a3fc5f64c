"""Tools: one per operation; its arguments are one object with the fields of body and parameters."""

from functools import cache
from typing import Any, Final

from litestar.types import Receive
from msgspec import Struct, defstruct

from service.api.batches.batch import answer_batch
from service.api.games.my_games import list_my_games
from service.http.arguments import Values, convert, take_from
from service.http.context import GAME, RequestContext
from service.http.decoding import decoder_of
from service.http.endpoint import Endpoint
from service.http.operation import Operation
from service.http.parameters import Parameter
from service.http.response import WholeResponse

_BATCHES: Final = (answer_batch, list_my_games)
"""Not tools: each of their items has its own tool, and no call carries many tokens."""
_SHARED_FIELDS: Final = frozenset({b"host", b"x-api-key"})
"""Fields that a call shares with the request of its operation. A token is only ever an argument."""


def is_tool(operation: Operation) -> bool:
    """Return True if an operation is a tool: no stream, no batch, and no question by URL."""
    return not operation.is_stream and operation not in _BATCHES and "{notation}" not in operation.path


class Tool:
    """An operation as a tool."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.operation = operation = endpoint.operation
        kind = make_arguments_type(operation)
        if kind is not operation.body:
            body, parameters = operation.body, list_arguments(operation)
            take = take_from(
                operation,
                lambda context: _read_body(body, context.question),
                lambda context: _read_values(parameters, context),
            )
            endpoint = endpoint.taking(decoder_of(kind), take)
        self._endpoint = endpoint

    async def ask(self, context: RequestContext, receive: Receive, arguments: bytes) -> WholeResponse:
        """Call the operation with the arguments of a call, which counts as a request of its route and method.

        Errors: ClientLeft.
        """
        context.method = self.operation.method
        context.fields = {name: value for name, value in context.fields.items() if name in _SHARED_FIELDS}
        return await self._endpoint.call(context, receive, arguments)


def list_arguments(operation: Operation) -> list[Parameter]:
    """List the parameters that are arguments of a tool."""
    return [one for one in operation.parameters if one.type is not None]


@cache
def make_arguments_type(operation: Operation) -> type[Struct]:
    """Make the type of the arguments of a tool: the body of its operation, with a field for each parameter.

    Errors: ValueError, if a field of the body has the name of a parameter.
    """
    body: type[Struct] | None = operation.body
    parameters = list_arguments(operation)
    if body is not None and not parameters:
        return body
    if body is not None and {one.field for one in parameters} & {*body.__struct_fields__}:
        raise ValueError(operation.operation_id)
    fields: list[Any] = [
        (one.field, one.type) if operation.parameters[one] else (one.field, one.type | None, None) for one in parameters
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


def _read_body(body: type[Struct], arguments: object) -> Struct:
    """Return the body in the arguments of a call, as a value of its exact type, which the store may hash."""
    return body(**{name: getattr(arguments, name) for name in body.__struct_fields__})


def _read_values(parameters: list[Parameter], context: RequestContext) -> Values:
    """Return the parameters in the arguments of a call, and note the game for the log."""
    values = convert(parameters, context.question)
    if GAME in values:
        context.path_params = {GAME: values[GAME]}
    return values
