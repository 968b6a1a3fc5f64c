"""The course of a live game: its log, entry by entry, and what the game is after each of them.

A log is all that is kept of a live game. Entry 0 opens it; every later entry is one change, so that the version of
a game is the length of its log. Nothing here checks a play: an entry is written only when the play was admitted.
"""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import msgspec
from msgspec import Struct

from service.cards import FULL_PACK, Card, Mask
from service.fairness.commitment import seed_from
from service.fairness.shuffle import shuffle
from service.rules import deal, game, play, score
from service.rulesets import Rules, Seat, Sides, Table, lay
from service.state import Seed, State


class Opened(Struct, frozen=True, array_like=True, gc=False, tag="o"):
    """A game is opened.

    Shape: `seats` and `host` are the hashes of their tokens; `secret` is that of the first deal's shuffle.
    Unit: `ttl` in seconds.
    """

    rules: Rules
    sides: Sides
    on_revoke: play.OnRevoke
    ttl: int
    draw_seed: Seed
    dealer: Seat
    secret: Seed
    host: bytes
    seats: tuple[bytes, ...]


class Stirred(Struct, frozen=True, array_like=True, gc=False, tag="e"):
    """A seat adds its own entropy to the next shuffle."""

    seat: Seat
    entropy: Seed


class Dealt(Struct, frozen=True, array_like=True, gc=False, tag="d"):
    """The cards are dealt; `secret` is that of the shuffle after this one."""

    strip: Mask
    threes: bool
    secret: Seed


class CardPlayed(Struct, frozen=True, array_like=True, gc=False, tag="p"):
    """A card is played."""

    seat: Seat
    card: Card


Entry: TypeAlias = Opened | Stirred | Dealt | CardPlayed


class Opening(Struct, frozen=True, gc=False):
    """What a shuffle was made from: the secret, and each seat's entropy, empty where it gave none."""

    secret: Seed
    entropy: tuple[str, ...]
    strip: Mask
    threes: bool


class Game(Struct, frozen=True, gc=False):
    """A live game as it stands after an entry.

    Shape: `state` is None before the first deal; `secret` and `entropy` are for the next shuffle; `openings` by deal.
    """

    opened: Opened
    table: Table
    version: int
    state: State | None
    secret: Seed
    entropy: tuple[str, ...]
    openings: tuple[Opening, ...]


class Step(Struct, frozen=True, gc=False):
    """A change: the entry, the game after it, and, of a card that was played, what it was played to and what it did.

    Shape: `played` is None in a step that was read from a log; `report` tells it.
    """

    entry: Entry
    game: Game
    before: State | None = None
    played: play.Played | None = None


_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[Entry] = msgspec.msgpack.Decoder(Entry)


def write_entry(entry: Entry) -> bytes:
    """Write an entry for the store."""
    return _ENCODER.encode(entry)


def parse_entry(line: bytes) -> Entry:
    """Read an entry from the store."""
    return _DECODER.decode(line)


def open_game(opened: Opened) -> Game:
    """Open a game; its rules and sides are the table's, so that all games at such a table share them in memory."""
    table = lay(opened.rules, opened.sides)
    opened = msgspec.structs.replace(opened, rules=table.rules, sides=table.sides)
    return Game(opened, table, 1, None, opened.secret, ("",) * table.players, ())


def dealer_next(now: Game) -> Seat:
    """Tell who deals next."""
    return now.opened.dealer if now.state is None else game.next_dealer(now.state)


def dealt_state(now: Game, strip: Mask, *, threes: bool) -> State:
    """Deal the next deal of a game from its secret and the entropy given so far."""
    order = shuffle(FULL_PACK & ~strip, seed_from(now.secret, now.entropy))
    state = now.state
    number = 1 if state is None else state.deal + 1
    scores = (0,) * len(now.table.sides) if state is None else score.totals(state)
    return deal.deal(now.table, order, dealer_next(now), number, scores, threes=threes)


def played_step(now: Game, entry: CardPlayed, played: play.Played) -> Step:
    """Make the step of a card that was played."""
    return Step(entry, _after(now, played.state), now.state, played)


def _after(now: Game, state: State) -> Game:
    return Game(now.opened, now.table, now.version + 1, state, now.secret, now.entropy, now.openings)


def report(step: Step) -> play.Played | None:
    """Tell what a card did; None where none was played."""
    after = step.game.state
    if step.played is not None or step.before is None or after is None or not isinstance(step.entry, CardPlayed):
        return step.played
    return play.report(step.before, after, step.entry.card)


def advance(now: Game, entry: Entry) -> Step:
    """Make of a game what an entry makes of it.

    Errors: ValueError for a second opening.
    """
    version = now.version + 1
    if isinstance(entry, CardPlayed) and now.state is not None:
        # Where revokes are refused, what was admitted was legal.
        again = play.play_unchecked if now.opened.on_revoke == "refuse" else play.replay
        return Step(entry, _after(now, again(now.state, entry.card)), now.state)
    if isinstance(entry, Stirred):
        entropy = tuple(entry.entropy if seat == entry.seat else text for seat, text in enumerate(now.entropy))
        return Step(entry, msgspec.structs.replace(now, version=version, entropy=entropy))
    if isinstance(entry, Dealt):
        opening = Opening(now.secret, now.entropy, entry.strip, entry.threes)
        state = dealt_state(now, entry.strip, threes=entry.threes)
        fresh = ("",) * now.table.players
        return Step(entry, Game(now.opened, now.table, version, state, entry.secret, fresh, (*now.openings, opening)))
    raise ValueError(entry)


def steps(lines: Iterable[bytes], now: Game | None = None) -> Iterator[Step]:
    """Walk a log, from its opening or on from a game that is known.

    Errors: ValueError for a log that does not begin with an opening.
    """
    for line in lines:
        entry = parse_entry(line)
        if now is None:
            if not isinstance(entry, Opened):
                raise ValueError(entry)
            opened = open_game(entry)
            step = Step(opened.opened, opened)
        else:
            step = advance(now, entry)
        now = step.game
        yield step
