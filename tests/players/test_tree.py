"""A tree learns what the replies are worth, and leaves the board as it was."""

from random import Random

from hypothesis import given, settings

from service.game.cards import BITS, cards_of
from service.game.rules.deal import play_unchecked
from service.game.rulesets import arrange, make_table
from service.game.state import State, side_of
from service.players.board import Board
from service.players.evaluator import Evaluator
from service.players.rule_of_thumb import RuleOfThumb
from service.players.tree import Tree
from tests.players.test_ending import cards_left, ending_state, solve_all
from tests.support.strategies import deal_at_random, legal, states


def grow(state: State, times: int, seed: int = 1) -> dict[int, list[int]]:
    """Return the chances of the side to play after each legal card, time by time."""
    evaluator, board = Evaluator(state), Board(state)
    tree = Tree(RuleOfThumb(state), evaluator, cards_left(state), 1, Random(seed))
    side, before = side_of(state, state.seat_to_play), (board.seat, board.pile, board.hands[:], board.taken[:])
    worth: dict[int, list[int]] = {card: [] for card in cards_of(legal(state))}
    for _ in range(times):
        for card, seen in worth.items():
            seen.append(tree.iterate(board, board.order.rank(BITS[card]))[0].chances[side])
            assert (board.seat, board.pile, board.hands, board.taken) == before
    assert tree.nodes == times * len(worth) * cards_left(state)
    return worth


def test_a_tree_of_known_hands_comes_to_what_exact_play_finds() -> None:
    chance = Random(3)
    for _ in range(15):
        state = ending_state(chance, 8)
        if len(state.taken) == 2:
            side = side_of(state, state.seat_to_play)
            exact = {card: ending.worth[side] for card, (ending, _) in solve_all(state).items()}
            late = {card: sum(seen[300:]) for card, seen in grow(state, 600).items()}
            # The tree plays for the chance to win the game, and a point does not always change that by the same part.
            assert exact[max(late, key=late.__getitem__)] >= max(exact.values()) - 2


def test_a_tree_grows_alike_from_the_same_seed() -> None:
    state = deal_at_random(make_table("trebor", arrange(6, 2)), Random(4), 0, 1, (0, 0))
    assert grow(state, 60) == grow(state, 60)
    assert grow(state, 60) != grow(state, 60, seed=2)


@settings(max_examples=50)
@given(states(playing=True))
def test_a_tree_says_which_side_takes_the_trick_of_the_card(start: State) -> None:
    card = cards_of(legal(start))[0]
    thumb, state = RuleOfThumb(start), play_unchecked(start, card)
    while state.trick:
        board = Board(state)
        state = play_unchecked(state, board.order.number(thumb.choose(board)).bit_length() - 1)
    board = Board(start)
    tree = Tree(thumb, Evaluator(start), cards_left(start), 2, Random(1))
    assert tree.iterate(board, board.order.rank(BITS[card]))[1] == side_of(state, state.leader)
