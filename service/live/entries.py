"""The entries of a live game's log, and the bytes in which they are stored.

A stored entry is a unique nonce, the time, the format, and the entry in MessagePack.
"""

from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from service.game.cards import Card, Mask
from service.game.level import Level
from service.game.rules import play
from service.game.rulesets import Rules, Seat, Sides
from service.game.state import Claim, Seed
from service.schemas.ids import NOBODY, Caller, GameId, Salt

UNDEALT_TTL: Final = 600
"""Seconds after which an undealt game without taken seats expires, unless it changes or a seat has a stream."""


class OpenEntry(Struct, frozen=True, array_like=True, gc=False, tag="o"):
    """A game was opened."""

    rules: Rules
    """The rules of the game."""
    sides: Sides
    """By side: its seats."""
    on_revoke: play.OnRevoke
    """Whether a revoke is refused, or stands and costs a penalty."""
    ttl: int
    """Seconds without a change after which the game expires."""
    drawn: bool
    """True if the first dealer was drawn from `secret`."""
    dealer: Seat
    """The seat that deals first."""
    secret: Seed
    """The secret of the first deal's shuffle."""
    host: bytes
    """The hash of the host's token."""
    seats: tuple[bytes, ...]
    """By seat: the hash of its token."""
    scores: tuple[int, ...] = ()
    """By side: the points it begins with; () if every side begins with nothing."""
    names: tuple[str | None, ...] = ()
    """By seat: the name of its player, or None; () if no seat has one."""
    computers: tuple[Level | None, ...] = ()
    """By seat: the level of the computer, or None; () if persons play all seats."""
    owner: Caller = NOBODY
    """The caller who opened the game."""
    move_seconds: int | None = None
    """Seconds that a seat has for a move; None without a limit."""
    take_back: bool = False
    """True if a seat may take back its last card by consent."""


class PositionEntry(OpenEntry, frozen=True, array_like=True, gc=False, kw_only=True, tag="s"):
    """A game was opened from a position, which is the start of its first deal."""

    position: Claim


class HastyRematchEntry(OpenEntry, frozen=True, array_like=True, gc=False, kw_only=True, tag="h"):
    """A rematch was opened less than a minute after the game before it.

    Unit: `counted_until` in milliseconds since 1970: each rematch of the chain counts for a minute.
    """

    counted_until: int


class EntropyEntry(Struct, frozen=True, array_like=True, gc=False, tag="e"):
    """A seat has added entropy to the next shuffle."""

    seat: Seat
    entropy: Seed


class DealEntry(Struct, frozen=True, array_like=True, gc=False, tag="d"):
    """The cards were dealt; `secret` is for the shuffle after this one."""

    strip: Mask
    threes: bool
    secret: Seed


class PlayEntry(Struct, frozen=True, array_like=True, gc=False, tag="p"):
    """A card was played."""

    seat: Seat
    card: Card


class AbsentPlayEntry(PlayEntry, frozen=True, array_like=True, gc=False, tag="a"):
    """The computer played a card for a seat whose time was over."""


class ResignEntry(Struct, frozen=True, array_like=True, gc=False, tag="r"):
    """A seat resigned."""

    seat: Seat


class TokenEntry(Struct, frozen=True, array_like=True, gc=False, tag="t"):
    """A seat got a new token."""

    seat: Seat
    """The seat."""
    token: bytes
    """The hash of the new token."""
    request: bytes
    """The hash of the request; empty if it cannot be repeated."""
    salt: Salt
    """A salt. Together with what the caller sent, and only then, the token can be derived again."""
    name: str | None = None
    """The player who takes the seat with it; None if the seat keeps its name."""


class ComputerEntry(Struct, frozen=True, array_like=True, gc=False, tag="c"):
    """The computer took over a seat or, with None as its level, left it to a person."""

    seat: Seat
    level: Level | None


class TakeBackEntry(Struct, frozen=True, array_like=True, gc=False, tag="b"):
    """A seat asked to take back its last card, or agreed to another seat's request."""

    seat: Seat


class RematchEntry(Struct, frozen=True, array_like=True, gc=False, tag="n"):
    """The next game was opened for the same people; `game` is its id."""

    game: GameId


class SeatsEntry(Struct, frozen=True, array_like=True, gc=False, tag="m"):
    """The players changed seats before the first deal; tokens, names and computers moved along."""

    seats: tuple[Seat, ...]
    """By seat: where its player sat before."""
    drawn: bool
    """True if cards were drawn for it, from the previous secret and entropy."""
    secret: Seed
    """The new secret of the first deal's shuffle."""
    by: Seat | None = None
    """The seat that asked, by its old number; None for the host."""


Milliseconds: TypeAlias = int
"""A time in milliseconds since 1970."""
Entry: TypeAlias = (
    OpenEntry
    | PositionEntry
    | HastyRematchEntry
    | EntropyEntry
    | DealEntry
    | PlayEntry
    | AbsentPlayEntry
    | ResignEntry
    | TokenEntry
    | ComputerEntry
    | TakeBackEntry
    | RematchEntry
    | SeatsEntry
)


class UnknownFormat(Exception):
    """Another version stored an entry that this one cannot read."""


FORMAT: Final = 6
"""The latest format of entries that this version writes and reads, in one byte. Raise it whenever a type or a field is
added: an earlier version fails on an unknown type, and would silently drop an unknown field.
"""
_FIRST_FORMAT: Final = 3
"""The format of the first entries, which every version reads while versions run side by side."""
_LATER_FORMATS: Final[dict[type[Entry], int]] = {RematchEntry: 4, PositionEntry: 4, HastyRematchEntry: 5, SeatsEntry: 6}
"""The formats of the entries that came later: 1.0.0 reads 4, but neither 5 nor 6."""
NONCE_BYTES: Final = 6
_TIME: Final = slice(NONCE_BYTES, NONCE_BYTES + 6)
"""The bytes of a stored entry that hold its time."""
_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[Entry] = msgspec.msgpack.Decoder(Entry)


def write_entry(entry: Entry, nonce: bytes, at: Milliseconds) -> bytes:
    """Encode an entry for the store.

    Shape: `nonce` has NONCE_BYTES bytes; `at` is the time.
    """
    known_from = _LATER_FORMATS.get(type(entry), _FIRST_FORMAT)
    return b"%b%b%c%b" % (nonce, at.to_bytes(_TIME.stop - _TIME.start), known_from, _ENCODER.encode(entry))


def parse_entry(raw: bytes) -> Entry:
    """Decode a stored entry.

    Errors: UnknownFormat.
    """
    if raw[_TIME.stop] > FORMAT:
        raise UnknownFormat(f"format {raw[_TIME.stop]}, where this version knows {FORMAT}")
    return _DECODER.decode(memoryview(raw)[_TIME.stop + 1 :])


def time_of(raw: bytes) -> Milliseconds:
    """Return the time of a stored entry."""
    return int.from_bytes(raw[_TIME])
