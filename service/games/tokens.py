"""The tokens of a live game: shown once, kept only as hashes, compared in constant time."""

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
"""128 bits of a hash are enough, because nobody can search the 256 bits of a token."""


class Secrets(Struct, frozen=True):
    """The id of a new game and the tokens of its seats and its host."""

    game: str
    seats: tuple[str, ...]
    host: str


def _encode(secret: bytes) -> str:
    return urlsafe_b64encode(secret).rstrip(b"=").decode()


def draw_secrets(players: int) -> Secrets:
    """Draw the secrets of a new game from the operating system."""
    return derive_secrets(players, _encode(token_bytes(_TOKEN_BYTES)), token_bytes(_TOKEN_BYTES))


def derive_secrets(players: int, key: str, salt: bytes) -> Secrets:
    """Derive the secrets of a new game from a caller's key, which is not kept, and a salt, which is.

    So a repeated request gets the same answer, though the tokens are kept only as hashes.
    """

    def derive(name: str, size: int) -> str:
        return _encode(hmac.digest(salt, f"{name}/{key}".encode(), sha256)[:size])

    return Secrets(
        derive("game", _ID_BYTES),
        tuple(derive(f"seat/{seat}", _TOKEN_BYTES) for seat in range(players)),
        derive("host", _TOKEN_BYTES),
    )


def hash_token(token: str) -> bytes:
    """Return the hash of a token, as it is kept."""
    return blake2b(token.encode(), digest_size=_HASH_BYTES).digest()


def seat_of(bearer: Bearer) -> Seat | None:
    """Return the seat of a bearer. Return None for the host and for spectators."""
    return bearer if isinstance(bearer, int) else None


def find_bearer(opened: Opened, token: str) -> Bearer | None:
    """Return the bearer of a token. Return None if the token is not one of this game. Takes as long for every token."""
    hashed = hash_token(token)
    found: Bearer | None = None
    for seat, known in enumerate(opened.seats):
        if hmac.compare_digest(hashed, known):
            found = seat
    return "host" if hmac.compare_digest(hashed, opened.host) else found
