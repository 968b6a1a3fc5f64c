"""A playout plays the cards that the rule of thumb chooses, and ends as the rules say."""

from hypothesis import given, settings

from service.game.rules.deal import play_unchecked
from service.game.state import State
from service.players.board import Board
from service.players.evaluator import Evaluator
from service.players.playout import play_out
from service.players.rule_of_thumb import RuleOfThumb
from tests.players.test_ending import end
from tests.support.strategies import phase, states


@settings(max_examples=150)
@given(states(playing=True))
def test_a_playout_goes_as_all_seats_play_by_rule_of_thumb(start: State) -> None:
    thumb, state = RuleOfThumb(start), start
    while phase(state) == "playing":
        board = Board(state)
        state = play_unchecked(state, board.order.number(thumb.choose(board)).bit_length() - 1)
    assert play_out(Board(start), thumb, Evaluator(start))[0][:4] == end(state)[:4]
