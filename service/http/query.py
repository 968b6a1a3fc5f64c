"""The query of a request, decoded strictly."""

from typing import Final, TypeVar
from urllib.parse import parse_qsl

import msgspec
from litestar.types import Scope

from service.http.validation import list_faults
from service.wire.refusal import Refusal, sum_up

Result = TypeVar("Result")

PARAMETERS_AT_MOST: Final = 16
"""Parameters of a query: more are not decoded."""


def read_query(scope: Scope, kind: type[Result]) -> Result:
    """Decode the query of a request; of a parameter that is there twice, the last counts.

    Errors: Refusal.
    """
    query = scope["query_string"].decode("latin-1")
    try:
        sent: dict[object, str] = dict(parse_qsl(query, keep_blank_values=True, max_num_fields=PARAMETERS_AT_MOST))
    except ValueError as exc:
        detail = f"The query has more than {PARAMETERS_AT_MOST} parameters."
        raise Refusal("invalid_query", detail) from exc
    try:
        return msgspec.convert(sent, kind)
    except msgspec.ValidationError as exc:
        errors = list_faults(exc, kind, {**sent})
        raise Refusal("invalid_query", sum_up(errors), errors) from exc
