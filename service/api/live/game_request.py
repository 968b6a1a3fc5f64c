"""A request on a live game without its body: the game, the token, the revision."""

import re
from collections.abc import Mapping
from typing import Any, Final, Self, cast

from litestar.types import HTTPScope

from service.http.caching import is_known
from service.http.context import base_of, context_of
from service.http.negotiation import Format
from service.http.request import ApiRequest, caller_of
from service.http.response import write_etag
from service.revision import NO_REVISION, REVISION, Revision, parse_revision
from service.rulesets import Seat
from service.wire.refusal import Refusal

_ID: Final = re.compile("[A-Za-z0-9_-]{22}").fullmatch
"""The form of a game's id. Nothing else is looked up in the store, which has other keys, too."""
_SEAT: Final = re.compile("[0-7]").fullmatch
_ETAG: Final = re.compile(f'(?:W/)?"{REVISION}"')
"""A revision as an entity tag, which a proxy that compresses answers turns into a weak one."""
_HEADERS: Final = {
    name.encode(): name for name in ("authorization", "if-match", "if-none-match", "idempotency-key", "last-event-id")
}


class GameRequest(ApiRequest, frozen=True, gc=False, kw_only=True):
    """A request on live games: the id of the game in the path, empty if there is none, and the headers.

    Shape: `seat` is the one in the path, 0 if there is none.
    """

    game: str
    seat: Seat
    headers: Mapping[str, str]

    @classmethod
    def read(cls, scope: HTTPScope, wanted: Format) -> Self:
        """Read the path and the headers of a request.

        Errors: Refusal, if the id of the game is malformed, or no table has such a seat.
        """
        parameters: dict[str, str] = cast("dict[str, Any]", scope).get("path_params", {})
        game, seat = parameters.get("game_id", ""), parameters.get("seat", "0")
        if game and not _ID(game):
            raise Refusal("no_such_game", "No game has this id: an id has 22 letters, digits, hyphens and underscores.")
        if not _SEAT(seat):
            raise Refusal("not_found", "No table has this seat.")
        headers: dict[str, str] = {}
        for raw_name, raw_value in scope["headers"]:
            name = _HEADERS.get(raw_name)
            if name is not None:
                value = raw_value.decode("latin-1")
                # Of a header that is sent twice, neither value alone counts.
                headers[name] = f"{headers[name]}, {value}" if name in headers else value
        context = context_of(scope)
        return cls(
            request_id=context.request_id,
            base=base_of(scope),
            caller=caller_of(scope),
            wanted=wanted,
            body_bytes=context.body_bytes,
            query=scope["query_string"],
            game=game,
            seat=int(seat),
            headers=headers,
        )

    @property
    def token(self) -> str | None:
        """Return the bearer token. Return None if there is no Authorization, "" if it is no bearer token."""
        header = self.headers.get("authorization")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""

    @property
    def revision(self) -> Revision | None:
        """Return the revision in If-Match. Return None without the header, NO_REVISION if it is not one revision."""
        header = self.headers.get("if-match")
        if header is None:
            return None
        found = _ETAG.fullmatch(header.strip())
        return Revision(int(found[1]), found[2]) if found else NO_REVISION

    @property
    def idempotency_key(self) -> str | None:
        """Return the Idempotency-Key. Return None if there is none."""
        return self.headers.get("idempotency-key")

    @property
    def last_seen(self) -> Revision | None:
        """Return the revision in Last-Event-ID. Return None if there is none, or it is not a revision."""
        return parse_revision(self.headers.get("last-event-id", ""))

    def knows(self, revision: Revision) -> bool:
        """Return True if If-None-Match names a revision."""
        return is_known(write_etag(revision), self.headers.get("if-none-match", ""))
