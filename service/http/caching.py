"""What is read with GET or HEAD; what stays the same has an ETag, and is 304 for whoever has it already."""

from hashlib import sha256
from typing import Any, Final

from litestar import Request, Response
from msgspec import Struct

_FRESH: Final = "public, max-age=3600"


class Representation(Struct, frozen=True):
    """A body that stays the same, its media type and what names this version of it."""

    body: bytes
    media_type: str
    etag: str


def represent(body: bytes, media_type: str) -> Representation:
    """Name a body after what it holds."""
    return Representation(body, media_type, f'"{sha256(body).hexdigest()[:32]}"')


def answer_cached(
    request: Request[Any, Any, Any], shown: Representation, more: dict[str, str] | None = None
) -> Response[bytes]:
    """Answer with a representation, or with 304 if the client has it already."""
    headers = {"etag": shown.etag, "cache-control": _FRESH, **(more or {})}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if shown.etag in known or "*" in known:
        return Response(b"", status_code=304, headers=headers)
    return Response(shown.body, headers=headers, media_type=shown.media_type)
