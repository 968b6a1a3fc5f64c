"""What the computer has to do in a live game, what it sees of it, and how it does it."""

from secrets import token_hex
from typing import Literal, NamedTuple, TypeAlias

from service.cards import Card
from service.games.entries import CardPlayed, Dealt, Milliseconds
from service.games.log import Game, Step, advance, dealer_next, played_step
from service.games.refusals import choose_strip, require_no_deal
from service.games.repository import Repository, write_line
from service.games.views import game_phase
from service.players.level import Level
from service.rules import play
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


async def play_card(repository: Repository, game_id: str, game: Game, card: Card, at: Milliseconds) -> Step | None:
    """Play a legal card for the seat to play, which the computer plays. Return None if the game has moved on.

    Errors: Refusal; ValueError before the first deal.
    """
    if game.state is None:
        raise ValueError(game)
    played = play.play(game.state, card, game.opened.on_revoke)
    step = played_step(game, write_line(CardPlayed(played.seat, card), at), played)
    return step if await repository.append(game_id, step) else None


async def deal_cards(repository: Repository, game_id: str, game: Game, at: Milliseconds) -> Step | None:
    """Deal for the dealer, whose seat the computer plays. Return None if the game has moved on.

    Errors: Refusal.
    """
    dealt = Dealt(choose_strip(game, None, threes=False), threes=False, secret=token_hex(32))
    step = advance(game, write_line(dealt, at))
    return step if await repository.append(game_id, step) else None
