"""The query of a request, decoded strictly."""

from typing import TypeVar
from urllib.parse import parse_qsl

import msgspec
from litestar.types import Scope

from service.http.validation import list_faults
from service.wire.refusal import Refusal, sum_up

Result = TypeVar("Result")


def read_query(scope: Scope, kind: type[Result]) -> Result:
    """Decode the query of a request; of a parameter that is there twice, the last counts.

    Errors: Refusal.
    """
    sent: dict[object, str] = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
    try:
        return msgspec.convert(sent, kind)
    except msgspec.ValidationError as exc:
        errors = list_faults(exc, kind, {**sent})
        raise Refusal("invalid_query", sum_up(errors), errors) from exc
