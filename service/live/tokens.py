"""The tokens of a live game: shown once, kept only as hashes, compared in constant time."""

import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import blake2b, sha256
from secrets import token_bytes
from typing import Final, Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from service.game.rulesets import Seat
from service.game.state import Seed
from service.live.entries import NONCE_BYTES, OpenEntry, TokenEntry
from service.live.log import Game
from service.schemas.ids import Caller, GameId, Key, Salt, Token
from service.schemas.refusal import Refusal

Role: TypeAlias = Seat | Literal["host", "spectator"]
"""In which role a caller acts: a seat, the host, or, without a token, a spectator."""
Admitted = TypeVar("Admitted", bound=Role)

SEAT_PREFIX: Final = "ctt_seat_"
HOST_PREFIX: Final = "ctt_host_"
"""The prefixes of tokens, known to secret scanners. Tokens of 1.0.0 have none."""
_ID_BYTES: Final = 16
_TOKEN_BYTES: Final = 32
_HASH_BYTES: Final = 16
"""128 bits of a hash are enough, because nobody can search the 256 bits of a token."""


class Secrets(Struct, frozen=True):
    """The secrets of a new game."""

    game: GameId
    """The id of the game."""
    seats: tuple[Token, ...]
    """By seat: its token."""
    host: Token
    """The token of the host."""
    shuffle: Seed
    """The secret of the first shuffle, and of the draw for the first dealer."""
    nonce: bytes
    """The nonce of the first entry."""


def _encode(secret: bytes) -> str:
    return urlsafe_b64encode(secret).rstrip(b"=").decode()


def draw_secrets(players: int) -> Secrets:
    """Draw the secrets of a new game from the operating system."""
    return derive_secrets(players, Key(_encode(token_bytes(_TOKEN_BYTES))), Salt(token_bytes(_TOKEN_BYTES)))


def derive_secrets(players: int, key: Key, salt: Salt) -> Secrets:
    """Derive the secrets of a new game from the caller's key and a salt. Only the salt is stored.

    A repeated request gets the same answer, although only hashes of the tokens are stored. If the store lost the game,
    the same game is opened again.
    """

    def derive(name: str, size: int) -> bytes:
        return hmac.digest(salt, f"{name}/{key}".encode(), sha256)[:size]

    return Secrets(
        GameId(re.sub("^-", "A", _encode(derive("game", _ID_BYTES)))),  # else it looks like an option
        tuple(Token(SEAT_PREFIX + _encode(derive(f"seat/{seat}", _TOKEN_BYTES))) for seat in range(players)),
        Token(HOST_PREFIX + _encode(derive("host", _TOKEN_BYTES))),
        derive("shuffle", 32).hex(),
        derive("nonce", NONCE_BYTES),
    )


def as_stored(secrets: Secrets, opened: OpenEntry) -> Secrets:
    """Return the secrets of a game with its tokens in the form that the first entry hashes."""
    seats = tuple([as_hashed(token, hashed) for token, hashed in zip(secrets.seats, opened.seats, strict=True)])
    return replace(secrets, seats=seats, host=as_hashed(secrets.host, opened.host))


def hash_game(game: GameId) -> str:
    """Return the hash of a game's id: with it, operators can name a game but not watch it."""
    return sha256(game.encode()).hexdigest()[:16]


def hash_request(caller: Caller, token: Token, key: Key) -> bytes:
    """Return the hash by which 1.0.0 recognizes a repeated renewal; `key` is its Idempotency-Key.

    Versions since recognize the token itself: see `derive_again`. Once none runs beside 1.0.0, this can go.
    """
    return blake2b(f"{caller}\0{token}\0{key}".encode(), digest_size=_HASH_BYTES).digest()


def derive_token(token: Token, key: Key, salt: Salt) -> Token:
    """Derive a new token from the one that the caller sent, its Idempotency-Key, and a salt.

    So only a repeated request gets the same answer. A caller with another token cannot, and neither can a reader of the
    salt in the store.
    """
    return Token(SEAT_PREFIX + _encode(hmac.digest(token.encode(), salt + key.encode(), sha256)))


def derive_again(token: Token, key: Key, renewal: TokenEntry) -> Token | None:
    """Return the token of a renewal, if the same token and key asked for it. Return None otherwise.

    The address does not matter: a phone that lost the answer may ask from another network.
    """
    again = as_hashed(derive_token(token, key, renewal.salt), renewal.token)
    return again if hmac.compare_digest(hash_token(again), renewal.token) else None


def as_hashed(token: Token, hashed: bytes) -> Token:
    """Return the hashed form of a token: 1.0.0 made tokens without prefixes."""
    return token if hmac.compare_digest(hash_token(token), hashed) else Token(token[len(SEAT_PREFIX) :])


def hash_token(token: Token) -> bytes:
    """Return the stored hash of a token."""
    return blake2b(token.encode(), digest_size=_HASH_BYTES).digest()


def hash_forms(token: Token) -> tuple[bytes, ...]:
    """Return the possible stored hashes of a token.

    A request may be answered by this version and repeated at 1.0.0, which makes the token without its prefix.
    """
    if token.startswith((SEAT_PREFIX, HOST_PREFIX)):
        return (hash_token(token),)
    return tuple([hash_token(Token(beginning + token)) for beginning in ("", SEAT_PREFIX, HOST_PREFIX)])


def seat_of(role: Role) -> Seat | None:
    """Return the seat of a role. Return None for the host and for spectators."""
    return role if isinstance(role, int) else None


def require_role(game: Game, token: Token | None) -> Role:
    """Return the role of the bearer of a token.

    Errors: Refusal, for a token that is not one of this game.
    """
    role = _find_role(game, token)
    if role is None:
        raise Refusal("unknown_token", "The token is not one of this game.")
    return role


def authorize(game: Game, token: Token | None, admitted: Iterable[Admitted], need: str) -> Admitted | Refusal:
    """Return the bearer's role if it is admitted, else the refusal with the roles that are."""
    role = _find_role(game, token)
    for one in admitted:
        if one == role:
            return one
    if role is None:
        return Refusal("unknown_token", "The token is not one of this game.")
    return Refusal("token_missing" if role == "spectator" else "wrong_token", need)


def find_seat(game: Game, hashed: tuple[bytes, ...]) -> Seat | None:
    """Return the seat whose token has one of these hashes. Return None if there is none."""
    return next((seat for seat in range(game.table.players) if is_held(game, seat, hashed)), None)


def is_held(game: Game, seat: Seat, hashed: tuple[bytes, ...]) -> bool:
    """Return True if the token of a seat still has one of these hashes."""
    return _is_one(game.tokens[seat], hashed)


def invites(game: Game, seat: Seat, token: Token | None) -> bool:
    """Return True for a seat's first token while the computer plays the seat and nobody took it."""
    is_taken = not game.computers or game.computers[seat] is None or (game.names and game.names[seat] is not None)
    return token is not None and _is_one(game.opened.seats[seat], hash_forms(token)) and not is_taken


def _find_role(game: Game, token: Token | None) -> Role | None:
    """Return the role of a token, in constant time. Return None if it is not one of this game."""
    if token is None:
        return "spectator"
    hashed = hash_forms(token)
    found: Role | None = None
    for seat, known in enumerate(game.tokens):
        if _is_one(known, hashed):
            found = seat
    return "host" if _is_one(game.opened.host, hashed) else found


def _is_one(known: bytes, hashed: tuple[bytes, ...]) -> bool:
    found = False
    for each in hashed:
        found |= hmac.compare_digest(each, known)
    return found
