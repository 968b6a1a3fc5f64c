"""What the computer has to do in a live game, and what it sees of it."""

from typing import Literal, NamedTuple, TypeAlias

from service.cards import Card
from service.games.log import Game, dealer_next
from service.games.refusals import require_no_deal
from service.games.views import game_phase
from service.players.level import Level
from service.rules.view import view
from service.rulesets import Seat
from service.state import State
from service.wire.refusal import Refusal

Task: TypeAlias = Literal["play", "deal"]


class Duty(NamedTuple):
    """What the computer has to do: to play or to deal, for which seat, and how well it plays."""

    task: Task
    seat: Seat
    level: Level


class Sight(NamedTuple):
    """All that a computer player knows when it plays: the view of its seat, the cards played, and the version.

    Shape: `played` are the cards of this deal in the order played; `seed` is the revision on which it plays. All of it
    is shown to the seat, so that anyone who was there can ask for the same card again.
    """

    state: State
    played: tuple[Card, ...]
    seed: str


def find_duty(game: Game) -> Duty | None:
    """Return what the computer has to do now. Return None if it is the turn of a person, or nobody's."""
    if not game.computers:
        return None
    if game_phase(game) == "playing" and game.state is not None:
        return _duty_of("play", game.state.seat_to_play, game)
    try:
        require_no_deal(game)
    except Refusal:
        return None
    return _duty_of("deal", dealer_next(game), game)


def _duty_of(task: Task, seat: Seat, game: Game) -> Duty | None:
    level = game.computers[seat]
    return None if level is None else Duty(task, seat, level)


def find_sight(game: Game, seat: Seat) -> Sight:
    """Return what the computer sees that plays a seat.

    Errors: ValueError before the first deal.
    """
    if game.state is None:
        raise ValueError(game)
    return Sight(view(game.state, seat), game.played, str(game.revision))
