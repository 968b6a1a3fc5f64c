"""What a call on a live game brings along besides its body: who asks, about which game, at which version."""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from service.games.log import Game
from service.games.tokens import Bearer, find_bearer
from service.http.problems import Refusal
from service.rulesets import Seat

_ETAG: Final = re.compile(r'(?:W/)?"([0-9]{1,18})"')
"""One version as an entity tag; a proxy that compresses answers makes it a weak one on its way."""


class Call(Struct, frozen=True):
    """A call on live games: the game's id from the path, empty where there is none, and the headers."""

    game: str
    headers: Mapping[str, str]

    def bearer(self, game: Game) -> Bearer:
        """Tell who asks.

        Errors: Refusal 401, for a token that is not one of this game.
        """
        header = self.headers.get("authorization")
        if header is None:
            return "spectator"
        scheme, _, token = header.partition(" ")
        bearer = find_bearer(game.opened, token.strip()) if scheme.lower() == "bearer" else None
        if bearer is None:
            raise Refusal("unknown_token", "The token is not one of this game. Send it as `Authorization: Bearer …`.")
        return bearer

    def seat(self, game: Game) -> Seat:
        """Tell the seat that asks.

        Errors: Refusal 401 without a seat's token, 403 with the host's.
        """
        bearer = self.bearer(game)
        if bearer == "spectator":
            raise Refusal("token_missing", "This needs the token of a seat, as `Authorization: Bearer …`.")
        if bearer == "host":
            raise Refusal("wrong_token", "This needs the token of a seat; the host has none.")
        return bearer

    def version(self) -> int | None:
        """Read If-Match; None where it is not there.

        Errors: Refusal 428, for anything but one version in quotes.
        """
        header = self.headers.get("if-match")
        if header is None:
            return None
        found = _ETAG.fullmatch(header.strip())
        if found is None:
            raise Refusal("version_needed", 'If-Match takes one version, in quotes, as the ETag gave it: "7".')
        return int(found[1])


def seat_of(bearer: Bearer) -> Seat | None:
    """Tell the seat of a bearer, None for the host and for spectators."""
    return bearer if isinstance(bearer, int) else None


def knows(call: Call, version: int) -> bool:
    """Tell whether If-None-Match names a version."""
    tags = [tag.strip().removeprefix("W/") for tag in call.headers.get("if-none-match", "").split(",")]
    return etag(version) in tags or "*" in tags


def etag(version: int) -> str:
    """Write a version as an entity tag."""
    return f'"{version}"'


def stale(game: Game) -> Refusal:
    """Refuse a change to a version that is not the latest."""
    return Refusal("stale_version", f"The game has moved on: it is at version {game.version}.", version=game.version)
