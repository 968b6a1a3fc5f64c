r"""Lone surrogates in JSON, such as "\ud83d", from texts that were cut inside an emoji.

JSON allows them, UTF-8 does not. The decoder stops at one without telling where.
"""

import json
import re
from collections.abc import Iterator
from typing import Final

from service.http.validation import Decoded
from service.schemas.faults import Error, pointer

DETAIL: Final = "The text has half of a character, as of an emoji that was cut."
MAX_MARKED: Final = 1000
"""Surrogates that are marked, so a body full of them takes no longer than another."""
_IN_BYTES: Final = re.compile(rb"\\u[dD][89a-fA-F]").search
_IN_TEXT: Final = re.compile(r"[\ud800-\udfff]").search
_HALF: Final = re.compile(
    rb"((?:[^\\]|\\(?!u[dD][89a-fA-F]).|\\u[dD][89abAB]..\\u[dD][c-fC-F]..)*+)(?:\\u([dD][89a-fA-F][0-9a-fA-F]{2})|\Z)",
    re.DOTALL,
)
"""The text before a lone surrogate, pairs included, and the surrogate if there is one."""


def mark_halves(raw: bytes) -> bytes:
    """Return JSON with its lone surrogates as marked bytes that the decoder can skip."""
    return _HALF.sub(_mark, raw, count=MAX_MARKED) if _IN_BYTES(raw) else raw


def _mark(found: re.Match[bytes]) -> bytes:
    return found[1] + (chr(int(found[2], 16)).encode("utf-8", "surrogatepass") if found[2] else b"")


def find_halves(raw: bytes) -> tuple[Error, ...]:
    """Return the first text with a lone surrogate as a fault; none if there is none, or the rest is no JSON."""
    try:
        found = next(_walk(json.loads(raw.decode("utf-8", "surrogatepass")), ()), None)
    except (ValueError, RecursionError):
        return ()
    return () if found is None else (Error(pointer(*found), "wrong_pattern", DETAIL),)


def _walk(value: Decoded, at: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    """Yield the place of each text with a lone surrogate; for a field's name, the place of its object."""
    if isinstance(value, str) and _IN_TEXT(value):
        yield at
    match value:
        case dict():
            for name, inner in value.items():
                yield from (at,) if _IN_TEXT(str(name)) else ()
                yield from _walk(inner, (*at, str(name)))
        case list():
            for place, inner in enumerate(value):
                yield from _walk(inner, (*at, place))
        case _:
            return
