"""The pending task of the computer in a live game, and its observation of the game for it."""

from typing import Literal, NamedTuple

from service.cards import Card
from service.games.decisions import refuse_deal
from service.games.log import Game, dealer_next
from service.games.views import game_phase
from service.players.level import Level
from service.rules.view import view
from service.rulesets import Seat
from service.state import State


class PendingTask(NamedTuple):
    """A task of the computer: to play or to deal, for which seat, and how well it plays."""

    kind: Literal["play", "deal"]
    seat: Seat
    level: Level


class Observation(NamedTuple):
    """All that a computer player knows when it plays: the view of its seat, the cards played, and the version.

    Shape: `played` are the cards of this deal in the order played; `seed` is the revision on which it plays. All of it
    is shown to the seat, so that anyone who was there can ask for the same card again.
    """

    state: State
    played: tuple[Card, ...]
    seed: str


def find_task(game: Game) -> PendingTask | None:
    """Return what the computer has to do now. Return None if it is the turn of a person, or nobody's."""
    if not game.computers:
        return None
    playing = game_phase(game) == "playing"
    if not playing and refuse_deal(game) is not None:
        return None
    seat = game.state.seat_to_play if playing and game.state is not None else dealer_next(game)
    level = game.computers[seat]
    return None if level is None else PendingTask("play" if playing else "deal", seat, level)


def observe(game: Game, seat: Seat) -> Observation:
    """Return what the computer sees that plays a seat.

    Errors: ValueError before the first deal.
    """
    if game.state is None:
        raise ValueError(game)
    return Observation(view(game.state, seat), game.played, str(game.revision))
