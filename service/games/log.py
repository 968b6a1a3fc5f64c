"""The course of a live game: its log, entry by entry, and the game after each of them.

A log is all that is kept of a live game. Entry 0 opens it; every later entry is one change, so that the version of
a game is the length of its log. In the store an entry is a line, which is appended only after the very line that it
follows. So a line names one past: the same cards played again, after the store has lost changes, are other lines.
Nothing here checks a play: an entry is written only when the play was admitted.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from service.cards import FULL_PACK, Card, Mask
from service.fairness.commitment import seed_from
from service.fairness.shuffle import shuffle
from service.games.entries import (
    CardPlayed,
    Dealt,
    EntropyAdded,
    Entry,
    Milliseconds,
    Opened,
    Resigned,
    TokenRenewed,
    parse_entry,
    time_of,
)
from service.revision import Revision, revision_of
from service.rules import deal, game, play, score
from service.rulesets import Seat, Table, lay
from service.state import Seed, State

Value = TypeVar("Value")


class Opening(Struct, frozen=True, gc=False):
    """The parts that a shuffle was made from: the secret, and each seat's entropy, empty where it gave none."""

    secret: Seed
    entropy: tuple[str, ...]
    strip: Mask
    threes: bool


class TakenTrick(Struct, frozen=True, gc=False):
    """A trick that was taken: the seat that led to it, and its cards in the order played."""

    leader: Seat
    cards: tuple[Card, ...]


class Renewal(Struct, frozen=True, gc=False):
    """The latest renewal of a seat's token, and the revision that it made."""

    entry: TokenRenewed
    revision: Revision


class Holding(Struct, frozen=True, gc=False):
    """How a seat is held: by the token that it got at the opening, unless that was renewed."""

    renewal: Renewal | None = None


class Game(Struct, frozen=True, gc=False):
    """A live game as it stands after an entry.

    Shape: `line` is that entry as it is stored; `state` is None before the first deal; `secret` and `entropy` are for
    the next shuffle; `openings` by deal; `last_trick` is of this deal, None before its first trick is taken; `resigned`
    is the seat that has resigned, None if none has.
    """

    opened: Opened
    opened_at: Milliseconds
    table: Table
    seats: tuple[Holding, ...]
    version: int
    line: bytes
    state: State | None
    secret: Seed
    entropy: tuple[str, ...]
    openings: tuple[Opening, ...]
    last_trick: TakenTrick | None = None
    resigned: Seat | None = None

    @property
    def revision(self) -> Revision:
        """The version of the game, and which past it has."""
        return revision_of(self.version, self.line)

    @property
    def changed_at(self) -> Milliseconds:
        """The time of the entry."""
        return time_of(self.line)

    def token_of(self, seat: Seat) -> bytes:
        """Return the hash of a seat's token."""
        renewal = self.seats[seat].renewal
        return self.opened.seats[seat] if renewal is None else renewal.entry.token


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


def open_game(line: bytes) -> Game:
    """Open a game; its rules and sides are the table's, so that all games at such a table share them in memory.

    Errors: ValueError for a line that is no opening.
    """
    opened = parse_entry(line)
    if not isinstance(opened, Opened):
        raise ValueError(opened)  # noqa: TRY004 – the log is at fault, not the caller
    table = lay(opened.rules, opened.sides)
    opened = replace(opened, rules=table.rules, sides=table.sides)
    seats, entropy = (Holding(),) * table.players, ("",) * table.players
    return Game(opened, time_of(line), table, seats, 1, line, None, opened.secret, entropy, ())


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
    return Step(_after_card(now, line, played.card, played.state), now.line, now.state, played)


def _after_card(now: Game, line: bytes, card: Card, state: State) -> Game:
    last_trick, before, version = now.last_trick, now.state, now.version + 1
    if before is not None and not state.trick:
        last_trick = TakenTrick(before.leader, (*before.trick, card))
    # Not by `replace`, which takes several times as long.
    return Game(
        now.opened,
        now.opened_at,
        now.table,
        now.seats,
        version,
        line,
        state,
        now.secret,
        now.entropy,
        now.openings,
        last_trick,
    )


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
        return Step(_after_card(now, line, entry.card, again(now.state, entry.card)), now.line, now.state)
    changed: dict[str, object] = {"version": version, "line": line}
    match entry:
        case EntropyAdded(seat, text):
            changed["entropy"] = _at(now.entropy, seat, text)
        case Dealt():
            changed |= _after_deal(now, entry)
        case Resigned(seat):
            changed["resigned"] = seat
        case TokenRenewed(seat):
            renewal = Renewal(entry, revision_of(version, line))
            changed["seats"] = _at(now.seats, seat, replace(now.seats[seat], renewal=renewal))
        case _:
            raise ValueError(entry)
    return Step(replace(now, **changed), now.line)


def _at(values: tuple[Value, ...], place: int, value: Value) -> tuple[Value, ...]:
    """Return the values with another one at a place."""
    return (*values[:place], value, *values[place + 1 :])


def _after_deal(now: Game, entry: Dealt) -> dict[str, object]:
    return {
        "state": dealt_state(now, entry.strip, threes=entry.threes),
        "secret": entry.secret,
        "entropy": ("",) * now.table.players,
        "openings": (*now.openings, Opening(now.secret, now.entropy, entry.strip, entry.threes)),
        "last_trick": None,
    }


def steps(lines: Iterable[bytes], now: Game | None = None) -> Iterator[Step]:
    """Walk a log, from its opening or on from a game that is known.

    Errors: ValueError for a log that does not begin with an opening.
    """
    for line in lines:
        step = Step(open_game(line)) if now is None else advance(now, line)
        now = step.game
        yield step
