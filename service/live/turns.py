"""The turns of a live game: who is to play or to deal, and until when."""

from service.game.rules import game as winning
from service.game.rulesets import Seat
from service.live.entries import Milliseconds
from service.live.log import KEPT_SECONDS, Game, dealer_next
from service.schemas.ids import is_app
from service.schemas.live_game import GamePhase


def game_phase(game: Game) -> GamePhase:
    """Return the phase of a live game."""
    if game.resigned is not None:
        return "game_over"
    return "to_deal" if game.state is None else winning.phase(game.state, winning.won(game.state))


def seat_to_act(game: Game) -> Seat | None:
    """Return the seat that is to play, or to deal. Return None once the game is over."""
    phase = game_phase(game)
    if phase == "playing" and game.state is not None:
        return game.state.seat_to_play
    return None if phase == "game_over" else dealer_next(game)


def is_awaited(game: Game, seat: Seat) -> bool:
    """Return True if a game waits for a seat: to play, to deal or, before the first deal, to be taken."""
    if seat == seat_to_act(game):
        return True
    return game.state is None and (not game.names or game.names[seat] is None)


def store_ttl(game: Game) -> int:
    """Return how many seconds the store keeps an unchanged game; longer for an app's, for its feed."""
    if not is_app(game.opened.owner):
        return game.ttl
    return max(game.ttl, KEPT_SECONDS) if game_phase(game) == "game_over" else game.ttl + KEPT_SECONDS


def find_move_end(game: Game) -> Milliseconds | None:
    """Return when the time for the move is over, by the clock of the store.

    Return None if no limit runs: the game has none, is not dealt or is over, or the computer is next. A game opened
    from a position begins with its first play.
    """
    limit = game.opened.move_seconds
    if limit is None or game.state is None or not game.turn_at:
        return None
    seat = seat_to_act(game)
    if seat is None or (game.computers and game.computers[seat] is not None):
        return None
    return game.turn_at + limit * 1000
