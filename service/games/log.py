"""The course of a live game: its log, entry by entry, and the game after each of them.

A log is all that is kept of a live game. Entry 0 opens it; every later entry is one change, so that the version of
a game is the length of its log. In the store an entry is a line: a nonce that no other line has, and the entry in
MessagePack. A line is appended only after the very line that it follows, so that a line names one past: the same
cards played again, after the store has lost changes, are other lines.
Nothing here checks a play: an entry is written only when the play was admitted.
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from service.cards import FULL_PACK, Card, Mask
from service.fairness.commitment import seed_from
from service.fairness.shuffle import shuffle
from service.revision import Revision, revision_of
from service.rules import deal, game, play, score
from service.rulesets import Rules, Seat, Sides, Table, lay
from service.state import Seed, State


class Opened(Struct, frozen=True, array_like=True, gc=False, tag="o"):
    """A game was opened.

    Shape: `seats` and `host` are the hashes of their tokens; `secret` is that of the first deal's shuffle; `draw_seed`
    is None if the dealer was named; `scores` are empty if every side begins with nothing.
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


Entry: TypeAlias = Opened | EntropyAdded | Dealt | CardPlayed | Resigned


class Opening(Struct, frozen=True, gc=False):
    """The parts that a shuffle was made from: the secret, and each seat's entropy, empty where it gave none."""

    secret: Seed
    entropy: tuple[str, ...]
    strip: Mask
    threes: bool


class Game(Struct, frozen=True, gc=False):
    """A live game as it stands after an entry.

    Shape: `line` is that entry as it is stored; `state` is None before the first deal; `secret` and `entropy` are for
    the next shuffle; `openings` by deal; `resigned` is the seat that has resigned, None if none has.
    """

    opened: Opened
    table: Table
    version: int
    line: bytes
    state: State | None
    secret: Seed
    entropy: tuple[str, ...]
    openings: tuple[Opening, ...]
    resigned: Seat | None = None

    @property
    def revision(self) -> Revision:
        """The version of the game, and which past it has."""
        return revision_of(self.version, self.line)


class Step(Struct, frozen=True, gc=False):
    """A change: the game after it, and, of a card that was played, the state before it and what it did.

    Shape: `after` is the line that the change follows, empty for the opening; `played` is None in a step that was read
    from a log, which `report` makes up for.
    """

    game: Game
    after: bytes = b""
    before: State | None = None
    played: play.Played | None = None

    @property
    def entry(self) -> Entry:
        """The entry that made the change."""
        return parse_entry(self.game.line)


NONCE_BYTES: Final = 6
_NONCE_FOLLOWS: Final = b"\xc1"
"""The first byte of a line with a nonce. MessagePack uses it for nothing; the lines of 0.1.0 have no nonce."""
_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[Entry] = msgspec.msgpack.Decoder(Entry)


def write_entry(entry: Entry, nonce: bytes) -> bytes:
    """Write an entry as a line of the store.

    Shape: `nonce` has NONCE_BYTES bytes, or none, which writes the line as 0.1.0 did.
    """
    line = _ENCODER.encode(entry)
    return b"%b%b%b" % (_NONCE_FOLLOWS, nonce, line) if nonce else line


def parse_entry(line: bytes) -> Entry:
    """Read the entry of a line of the store."""
    return _DECODER.decode(memoryview(line)[1 + NONCE_BYTES :] if line.startswith(_NONCE_FOLLOWS) else line)


def open_game(line: bytes) -> Game:
    """Open a game; its rules and sides are the table's, so that all games at such a table share them in memory.

    Errors: ValueError for a line that is no opening.
    """
    opened = parse_entry(line)
    if not isinstance(opened, Opened):
        raise ValueError(opened)  # noqa: TRY004 – the log is at fault, not the caller
    table = lay(opened.rules, opened.sides)
    opened = msgspec.structs.replace(opened, rules=table.rules, sides=table.sides)
    return Game(opened, table, 1, line, None, opened.secret, ("",) * table.players, ())


GAME_BYTES: Final = 2700
"""Memory of a game with its latest steps, without what is its own to keep; measured, like the next two."""
RULES_BYTES: Final = 6000
"""Memory of a ruleset of the players' own, beside its texts."""
OPENING_BYTES: Final = 300
"""Memory of the parts of a shuffle, beside the entropy."""


def size_of(now: Game) -> int:
    """Return how many bytes of memory a game takes, about."""
    rules = now.opened.rules
    own = 0 if isinstance(rules, str) else RULES_BYTES + len(_ENCODER.encode(rules))
    return GAME_BYTES + own + sum([OPENING_BYTES + sum(map(len, opening.entropy)) for opening in now.openings])


def dealer_next(now: Game) -> Seat:
    """Return the seat that deals next."""
    return now.opened.dealer if now.state is None else game.next_dealer(now.state)


def dealt_state(now: Game, strip: Mask, *, threes: bool) -> State:
    """Deal the next deal of a game from its secret and the entropy given so far."""
    order = shuffle(FULL_PACK & ~strip, seed_from(now.secret, now.entropy))
    state = now.state
    number = 1 if state is None else state.deal + 1
    first = now.opened.scores or (0,) * len(now.table.sides)
    scores = first if state is None else score.totals(state)
    return deal.deal(now.table, order, dealer_next(now), number, scores, threes=threes)


def played_step(now: Game, line: bytes, played: play.Played) -> Step:
    """Make the step of a card that was played."""
    return Step(_after(now, line, played.state), now.line, now.state, played)


def _after(now: Game, line: bytes, state: State) -> Game:
    return Game(now.opened, now.table, now.version + 1, line, state, now.secret, now.entropy, now.openings)


def report(step: Step) -> play.Played | None:
    """Return what a card did; None if none was played."""
    if step.played is not None or step.before is None or step.game.state is None:
        return step.played
    entry = step.entry
    return play.report(step.before, step.game.state, entry.card) if isinstance(entry, CardPlayed) else None


def advance(now: Game, line: bytes) -> Step:
    """Make the step of a line that follows a game.

    Errors: ValueError for a second opening.
    """
    entry, version = parse_entry(line), now.version + 1
    if isinstance(entry, CardPlayed) and now.state is not None:
        # Where revokes are refused, what was admitted was legal.
        again = play.play_unchecked if now.opened.on_revoke == "refuse" else play.replay
        return Step(_after(now, line, again(now.state, entry.card)), now.line, now.state)
    if isinstance(entry, EntropyAdded):
        entropy = tuple(entry.entropy if seat == entry.seat else text for seat, text in enumerate(now.entropy))
        return Step(msgspec.structs.replace(now, version=version, line=line, entropy=entropy), now.line)
    if isinstance(entry, Dealt):
        opening = Opening(now.secret, now.entropy, entry.strip, entry.threes)
        state = dealt_state(now, entry.strip, threes=entry.threes)
        openings, fresh = (*now.openings, opening), ("",) * now.table.players
        return Step(Game(now.opened, now.table, version, line, state, entry.secret, fresh, openings), now.line)
    if isinstance(entry, Resigned):
        return Step(msgspec.structs.replace(now, version=version, line=line, resigned=entry.seat), now.line)
    raise ValueError(entry)


def steps(lines: Iterable[bytes], now: Game | None = None) -> Iterator[Step]:
    """Walk a log, from its opening or on from a game that is known.

    Errors: ValueError for a log that does not begin with an opening.
    """
    for line in lines:
        step = Step(open_game(line)) if now is None else advance(now, line)
        now = step.game
        yield step
