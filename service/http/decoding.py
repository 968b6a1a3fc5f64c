"""The decoding of bodies and queries, once and strictly."""

from collections.abc import Callable
from functools import cache
from math import isinf
from typing import Any, Final, Protocol, TypeVar
from urllib.parse import parse_qsl

import msgspec

from service.game.notation.encoding import SAVE_AS_UTF_8, is_utf_16
from service.http.negotiation import MEDIA_TYPES, Format
from service.http.surrogates import find_halves
from service.http.validation import Decoded, list_faults, without_nulls
from service.schemas.refusal import Refusal, sum_up

Result = TypeVar("Result")

MAX_SEARCHED_BYTES: Final = 64 * 1024
"""Bytes of a body up to which all faults are listed, null counts as absent, and 3.0 counts as 3."""
MAX_PARAMETERS: Final = 16
"""Query parameters that are decoded at most."""


class BodyDecoder(Protocol):
    """A decoder of bodies of one type."""

    def __call__(self, raw: bytes, content: Format) -> Any:
        """Decode a body.

        Errors: Refusal, with the faults of its shape.
        """
        ...


@cache
def decoder_of(body: Any, *, optional_body: bool = False) -> BodyDecoder:
    """Return the strict decoder of a type; an optional body that is missing or null is an empty object.

    Shape: without a type, every body decodes to None.
    """
    if body is None:
        return _pass_over
    kind = body | None if optional_body else body  # generated Go clients send null for a missing body
    decoders: dict[Format, Callable[[bytes], Any]] = {
        "json": msgspec.json.Decoder(kind).decode,
        "msgpack": msgspec.msgpack.Decoder(kind).decode,
    }

    def decode(raw: bytes, content: Format) -> Any:
        if optional_body and not raw:
            return body()
        try:
            decoded = decoders[content](raw)
            return body() if decoded is None else decoded
        except msgspec.ValidationError as exc:
            return _decode_again(exc, raw, content, body)
        except _MALFORMED as exc:
            raise _refuse_malformed(exc, raw, content) from exc

    return decode


def _pass_over(raw: bytes, content: Format) -> None:
    """Decode nothing."""


_MALFORMED: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The exceptions of decoding a malformed body."""


def _refuse_malformed(exc: Exception, raw: bytes, content: Format) -> Refusal:
    if isinstance(exc, RecursionError):
        return Refusal("malformed_body", "The body is nested too deeply.")
    if not raw:
        return Refusal("malformed_body", f"The body is empty; send {MEDIA_TYPES[content]}.")
    if content == "json" and is_utf_16(raw):
        return Refusal("malformed_body", f"{SAVE_AS_UTF_8}.")
    if content == "json" and len(raw) <= MAX_SEARCHED_BYTES and (errors := find_halves(raw)):
        return Refusal("invalid_body", sum_up(errors), errors)
    return Refusal("malformed_body", f"The body is not {MEDIA_TYPES[content]}: {exc}.")


_MENDABLE: Final[dict[Format, tuple[str, ...]]] = {
    "json": (", got `null`", ", got `float`"),
    "msgpack": (", got `None`",),
}
"""Words in the decoder's message for faults that may be another way to write the same value."""


def _decode_again(exc: msgspec.ValidationError, raw: bytes, content: Format, body: Any) -> Any:
    """Decode a body with null for an optional field or, in JSON, 3.0 for an integer.

    To JSON Schema 3.0 and 3 are the same number; MessagePack has a type for each of them.
    Errors: Refusal, if the shape is wrong all the same: with all faults, or the first of a huge body.
    """
    whole = _decode_untyped(raw, content) if len(raw) <= MAX_SEARCHED_BYTES else None
    if whole is None or not any(words in str(exc) for words in _MENDABLE[content]):
        raise _refuse_shape(exc, body, whole) from exc
    try:
        return msgspec.convert(without_nulls(body, whole), body)
    except msgspec.ValidationError as second:  # kept under no name: its traceback leads back here, a cycle
        raise _refuse_shape(second, body, whole) from second


def _refuse_shape(exc: msgspec.ValidationError, body: Any, whole: Decoded) -> Refusal:
    errors = list_faults(exc, body, whole)
    return Refusal("invalid_body", sum_up(errors), errors)


def _read_number(text: str) -> float:
    """Return a number of JSON with a point or an exponent: an integer if it is whole.

    Errors: ValueError, if it is too large; the decoder reports that as its own fault.
    """
    number = float(text)
    if isinf(number):
        raise ValueError("Number out of range")
    return int(number) if number.is_integer() else number


_UNTYPED: Final[dict[Format, Callable[[bytes], Any]]] = {
    "json": msgspec.json.Decoder(float_hook=_read_number).decode,
    "msgpack": msgspec.msgpack.decode,
}


def _decode_untyped(raw: bytes, content: Format) -> Decoded:
    """Decode a body without its type. Return None if impossible, as with a key that Python cannot hash.

    Errors: Refusal, if the body is malformed after its first fault.
    """
    try:
        whole: Decoded = _UNTYPED[content](raw)
    except msgspec.ValidationError:
        return None
    except _MALFORMED as exc:
        raise _refuse_malformed(exc, raw, content) from exc
    return whole


def read_query(query: bytes, kind: type[Result]) -> Result:
    """Decode a query as sent; the last value of a repeated parameter counts.

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
        return msgspec.convert(sent, kind, strict=False)
    except msgspec.ValidationError as exc:
        errors = list_faults(exc, kind, {**sent})
        raise Refusal("invalid_query", sum_up(errors), errors) from exc
