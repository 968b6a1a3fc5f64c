"""The course of a live game: its log, entry by entry, and the game after each of them.

The log is the only thing that is stored of a live game. Entry 0 opens the game, and every later entry is one change:
the version of a game is the length of its log. The store appends an entry only behind the exact bytes of the previous
entry, so an entry has one past. If the store loses changes and the same cards are played again, the bytes differ.
Nothing here checks a play: only admitted plays are written.
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from service.game.cards import FULL_PACK, Card, Mask
from service.game.fairness.commitment import draw_seed_from, seed_from
from service.game.fairness.shuffle import draw, shuffle
from service.game.level import Level
from service.game.rules import admission, deal, game, play
from service.game.rules.deal import play_unchecked
from service.game.rulesets import Seat, Table, make_table
from service.game.state import Claim, Seed, State
from service.live.entries import (
    UNDEALT_TTL,
    AbsentPlayEntry,
    ComputerEntry,
    DealEntry,
    EntropyEntry,
    Entry,
    HastyRematchEntry,
    Milliseconds,
    OpenEntry,
    PlayEntry,
    PositionEntry,
    RematchEntry,
    ResignEntry,
    SeatsEntry,
    TakeBackEntry,
    TokenEntry,
    parse_entry,
    time_of,
)
from service.schemas.ids import GameId, is_app
from service.schemas.revision import Revision, revision_of

Value = TypeVar("Value")

MINUTE: Final[Milliseconds] = 60_000
MINUTES_OF_REMATCH: Final = 10
"""Minutes for which a rematch counts in the game before it; a second one follows only if the first is gone."""
MAX_ABSENCES: Final = 3
"""Moves in a row that the computer makes for an absent seat before it takes the seat."""
KEPT_SECONDS: Final = 24 * 3600
"""Seconds for which the log of an app's game outlives the game, so that it reaches the app's feed."""
ABSENT_LEVEL: Final[Level] = "medium"
"""The level at which the computer plays for an absent seat."""


def kept_beyond(opened: OpenEntry) -> int:
    """Return how many seconds the log of a game outlives it, for its app's feed."""
    return KEPT_SECONDS if is_app(opened.owner) else 0


class ShuffleParts(Struct, frozen=True, gc=False):
    """The inputs of a shuffle: the secret and each seat's entropy, empty if the seat gave none."""

    secret: Seed
    entropy: tuple[str, ...]
    strip: Mask
    threes: bool


class SeatsBefore(Struct, frozen=True, gc=False):
    """The latest change of seats."""

    seats: tuple[Seat, ...]
    """By seat: where its player sat before."""
    first: tuple[Seat, ...]
    """By seat: where its token was when the game was opened."""
    drawn: bool
    """True if cards were drawn for it."""
    secret: Seed
    """The secret that the first shuffle was committed to until then."""
    entropy: tuple[str, ...]
    """By seat before the change: its entropy for that shuffle."""


class Game(Struct, frozen=True, gc=False):
    """A live game after an entry of its log."""

    opened: OpenEntry
    """The entry that opened the game."""
    opened_at: Milliseconds
    """The time of that entry."""
    table: Table
    """The table at which the game is played."""
    renewals: tuple[TokenEntry | None, ...]
    """By seat: the last renewal of its token, or None; () if there was none."""
    names: tuple[str | None, ...]
    """By seat: the name of its player, or None; () if no seat has one."""
    computers: tuple[Level | None, ...]
    """By seat: the level of the computer, None for a person; () if there is none."""
    version: int
    """The number of entries of the log."""
    raw: bytes
    """The last entry, as it is stored."""
    state: State | None
    """The deal in play or just over; None before the first deal."""
    secret: Seed
    """The secret of the next shuffle."""
    entropy: tuple[str, ...]
    """By seat: its entropy for the next shuffle, empty if it gave none."""
    shuffles: tuple[ShuffleParts, ...]
    """By deal, from the first shuffled one: the inputs of its shuffle."""
    played: tuple[Card, ...] = ()
    """The cards of this deal so far; in a game from a position, from that trick on."""
    resigned: Seat | None = None
    """The seat that has resigned; None if none has."""
    turn_at: Milliseconds = 0
    """When the current turn began, for the time limit; 0 before the first deal."""
    absences: tuple[int, ...] = ()
    """By seat: moves in a row that the computer made for it; () if there are none."""
    before: State | None = None
    """The state before the last card; None if the card cannot be taken back."""
    take_back_agreed: tuple[Seat, ...] = ()
    """The seats that agree to take back the last card; the one that asked comes first."""
    rematch: GameId | None = None
    """The id of the game that follows; None if none does."""
    counted_until: tuple[Milliseconds, ...] = ()
    """By seat: until when changes of its token or player count; each counts for a minute."""
    rematches_until: Milliseconds = 0
    """Until when rematches before and after this game count."""
    seating: SeatsBefore | None = None
    """The latest change of seats; None if there was none."""

    @property
    def position(self) -> Claim | None:
        """The position that the game was opened from; None for a game that began with a deal."""
        return self.opened.position if isinstance(self.opened, PositionEntry) else None

    @property
    def revision(self) -> Revision:
        """The version of the game, and part of the hash of its last entry."""
        return revision_of(self.version, self.raw)

    @property
    def changed_at(self) -> Milliseconds:
        """The time of the entry."""
        return time_of(self.raw)

    @property
    def expires_at(self) -> Milliseconds:
        """The time at which the game expires without a change and without a seat's stream."""
        return self.changed_at + self.ttl * 1000

    @property
    def lives_until(self) -> Milliseconds:
        """The time at which the game expires without a change, even with a seat's stream."""
        return self.changed_at + self.opened.ttl * 1000

    @property
    def ttl(self) -> int:
        """The seconds after which the game expires without a change and without a seat's stream."""
        is_begun = self.state is not None and self.version > 1
        return self.opened.ttl if is_begun or any(self.renewals) else min(self.opened.ttl, UNDEALT_TTL)

    @property
    def tokens(self) -> tuple[bytes, ...]:
        """By seat, the hash of its token."""
        first = self.opened.seats
        if not self.renewals:
            return first
        pairs = zip(first, self.renewals, strict=True)
        return tuple([token if renewal is None else renewal.token for token, renewal in pairs])


class Step(Struct, frozen=True, gc=False):
    """A change of a game."""

    game: Game
    """The game after the change."""
    entry: Entry
    """Its entry in the log."""
    previous: bytes = b""
    """The stored entry that it follows; empty for the opening, or if nothing changed."""
    before: State | None = None
    """The state before the change; None before the first deal."""
    played: play.Played | None = None
    """The effect of a card; None for no card, and for a step read from a log: see `replay_of`."""


def open_game(raw: bytes) -> Game:
    """Open a game; its rules and sides are the table's, so all games at that table share them in memory.

    Errors: ValueError for an entry that is no opening.
    """
    opened = parse_entry(raw)
    if not isinstance(opened, OpenEntry):
        raise ValueError(opened)  # noqa: TRY004 – the log is at fault, not the caller
    table = make_table(opened.rules, opened.sides)
    opened = replace(opened, rules=table.rules, sides=table.sides)
    at, entropy, secret = time_of(raw), ("",) * table.players, opened.secret
    state: State | None = None
    if isinstance(opened, PositionEntry):
        opened = replace(opened, position=replace(opened.position, rules=table.rules, sides=table.sides))
        state = admission.admit(opened.position)
    played = () if state is None else state.trick
    until = opened.counted_until if isinstance(opened, HastyRematchEntry) else at
    first = Game(opened, at, table, (), opened.names, opened.computers, 1, raw, state, secret, entropy, (), played)
    return replace(first, rematches_until=until)


def dealer_next(now: Game) -> Seat:
    """Return the seat that deals next."""
    return now.opened.dealer if now.state is None else game.next_dealer(now.state)


def dealt_state(now: Game, strip: Mask, *, threes: bool) -> State:
    """Deal the next deal of a game from its secret and the entropy given so far."""
    order = shuffle(FULL_PACK & ~strip, seed_from(now.secret, now.entropy))
    state = now.state
    number = 1 if state is None else state.deal + 1
    first = now.opened.scores or (0,) * len(now.table.sides)
    scores = first if state is None else game.next_scores(state)
    return deal.deal(now.table, order, dealer_next(now), number, scores, threes=threes)


def _after_card(now: Game, raw: bytes, entry: PlayEntry, state: State) -> Game:
    # Not by `replace`, which takes several times as long.
    after = Game(
        now.opened,
        now.opened_at,
        now.table,
        now.renewals,
        now.names,
        now.computers,
        now.version + 1,
        raw,
        state,
        now.secret,
        now.entropy,
        now.shuffles,
        (*now.played, entry.card),
        turn_at=time_of(raw),
        counted_until=now.counted_until,
        rematches_until=now.rematches_until,
        seating=now.seating,
    )
    if now.opened.take_back:
        # A card that completes a trick, a hand or a deal has revealed something, so it stays.
        after = replace(after, before=now.state if state.trick and state.revoked is None else None)
    return after if now.opened.move_seconds is None else _count_absences(now, after, entry)


def _count_absences(before: Game, after: Game, entry: PlayEntry) -> Game:
    """Return a game after a card, with the counts of moves made for absent seats, and seats taken over."""
    seat, nobody = entry.seat, (None,) * after.table.players
    absences, computers = before.absences or (0,) * after.table.players, after.computers or nobody
    count = absences[seat] + 1 if isinstance(entry, AbsentPlayEntry) else 0
    if count >= MAX_ABSENCES and not all((*computers[:seat], *computers[seat + 1 :])):
        count, computers = 0, _at(computers, seat, ABSENT_LEVEL)
    seated = computers if any(computers) else ()
    return replace(after, absences=_at(absences, seat, count), computers=seated)


def replay_of(step: Step) -> play.Played | None:
    """Return the effect of a card; None if none was played."""
    entry, before, after = step.entry, step.before, step.game.state
    if step.played is not None or before is None or after is None or not isinstance(entry, PlayEntry):
        return step.played
    return play.describe_play(before, after, entry.card)


def advance(now: Game, entry: Entry, raw: bytes, played: play.Played | None = None) -> Step:
    """Make the step of the next entry of a game; `played` is the effect of its card, if known.

    Shape: `raw` is the entry as it is stored.
    Errors: ValueError for a second opening.
    """
    if isinstance(entry, PlayEntry) and now.state is not None:
        # If revokes are refused, every admitted card was legal.
        again = play_unchecked if now.opened.on_revoke == "refuse" else play.replay
        state = again(now.state, entry.card) if played is None else played.state
        return Step(_after_card(now, raw, entry, state), entry, now.raw, now.state, played)
    changed = {"version": now.version + 1, "raw": raw, **_list_changed(now, raw, entry)}
    return Step(replace(now, **changed), entry, now.raw, now.state)


def _list_changed(now: Game, raw: bytes, entry: Entry) -> dict[str, object]:
    """List the fields of a game that an entry changes, with their new values.

    Errors: ValueError for an opening, or a card before the first deal.
    """
    changed: dict[str, object]
    match entry:
        case EntropyEntry(seat, text):
            changed = {"entropy": _at(now.entropy, seat, text)}
        case DealEntry():
            changed = {**_after_deal(now, entry), "turn_at": time_of(raw)}
        case ResignEntry(seat):
            changed = {"resigned": seat, "before": None, "take_back_agreed": ()}
        case TakeBackEntry(seat):
            changed = _ask_back(now, raw, seat)
        case RematchEntry(rematch):
            until = max(now.rematches_until, time_of(raw)) + MINUTES_OF_REMATCH * MINUTE
            changed = {"rematch": rematch, "rematches_until": until}
        case TokenEntry() | ComputerEntry():
            changed = {**_after_change_of_seat(now, entry), **_count_change(now, raw, entry.seat)}
        case SeatsEntry():
            changed = _after_seats(now, entry, raw)
        case _:
            raise ValueError(entry)
    return changed


def _ask_back(now: Game, raw: bytes, seat: Seat) -> dict[str, object]:
    """Note that a seat asks or agrees to take a card back; take it back once every human seat agrees."""
    agreed, computers = (*now.take_back_agreed, seat), now.computers or (None,) * now.table.players
    if any(level is None and at not in agreed for at, level in enumerate(computers)):
        return {"take_back_agreed": agreed}
    undone = {"state": now.before, "before": None, "played": now.played[:-1]}
    return {**undone, "take_back_agreed": (), "turn_at": time_of(raw)}


def _at(values: tuple[Value, ...], place: int, value: Value) -> tuple[Value, ...]:
    """Return the values with another one at a place."""
    return (*values[:place], value, *values[place + 1 :])


def _count_change(now: Game, raw: bytes, seat: Seat) -> dict[str, tuple[Milliseconds, ...]]:
    counted = now.counted_until or (0,) * now.table.players
    return {"counted_until": _at(counted, seat, max(counted[seat], time_of(raw)) + MINUTE)}


def _after_change_of_seat(now: Game, entry: TokenEntry | ComputerEntry) -> dict[str, object]:
    nobody = (None,) * now.table.players
    if isinstance(entry, ComputerEntry):
        seated = _at(now.computers or nobody, entry.seat, entry.level)
        return {"computers": seated if any(seated) else (), "take_back_agreed": ()}
    renewals = _at(now.renewals or nobody, entry.seat, entry)
    if entry.name is None:
        return {"renewals": renewals}
    return {"renewals": renewals, "names": _at(now.names or nobody, entry.seat, entry.name)}


def _after_seats(now: Game, entry: SeatsEntry, raw: bytes) -> dict[str, object]:
    """Move everybody with their token, and commit to a new shuffle; the dealer is drawn again from it."""

    def move(values: tuple[Value, ...]) -> tuple[Value, ...]:
        return tuple([values[seat] for seat in entry.seats]) if values else ()

    opened, before = now.opened, tuple(range(now.table.players)) if now.seating is None else now.seating.first
    dealer = draw(now.table.players, draw_seed_from(entry.secret))[1] if opened.drawn else opened.dealer
    counted = now.counted_until if entry.by is None else _count_change(now, raw, entry.by)["counted_until"]
    return {
        "opened": replace(opened, seats=move(opened.seats), secret=entry.secret, dealer=dealer),
        "renewals": move(now.renewals),
        "names": move(now.names),
        "computers": move(now.computers),
        "counted_until": move(counted),
        "secret": entry.secret,
        "entropy": ("",) * now.table.players,
        "seating": SeatsBefore(entry.seats, move(before), entry.drawn, now.secret, now.entropy),
    }


def moves_seats(steps: Iterable[Step]) -> bool:
    """Return True if players change seats in any of the steps: then a follower needs the whole game."""
    return any(isinstance(step.entry, SeatsEntry) for step in steps)


def _after_deal(now: Game, entry: DealEntry) -> dict[str, object]:
    return {
        "state": dealt_state(now, entry.strip, threes=entry.threes),
        "secret": entry.secret,
        "entropy": ("",) * now.table.players,
        "shuffles": (*now.shuffles, ShuffleParts(now.secret, now.entropy, entry.strip, entry.threes)),
        "played": (),
    }


def steps(entries: Iterable[bytes], now: Game | None = None) -> Iterator[Step]:
    """Replay a log, from its opening or from a known game.

    Errors: ValueError for a log that does not begin with an opening.
    """
    for raw in entries:
        if now is None:
            now = open_game(raw)
            step = Step(now, now.opened)
        else:
            step = advance(now, parse_entry(raw), raw)
            now = step.game
        yield step
