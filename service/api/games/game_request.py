"""A request on a live game without its body: the game, the token, the revision."""

import re
from typing import Any, Final, Self, cast

from litestar.types import HTTPScope

from service.game.rulesets import Seat
from service.http.negotiation import Format
from service.http.request import ApiRequest
from service.schemas.ids import GameId, Key, Token
from service.schemas.refusal import Refusal
from service.schemas.revision import NO_REVISION, REVISION, Revision, parse_revision

_ID: Final = re.compile("[A-Za-z0-9_-]{22}").fullmatch
"""The form of a game's id. Nothing else is looked up in the store, which has other keys, too."""
_SEAT: Final = re.compile("[0-7]").fullmatch
_ETAG: Final = re.compile(f'(?:W/)?"{REVISION}"')
"""A revision as an entity tag, which a proxy that compresses answers turns into a weak one."""


class GameRequest(ApiRequest, frozen=True):
    """A request on live games: the id of the game in the path, empty if there is none, and the seat, 0 without one."""

    game: GameId
    seat: Seat

    @classmethod
    def read(cls, scope: HTTPScope, wanted: Format) -> Self:
        """Read the path of a request.

        Errors: Refusal, if the id of the game is malformed, or no table has such a seat.
        """
        parameters: dict[str, str] = cast("dict[str, Any]", scope).get("path_params", {})
        game, seat = parameters.get("game_id", ""), parameters.get("seat", "0")
        if game and not _ID(game):
            raise Refusal("no_such_game", "No game has this id: an id has 22 letters, digits, hyphens and underscores.")
        if not _SEAT(seat):
            raise Refusal("not_found", "No table has this seat.")
        return cls(scope, wanted, GameId(game), int(seat))

    def _field(self, name: bytes) -> str | None:
        sent = self.context.fields.get(name)
        return None if sent is None else sent.decode("latin-1")

    @property
    def token(self) -> Token | None:
        """Return the bearer token. Return None if there is no Authorization, "" if it is no bearer token."""
        header = self._field(b"authorization")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        return Token(token.strip() if scheme.lower() == "bearer" else "")

    @property
    def revision(self) -> Revision | None:
        """Return the revision in If-Match. Return None without the header, NO_REVISION if it is not one revision."""
        header = self._field(b"if-match")
        if header is None:
            return None
        found = _ETAG.fullmatch(header.strip())
        return Revision(int(found[1]), found[2]) if found else NO_REVISION

    @property
    def idempotency_key(self) -> Key | None:
        """Return the Idempotency-Key. Return None if there is none."""
        sent = self._field(b"idempotency-key")
        return None if sent is None else Key(sent)

    @property
    def last_seen(self) -> Revision | None:
        """Return the revision in Last-Event-ID. Return None if there is none, or it is not a revision."""
        return parse_revision(self._field(b"last-event-id") or "")
