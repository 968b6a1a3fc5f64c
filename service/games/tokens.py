"""The secrets of a live game: made once, shown once, kept only as hashes, compared in constant time."""

import hmac
from base64 import urlsafe_b64encode
from hashlib import blake2b, sha256
from secrets import token_bytes
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from service.games.log import Opened
from service.rulesets import Seat

Bearer: TypeAlias = Seat | Literal["host", "spectator"]

_ID_BYTES: Final = 16
_TOKEN_BYTES: Final = 32
_HASH_BYTES: Final = 16
"""128 bits of a hash are enough: a token has 256 that nobody can search."""


class Secrets(Struct, frozen=True):
    """The id of a new game and the tokens of its seats and its host."""

    game: str
    seats: tuple[str, ...]
    host: str


def _text(secret: bytes) -> str:
    return urlsafe_b64encode(secret).rstrip(b"=").decode()


def fresh_secrets(players: int) -> Secrets:
    """Draw the secrets of a new game from the operating system."""
    return repeatable_secrets(players, _text(token_bytes(_TOKEN_BYTES)), token_bytes(_TOKEN_BYTES))


def repeatable_secrets(players: int, key: str, salt: bytes) -> Secrets:
    """Derive the secrets of a new game from a caller's key, which is not kept, and a salt, which is.

    So a repeated request can be answered as the first was, though the tokens are kept only as hashes.
    """

    def derive(name: str, size: int) -> str:
        return _text(hmac.digest(salt, f"{name}/{key}".encode(), sha256)[:size])

    return Secrets(
        derive("game", _ID_BYTES),
        tuple(derive(f"seat/{seat}", _TOKEN_BYTES) for seat in range(players)),
        derive("host", _TOKEN_BYTES),
    )


def hash_token(token: str) -> bytes:
    """Hash a token as it is kept."""
    return blake2b(token.encode(), digest_size=_HASH_BYTES).digest()


def find_bearer(opened: Opened, token: str) -> Bearer | None:
    """Tell whose token it is; None for nobody's. Every hash is compared, whatever the others gave."""
    hashed = hash_token(token)
    found: Bearer | None = None
    for seat, known in enumerate(opened.seats):
        if hmac.compare_digest(hashed, known):
            found = seat
    return "host" if hmac.compare_digest(hashed, opened.host) else found
