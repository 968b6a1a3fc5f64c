"""The pending task of the computer in a live game, and what the computer may see."""

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from service.game.cards import Card
from service.game.level import Level
from service.game.rules.view import view
from service.game.rulesets import Seat
from service.game.state import State
from service.live.entries import Milliseconds
from service.live.log import ABSENT_LEVEL, Game
from service.live.turns import find_move_end, game_phase, seat_to_act

TaskKind: TypeAlias = Literal["play", "deal"]
TASK_KINDS: Final[tuple[TaskKind, ...]] = get_args(TaskKind)


class PendingTask(NamedTuple):
    """A task of the computer."""

    kind: TaskKind
    """To play or to deal."""
    seat: Seat
    """The seat for which it acts."""
    level: Level
    """How well it plays."""
    due_at: Milliseconds | None = None
    """When a person's time runs out; None if the seat is the computer's."""
    among_people: bool = False
    """True for the first deal at a table of several people, who may change seats before it."""


class Observation(NamedTuple):
    """Everything a computer player knows: the view of its seat, the cards played, and the version.

    Shape: `played` has the cards of this deal in the order played, none unless all are known; `seed` is the revision.
    The seat sees all of it, so anybody at that seat can ask for the same card again.
    """

    state: State
    played: tuple[Card, ...]
    seed: str


def find_task(game: Game) -> PendingTask | None:
    """Return the computer's next act.

    Return None if nobody is to act, a person without a time limit is, or people are missing.
    """
    if not game.computers and game.opened.move_seconds is None:
        return None
    seat = seat_to_act(game)
    if seat is None or _is_waiting(game):
        return None
    kind: TaskKind = "play" if game_phase(game) == "playing" else "deal"
    if game.computers and (level := game.computers[seat]) is not None:
        among_people = game.state is None and game.computers.count(None) > 1
        return PendingTask(kind, seat, level, among_people=among_people)
    due_at = find_move_end(game)
    return None if due_at is None else PendingTask(kind, seat, ABSENT_LEVEL, due_at)


def _is_waiting(game: Game) -> bool:
    """Return True before the first deal while some people have names and others have none yet."""
    if game.state is not None or not game.names:
        return False
    computers = game.computers or (None,) * len(game.names)
    people = [name for name, level in zip(game.names, computers, strict=True) if level is None]
    return None in people and any(people)


def observe(game: Game, seat: Seat) -> Observation:
    """Return what a computer at a seat sees.

    Errors: ValueError before the first deal.
    """
    if game.state is None:
        raise ValueError(game)
    out = len(game.state.trick) + sum([cards.bit_count() for cards in game.state.taken])
    played = game.played if len(game.played) == out else ()
    return Observation(view(game.state, seat), played, str(game.revision))
