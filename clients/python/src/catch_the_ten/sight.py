"""The view of a live game: each change folded into the game before it."""

from collections.abc import Collection, Sequence
from threading import Lock

import msgspec
from msgspec.structs import replace

from catch_the_ten.models import (
    CardsDealt,
    ComputerLeft,
    ComputerSeated,
    DealPosition,
    GameChange,
    GameEvent,
    GamePhase,
    GameSeat,
    GameVersion,
    LastTrick,
    LiveGame,
    RecordedPlay,
    RematchOpened,
    Resigned,
    Seat,
    TokenRenewed,
    TrickTaken,
)


class Update(msgspec.Struct, frozen=True, kw_only=True):
    """A game after a change, and the change's events.

    `whole` is true at the beginning, and after the service lost changes: replace everything shown; there are no
    `events`.
    """

    game: LiveGame
    events: Sequence[GameEvent] = ()
    whole: bool = False

    @property
    def version(self) -> GameVersion:
        """The version of the game."""
        return self.game.version

    @property
    def phase(self) -> GamePhase:
        """The phase of the game."""
        return self.game.phase

    @property
    def position(self) -> DealPosition | None:
        """The position; None before the first deal."""
        return self.game.position

    def follow(self, change: GameChange) -> "Update":
        """Return the update after a change."""
        return Update(game=fold(self.game, change), events=change.events)

    def is_before(self, other: "Update") -> bool:
        """Return True if another update of the same game has a version with a higher number."""
        return number_of(self.version) < number_of(other.version)


def number_of(version: GameVersion) -> int:
    """Return the number of a version: versions are in its order unless the service lost some."""
    return int(version.partition("-")[0])


def fold(game: LiveGame, change: GameChange) -> LiveGame:
    """Return a game after the change that follows on it."""
    shuffles = {shuffle.deal: shuffle for shuffle in (*game.shuffles, *change.shuffles)}
    folded = replace(
        game,
        version=change.version,
        changed_at=change.at,
        expires_at=change.expires_at,
        phase=change.phase,
        dealer=change.dealer,
        move_ends_at=change.move_ends_at,
        take_back_asked=change.take_back_asked,
        position=change.position,
        shuffles=list(shuffles.values()),
    )
    for event in change.events:
        folded = _fold_event(folded, event)
    return folded


def _fold_event(game: LiveGame, event: GameEvent) -> LiveGame:
    match event:
        case CardsDealt():
            folded = replace(game, last_trick=None)
        case TrickTaken():
            count = len(game.seats)
            cards = [RecordedPlay(seat=(event.leader + at) % count, card=card) for at, card in enumerate(event.cards)]
            folded = replace(game, last_trick=LastTrick(cards=cards, winner=event.seat))
        case ComputerSeated() | ComputerLeft():
            level = event.level if isinstance(event, ComputerSeated) else None
            folded = _fold_seat(game, replace(game.seats[event.seat], computer=level))
        case TokenRenewed():
            folded = _fold_seat(game, replace(game.seats[event.seat], name=event.name))
        case RematchOpened():
            folded = replace(game, rematch=event.game)
        case Resigned():
            folded = replace(game, resigned=event.seat)
        case _:
            folded = game
    return folded


def set_present(game: LiveGame, present: Collection[Seat]) -> LiveGame:
    """Return a game with the seats that are present by now."""
    return replace(game, seats=[replace(seat, present=seat.seat in present) for seat in game.seats])


def _fold_seat(game: LiveGame, changed: GameSeat) -> LiveGame:
    return replace(game, seats=[changed if seat.seat == changed.seat else seat for seat in game.seats])


class Sight:
    """The latest that was seen, by calls and streams that may end in any order and in several threads."""

    def __init__(self, first: Update) -> None:
        self._lock = Lock()
        self.latest = first

    def take(self, update: Update, asked_at: GameVersion | None = None) -> None:
        """Take an update, unless the game held is newer.

        An older whole game has another past: the service has lost changes. It is taken if the caller asked for it and
        the version held is still `asked_at`, the version at the time of asking.
        """
        with self._lock:
            if self.latest.is_before(update) or asked_at == self.latest.version:
                present = [seat.seat for seat in self.latest.game.seats if seat.present]
                self.latest = update if update.whole else replace(update, game=set_present(update.game, present))

    def set_present(self, present: Collection[Seat]) -> None:
        """Take the seats that are present; no change says which they are."""
        with self._lock:
            self.latest = replace(self.latest, game=set_present(self.latest.game, present))

    def begin_anew(self, update: Update) -> None:
        """Replace everything before by a whole game."""
        with self._lock:
            self.latest = update
