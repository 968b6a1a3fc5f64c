"""A playout plays the cards that the rule of thumb chooses, and ends as the rules say."""

from random import Random

from hypothesis import given, settings

from service.players.board import Board
from service.players.playout import Playouts
from service.players.reckoning import Reckoning
from service.players.rule_of_thumb import RuleOfThumb
from service.rules import play
from service.state import State, side_of
from tests.players.test_ending import end
from tests.support.strategies import chances, legal, phase, states


@settings(max_examples=150)
@given(states(playing=True), chances())
def test_a_playout_goes_as_all_seats_play_by_rule_of_thumb(start: State, chance: Random) -> None:
    board, thumb = Board(start), RuleOfThumb(start)
    number = board.order.number
    card = chance.choice([card for card in range(36) if legal(start) >> card & 1])
    ending, taker = Playouts(start, Reckoning(start)).play_out(board, board.order.rank(1 << card))
    assert (board.trick, board.hands) == (Board(start).trick, Board(start).hands)
    state, takers = play.play_unchecked(start, card), list[int]()
    board.play(board.order.rank(1 << card))
    while phase(state) == "playing":
        if not state.trick:
            takers.append(side_of(state, state.leader))
        chosen = thumb.choose(board)
        board.play(chosen)
        state = play.play_unchecked(state, number(chosen).bit_length() - 1)
    assert ending[:4] == end(state)[:4]
    assert taker == [*takers, side_of(state, state.leader)][0]
