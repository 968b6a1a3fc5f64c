"""Content negotiation: the format of the body, and the format wanted for the answer."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

from litestar import Request

from service.schemas.refusal import Refusal

Format: TypeAlias = Literal["json", "msgpack", "text"]
"""A format of a body; `text` is the extra media type of an operation."""

MEDIA_TYPES: Final[dict[Format, str]] = {"json": "application/json", "msgpack": "application/msgpack"}
_MAX_HEADER_BYTES: Final = 1000
"""Bytes of a header that are read: parsing takes time, and results are cached."""
_CHARSET: Final = re.compile(r';\s*charset\s*=\s*"?([^\s;"]*)')
_WEIGHT: Final = re.compile(r"\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*")


def negotiate(method: str, fields: Mapping[bytes, bytes], taken: str = "", written: str = "") -> tuple[Format, Format]:
    """Return the format of the body, and the format wanted for the answer.

    Shape: `taken` is the media type of texts that the operation also takes, `written` of texts that it also answers
    with; "" for none.
    Errors: Refusal, for an encoded body, and for a Content-Type or Accept header without a supported format.
    """
    content_type, accept = fields.get(b"content-type", b""), fields.get(b"accept", b"")
    if fields.get(b"content-encoding", b"identity").lower() != b"identity":
        raise Refusal("unsupported_media_type", "The body has a Content-Encoding: send it without one.")
    if not content_type and method == "QUERY":
        raise Refusal("unsupported_media_type", "A QUERY names the media type of its body in Content-Type.")
    if len(content_type) > _MAX_HEADER_BYTES:
        raise Refusal("unsupported_media_type", f"The Content-Type is longer than {_MAX_HEADER_BYTES} bytes.")
    if len(accept) > _MAX_HEADER_BYTES:
        raise Refusal("not_acceptable", f"The Accept header is longer than {_MAX_HEADER_BYTES} bytes.")
    return _negotiate_cached(content_type, accept, taken, written)


@lru_cache(maxsize=256)
def _negotiate_cached(content_type: bytes, accept: bytes, taken: str, written: str) -> tuple[Format, Format]:
    content = _content_format(content_type.decode("latin-1").lower(), taken)
    usual: Format = "json" if content == "text" else content
    ranges = accept.decode("latin-1").lower().strip(" ,\t")
    if not ranges:
        return content, usual
    available: dict[Format, str] = {usual: MEDIA_TYPES[usual], **MEDIA_TYPES, **({"text": written} if written else {})}
    weights: dict[Format, float] = {name: weigh(ranges, media) for name, media in available.items()}
    wanted = max(weights, key=lambda name: weights[name])
    if not weights[wanted]:
        raise Refusal("not_acceptable", f"Answers are available as {_list_media(written)} only.")
    return content, wanted


def _content_format(content_type: str, text: str) -> Format:
    """Return the format of a body; without a Content-Type, a body is absent or refused later."""
    media = content_type.partition(";")[0].strip() or MEDIA_TYPES["json"]
    charset = _CHARSET.search(content_type)
    if charset and charset[1] not in {"utf-8", "utf8"}:
        raise Refusal("unsupported_media_type", f"The charset is {charset[1][:40]}, not utf-8.")
    for name, known in MEDIA_TYPES.items():
        if media == known:
            return name
    if media == text:
        return "text"
    raise Refusal("unsupported_media_type", f"The body is {media[:80]}, not {_list_media(text)}.")


def _list_media(text: str) -> str:
    """List the media types, including the one for texts if there is one."""
    return " or ".join(filter(None, (*MEDIA_TYPES.values(), text)))


def accepts_gzip(request: Request[Any, Any, Any]) -> bool:
    """Return True if a client accepts gzip."""
    return weigh(request.headers.get("accept-encoding", "").lower(), "gzip") > 0


def weigh(ranges: str, media: str) -> float:
    """Return the weight of a media type in Accept, or of a coding in Accept-Encoding; 0 if not accepted.

    The most specific matching range decides. Parameters other than the weight are ignored, and so are ranges beyond the
    number that clients send.
    Source: RFC 9110, 12.5.1.
    """
    specific = {"*/*": 0, media.partition("/")[0] + "/*": 1, media: 2}
    best = (-1, 0.0)
    for entry in ranges[:_MAX_HEADER_BYTES].split(","):
        name, *parameters = entry.split(";")
        if name.strip() in specific:
            weights = [found[1] for found in map(_WEIGHT.fullmatch, parameters) if found]
            best = max(best, (specific[name.strip()], float(weights[0]) if weights else 1.0))
    return best[1]
