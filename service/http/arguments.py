"""The arguments of an operation's function: the body or the text in the path, and the request value."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, TypeAlias

from msgspec import defstruct

from service.http.context import RequestContext
from service.http.decoding import read_query
from service.http.negotiation import Format
from service.http.operation import Operation
from service.http.parameters import Parameter

Take: TypeAlias = Callable[[RequestContext, Format], tuple[Any, ...]]
"""Takes the arguments of a function from a request. Errors: Refusal."""
Values: TypeAlias = dict[str, Any]
"""The parameters of a request, by field."""
_question: Final = attrgetter("question")


def take_over_http(operation: Operation) -> Take:
    """Return the reader of a function's arguments from an HTTP request."""
    return take_from(operation, _question, _read_over_http(operation))


def take_from(
    operation: Operation, body: Callable[[RequestContext], Any], values: Callable[[RequestContext], Values]
) -> Take:
    """Return the reader of a function's arguments, in order."""
    kind, text, has_body = operation.request_type, operation.text, operation.body is not None
    if kind is None:
        if text is not None:
            return lambda context, _: (values(context)[text.field],)
        return (lambda context, _: (body(context),)) if has_body else (lambda _, __: ())

    def take(context: RequestContext, wanted: Format) -> tuple[Any, ...]:
        found = values(context)
        if text is not None:
            return found.pop(text.field), kind(context, wanted, **found)
        request = kind(context, wanted, **found)
        return (body(context), request) if has_body else (request,)

    return take


def _read_over_http(operation: Operation) -> Callable[[RequestContext], Values]:
    """Return the reader of the parameters of an HTTP request."""
    taken = [one for one in operation.parameters if one.field]
    in_path = [one for one in taken if one.place == "path"]
    in_head = [(one, one.name.lower().encode()) for one in taken if one.place == "header"]
    in_query = [one for one in taken if one.place == "query"]
    query_type = defstruct("Query", [(one.field, one.type, None) for one in in_query], frozen=True)

    def read(context: RequestContext) -> Values:
        fields = context.fields
        values = {one.field: one.read(context.path_params[one.name]) for one in in_path}
        for one, name in in_head:
            if name in fields:
                values[one.field] = one.read(fields[name].decode("latin-1"))
        return (values | convert(in_query, read_query(context.query, query_type))) if in_query else values

    return read


def convert(parameters: list[Parameter], decoded: object) -> Values:
    """Return the parameters in a decoded query or in the decoded arguments of a tool."""
    values: Values = {}
    for one in parameters:
        value = getattr(decoded, one.field)
        if value is not None:
            values[one.field] = value if one.convert is None else one.convert(value)
    return values
