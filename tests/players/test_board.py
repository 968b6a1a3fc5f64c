"""The board agrees with the rules at every node of random deals, forwards and backwards."""

from random import Random
from typing import Final

import pytest
from hypothesis import given, settings

from service.game.cards import BITS, Mask, cards_of
from service.game.rules import trick
from service.game.rules.deal import play_unchecked
from service.game.rulesets import Seat, make_table
from service.game.state import State
from service.players.board import Board, Moment, Saved
from tests.support.effort import choose_effort
from tests.support.strategies import ARRANGEMENTS, chances, deal_again, deal_at_random, legal, phase, states

GAMES: Final = choose_effort(daily=1, nightly=40)
"""In each shard."""


def trick_winner(state: State) -> Seat | None:
    """Return the seat that wins the trick so far, by the rules."""
    table = state.table
    return trick.winner(state.trick, state.trump, state.leader, table.players, table.ruleset)


def assert_same(board: Board, state: State) -> None:
    """Compare all that a board shows with a state in play."""
    number = board.order.number
    assert (board.seat, board.leader) == (state.seat_to_play, state.leader)
    assert number(board.pile) == sum(BITS[card] for card in state.trick)
    assert board.winner == (trick_winner(state) if state.trick else state.leader)
    assert (tuple(map(number, board.hands)), tuple(map(number, board.taken))) == (state.hands, state.taken)
    assert number(board.legal) == legal(state)
    if not state.trick:
        assert board.state() == state


@settings(max_examples=100)
@given(states(playing=True), chances())
def test_a_board_is_where_the_state_is_however_far_it_plays_and_goes_back(start: State, chance: Random) -> None:
    board, state, past = Board(start), start, list[tuple[State, Saved]]()
    while phase(state) == "playing":
        assert_same(board, state)
        assert_same(Board(state), state)
        past.append((state, board.save()))
        card = chance.choice(cards_of(legal(state)))
        board.play(board.order.rank(BITS[card]))
        state = play_unchecked(state, card)
        if chance.random() < 0.2:
            state, saved = past.pop()
            board.restore(saved)
    assert tuple(map(board.order.number, board.taken)) == state.taken
    while past:
        before, saved = past.pop()
        board.restore(saved)
        assert_same(board, before)


def follow_game(chance: Random) -> int:
    """Play a game at random, hold a board against the rules at every node, both ways. Return the number of nodes."""
    table = make_table(*chance.choice(ARRANGEMENTS))
    state = deal_at_random(table, chance, chance.randrange(table.players), 1, (0,) * len(table.sides))
    nodes = 0
    while phase(state) == "playing":
        board, past = Board(state), list[tuple[State, Mask, Moment]]()
        while phase(state) == "playing":
            assert_same(board, state)
            card = chance.choice(cards_of(legal(state)))
            past.append((state, board.order.rank(BITS[card]), board.moment()))
            board.play(past[-1][1])
            state = play_unchecked(state, card)
        assert tuple(map(board.order.number, board.taken)) == state.taken
        nodes += len(past) + 1
        for before, mine, moment in reversed(past):
            board.take_back(mine, moment)
            assert_same(board, before)
        if phase(state) == "deal_over":
            state = deal_again(state, chance)
    return nodes


@pytest.mark.parametrize("number", range(25))
def test_a_board_follows_whole_games(number: int) -> None:
    for game in range(GAMES):
        assert follow_game(Random(number + 25 * game)) > 0


@settings(max_examples=30)
@given(states(playing=True), chances())
def test_a_walk_through_all_endings_comes_back_to_where_it_began(start: State, chance: Random) -> None:
    state = start
    while phase(state) == "playing" and sum(hand.bit_count() for hand in state.hands) > 5:
        state = play_unchecked(state, chance.choice(cards_of(legal(state))))
    if phase(state) == "playing" and not state.later_hands:
        board = Board(state)
        assert walk(board, state) > 0
        assert_same(board, state)


def walk(board: Board, state: State) -> int:
    """Play every card that may be played, to the end of the deal, and go back. Return the number of endings."""
    if phase(state) != "playing":
        return 1
    endings, moment = 0, board.moment()
    for card in cards_of(legal(state)):
        mine = board.order.rank(BITS[card])
        board.play(mine)
        endings += walk(board, play_unchecked(state, card))
        board.take_back(mine, moment)
    assert_same(board, state)
    return endings
