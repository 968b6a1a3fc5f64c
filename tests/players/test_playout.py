"""A playout plays the cards that the rule of thumb chooses, and ends as the rules say."""

from random import Random

from hypothesis import given, settings

from service.cards import BITS, Mask, cards_of
from service.players.board import Board
from service.players.evaluator import Evaluator
from service.players.playout import Playouts
from service.players.rule_of_thumb import RuleOfThumb
from service.rules import play
from service.state import State, side_of
from tests.players.test_ending import end
from tests.support.strategies import chances, legal, phase, states


@settings(max_examples=150)
@given(states(playing=True), chances())
def test_a_playout_goes_as_all_seats_play_by_rule_of_thumb(start: State, chance: Random) -> None:
    board, thumb = Board(start), RuleOfThumb(start)
    state, path, takers = start, list[Mask](), list[int]()
    first = chance.randint(1, 6)
    while phase(state) == "playing":
        chosen = thumb.choose(board)
        if len(path) < first:
            chosen = board.order.rank(BITS[chance.choice(cards_of(legal(state)))])
            path.append(chosen)
        board.play(chosen)
        state = play.play_unchecked(state, board.order.number(chosen).bit_length() - 1)
        if not state.trick:
            takers.append(side_of(state, state.leader))
    before = Board(start)
    ending, taker = Playouts(start, Evaluator(start)).play_out(before, path)
    assert (before.hands, before.taken) == (Board(start).hands, Board(start).taken)
    assert ending[:4] == end(state)[:4]
    assert taker == takers[0]
