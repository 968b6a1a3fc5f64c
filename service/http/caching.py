"""Constant answers: with an ETag, and status 304 for a client that has them already."""

import gzip
from functools import cache
from hashlib import sha256
from typing import Any, Final

from litestar import Request, Response
from msgspec import Struct

from service.http.negotiation import accepts_gzip

CACHE_CONTROL: Final = "public, max-age=3600"


class Representation(Struct, frozen=True):
    """A constant body with its media type and its ETag."""

    body: bytes
    media_type: str
    etag: str


def make_representation(body: bytes, media_type: str) -> Representation:
    """Return the representation of a body, with a hash of the body as its ETag."""
    return Representation(body, media_type, hash_body(body))


def hash_body(body: bytes) -> str:
    """Return the ETag of a body: a hash of it."""
    return f'"{sha256(body).hexdigest()[:32]}"'


CODINGS: Final = ("gzip", "br", "deflate", "zstd")
"""Suffixes that a proxy such as Apache appends to the ETag of an answer that it compresses."""


def is_known(etag: str, if_none_match: str) -> bool:
    """Return True if If-None-Match says that the client has what an ETag names."""
    known = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    return not known.isdisjoint({"*", etag, *(f'{etag[:-1]}-{coding}"' for coding in CODINGS)})


def respond_compressed(request: Request[Any, Any, Any], shown: Representation) -> Response[bytes]:
    """Answer with a representation, gzip-compressed if accepted, or with 304 if the client has it.

    Both forms are cached, so use this only for bodies that never change while the process lives.
    """
    packed = accepts_gzip(request)
    shown = _pack(shown) if packed else shown
    headers = {"etag": shown.etag, "cache-control": CACHE_CONTROL, "vary": "accept-encoding"}
    headers |= {"content-encoding": "gzip"} if packed else {}
    if is_known(shown.etag, request.headers.get("if-none-match", "")):
        return Response(b"", status_code=304, headers=headers)
    return Response(shown.body, headers=headers, media_type=shown.media_type)


@cache
def _pack(shown: Representation) -> Representation:
    return make_representation(gzip.compress(shown.body, mtime=0), shown.media_type)
