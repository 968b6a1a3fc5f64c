"""The entries of a live game's log, and the lines in which they are stored.

A line is a nonce that no other line has, the time, and the entry in MessagePack.
"""

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct

from service.cards import Card, Mask
from service.players.level import Level
from service.rules import play
from service.rulesets import Rules, Seat, Sides
from service.rulesets.ruleset import PRINTABLE
from service.state import Seed

PlayerName: TypeAlias = Annotated[
    str,
    Meta(
        title="PlayerName",
        min_length=1,
        max_length=40,
        pattern=PRINTABLE,
        description="The name of a player, as whoever opened the game has written it.",
    ),
]


class Opened(Struct, frozen=True, array_like=True, gc=False, tag="o"):
    """A game was opened.

    Shape: `seats` and `host` are the hashes of their tokens; `secret` is that of the first deal's shuffle; `draw_seed`
    is None if the dealer was named; `scores` are empty if every side begins with nothing, `names` if no seat has one,
    `computers` if persons play all seats.
    Unit: `ttl` in seconds.
    """

    rules: Rules
    sides: Sides
    on_revoke: play.OnRevoke
    ttl: int
    draw_seed: Seed | None
    dealer: Seat
    secret: Seed
    host: bytes
    seats: tuple[bytes, ...]
    scores: tuple[int, ...] = ()
    names: tuple[str | None, ...] = ()
    computers: tuple[Level | None, ...] = ()


class EntropyAdded(Struct, frozen=True, array_like=True, gc=False, tag="e"):
    """A seat has added entropy to the next shuffle."""

    seat: Seat
    entropy: Seed


class Dealt(Struct, frozen=True, array_like=True, gc=False, tag="d"):
    """The cards were dealt; `secret` is that of the shuffle after this one."""

    strip: Mask
    threes: bool
    secret: Seed


class CardPlayed(Struct, frozen=True, array_like=True, gc=False, tag="p"):
    """A card was played."""

    seat: Seat
    card: Card


class Resigned(Struct, frozen=True, array_like=True, gc=False, tag="r"):
    """A seat resigned."""

    seat: Seat


class TokenRenewed(Struct, frozen=True, array_like=True, gc=False, tag="t"):
    """A seat got a new token.

    Shape: `token` is its hash; `request` is that of the request, empty if it is not to be repeated; with `salt` and
    what the caller sent, and only with both, the token can be made again.
    """

    seat: Seat
    token: bytes
    request: bytes
    salt: bytes


class ComputerSeated(Struct, frozen=True, array_like=True, gc=False, tag="c"):
    """The computer took over a seat, or, with None as its level, left it to a person."""

    seat: Seat
    level: Level | None


Milliseconds: TypeAlias = int
"""A time, as milliseconds since 1970 began."""
Entry: TypeAlias = Opened | EntropyAdded | Dealt | CardPlayed | Resigned | TokenRenewed | ComputerSeated


NONCE_BYTES: Final = 6
_TIME_BYTES: Final = 6
_MARK: Final = b"\xc1"
"""Stands before the nonce of a line, and before its time. MessagePack uses it for nothing; lines of 0.1.0 have none."""
_TIME: Final = slice(2 + NONCE_BYTES, 2 + NONCE_BYTES + _TIME_BYTES)
"""Where a line has its time."""
_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[Entry] = msgspec.msgpack.Decoder(Entry)


def write_entry(entry: Entry, nonce: bytes, at: Milliseconds) -> bytes:
    """Write an entry as a line of the store.

    Shape: `nonce` has NONCE_BYTES bytes; `at` is the time.
    """
    return b"%b%b%b%b%b" % (_MARK, nonce, _MARK, at.to_bytes(_TIME_BYTES), _ENCODER.encode(entry))


def parse_entry(line: bytes) -> Entry:
    """Read the entry of a line of the store."""
    return _DECODER.decode(memoryview(line)[_entry_start(line) :])


def time_of(line: bytes) -> Milliseconds:
    """Return the time of a line of the store; 0 for one that was stored without a time."""
    return int.from_bytes(line[_TIME]) if _entry_start(line) == _TIME.stop else 0


def _entry_start(line: bytes) -> int:
    """Return where the entry begins in a line, which may be of an older version: without a time, or a nonce, too."""
    if not line.startswith(_MARK):
        return 0
    return _TIME.stop if line.startswith(_MARK, _TIME.start - 1) else _TIME.start - 1
