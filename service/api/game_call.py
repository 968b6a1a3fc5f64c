"""What a call on a live game brings along besides its body: which game, whose token, which version."""

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from litestar.types import Scope
from msgspec import Struct

from service.games.live import UNREADABLE
from service.http.response import write_etag
from service.wire.refusal import Refusal

_ID: Final = re.compile("[A-Za-z0-9_-]{22}").fullmatch
"""What has not the form of an id is no game's; the store has other keys, too."""
_ETAG: Final = re.compile(r'(?:W/)?"([0-9]{1,18})"')
"""One version as an entity tag; a proxy that compresses answers makes it a weak one on its way."""
_READ: Final = {
    name.encode(): name for name in ("authorization", "if-match", "if-none-match", "idempotency-key", "last-event-id")
}


class Call(Struct, frozen=True, gc=False):
    """A call on live games: the game's id from the path, empty where there is none, and the headers."""

    game: str
    headers: Mapping[str, str]

    @property
    def token(self) -> str | None:
        """The token sent as a bearer token; None without any, empty where something else was sent."""
        header = self.headers.get("authorization")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""

    @property
    def version(self) -> int | None:
        """The version in If-Match; None where it is not there."""
        header = self.headers.get("if-match")
        if header is None:
            return None
        found = _ETAG.fullmatch(header.strip())
        return int(found[1]) if found else UNREADABLE

    @property
    def idempotency_key(self) -> str | None:
        """The Idempotency-Key; None where there is none."""
        return self.headers.get("idempotency-key")

    @property
    def last_seen(self) -> int | None:
        """The version in Last-Event-ID; None for anything that is no version."""
        header = self.headers.get("last-event-id", "")
        return int(header) if header.isascii() and header.isdigit() and len(header) < 10 else None

    def knows(self, version: int) -> bool:
        """Return whether If-None-Match names a version."""
        tags = [tag.strip().removeprefix("W/") for tag in self.headers.get("if-none-match", "").split(",")]
        return write_etag(version) in tags or "*" in tags


def read_call(scope: Scope) -> Call:
    """Read what a request brings along besides its body.

    Errors: Refusal, where the path has no game's id.
    """
    parameters: dict[str, str] = cast("dict[str, Any]", scope).get("path_params", {})
    game = parameters.get("game_id", "")
    if game and not _ID(game):
        raise Refusal("not_found", "No resource has this path.")
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name = _READ.get(raw_name)
        if name is not None:
            value = raw_value.decode("latin-1")
            # A header that comes twice means both, so that it is never half of them that counts.
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return Call(game, headers)
