"""A request on a live game without its body: the game, the token, the version."""

from service.game.rulesets import Seat
from service.http.request import ApiRequest
from service.schemas.ids import GameId, Key, Token
from service.schemas.revision import Revision


class GameRequest(ApiRequest, frozen=True):
    """A request on live games."""

    game_id: GameId = GameId("")
    """The game; empty if the path names none."""
    seat: Seat = 0
    """The seat; 0 if the path names none."""
    token: Token | None = None
    """The bearer token; None without Authorization, "" if that has no bearer token."""
    version: Revision | None = None
    """The version that the caller saw; None without If-Match, NO_REVISION if that is not one version."""
    idempotency_key: Key | None = None
    """The Idempotency-Key."""
    after: Revision | None = None
    """The version after which a page of changes begins."""
    last_seen: Revision | None = None
    """The version in Last-Event-ID; None if that is no version."""
