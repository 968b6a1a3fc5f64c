"""The query of a request, decoded strictly."""

from typing import Final, TypeVar
from urllib.parse import parse_qsl

import msgspec

from service.http.validation import list_faults
from service.wire.refusal import Refusal, sum_up

Result = TypeVar("Result")

MAX_PARAMETERS: Final = 16
"""Parameters of a query: more are not decoded."""


def read_query(query: bytes, kind: type[Result]) -> Result:
    """Decode a query as sent; of a parameter that is there twice, the last counts.

    Errors: Refusal.
    """
    try:
        sent: dict[object, str] = dict(
            parse_qsl(query.decode("latin-1"), keep_blank_values=True, max_num_fields=MAX_PARAMETERS)
        )
    except ValueError as exc:
        detail = f"The query has more than {MAX_PARAMETERS} parameters."
        raise Refusal("invalid_query", detail) from exc
    try:
        return msgspec.convert(sent, kind)
    except msgspec.ValidationError as exc:
        errors = list_faults(exc, kind, {**sent})
        raise Refusal("invalid_query", sum_up(errors), errors) from exc
