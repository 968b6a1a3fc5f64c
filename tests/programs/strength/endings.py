"""The loss of the players in the last four tricks, against exact play of all hands."""

from collections.abc import Iterator
from functools import cache
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from service.game.cards import BITS, Card, cards_of
from service.game.generators import run_to_end
from service.game.rules import verdicts
from service.game.rules.deal import play_unchecked
from service.game.rules.view import view
from service.game.rulesets import Sides
from service.game.state import State, hand_size, side_of
from service.players.board import Board
from service.players.ending import Search
from service.players.evaluator import Evaluator
from tests.programs.strength.matches import PLAYERS, deal_at_random

_TRICKS: Final = 4
_PLENTY: Final = 10**7


class Loss(NamedTuple):
    """The loss of a player by a card, on average: playing by what its seat sees, and with all hands shown.

    Unit: points of its side beyond those of the others.
    """

    cards: int
    seeing_its_hand: float
    seeing_all: float


def measure_endings(name: str, rules: str, sides: Sides, deals: int) -> Loss:
    """Let a player choose a card at every turn in the last four tricks of deals played by rule of thumb."""
    hidden, shown = list[int](), list[int]()
    for number, (state, played, worth) in enumerate(_solved_turns(rules, sides, deals)):
        for seen, losses in ((view(state, state.seat_to_play), hidden), (state, shown)):
            losses.append(max(worth.values()) - worth[PLAYERS[name](seen, played, Random(number))])
    return Loss(len(hidden), fmean(hidden), fmean(shown))


@cache
def _solved_turns(rules: str, sides: Sides, deals: int) -> list[tuple[State, tuple[Card, ...], dict[Card, int]]]:
    """Return the turns, each with what its legal cards are worth: found once, for all players."""
    chances = [Random(f"ending-{rules}-{sides}-{number}") for number in range(deals)]
    turns = [turn for chance in chances for turn in _last_turns(rules, sides, chance)]
    return [(state, played, _solve(state)) for state, played in turns]


def _last_turns(rules: str, sides: Sides, chance: Random) -> Iterator[tuple[State, tuple[Card, ...]]]:
    """Play a deal by rule of thumb, and yield each state of its last tricks in which there is a choice."""
    state, played, thumb = deal_at_random(rules, sides, chance), tuple[Card, ...](), PLAYERS["rule of thumb"]
    while not state.played_out:
        tricks = max(map(hand_size, state.hands))
        if tricks <= _TRICKS and not state.later_hands and (verdicts.legal_cards(state) or 0).bit_count() > 1:
            yield state, played
        card = thumb(view(state, state.seat_to_play), played, chance)
        state, played = play_unchecked(state, card), (*played, card)


def _solve(state: State) -> dict[Card, int]:
    """Return what each legal card is worth to the side to play if all play their best from there."""
    search, board, side = Search(state, Evaluator(state)), Board(state), side_of(state, state.seat_to_play)
    ends = {
        card: run_to_end(search.solve(board, board.order.rank(BITS[card]), _PLENTY)).outcome.points
        for card in cards_of(verdicts.legal_cards(state) or 0)
    }
    return {card: 2 * points[side] - sum(points) for card, points in ends.items()}
