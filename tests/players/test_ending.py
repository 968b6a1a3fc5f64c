"""Exact play is what a search through every line of play finds that knows nothing but the rules."""

from random import Random
from typing import Final

import pytest

from service.game.cards import BITS, SUIT_OF, Card, cards_of
from service.game.generators import run_to_end
from service.game.rules import game, score
from service.game.rules.deal import play_unchecked
from service.game.rulesets import Side, make_table
from service.game.state import State, hand_size, side_of
from service.players.board import Board
from service.players.ending import OutOfNodes, Search
from service.players.evaluator import Evaluator, Outcome
from service.players.order import order
from tests.support.effort import choose_effort
from tests.support.strategies import ARRANGEMENTS, deal_at_random, legal, phase

ENDINGS: Final = choose_effort(daily=12, nightly=100)
"""In each shard."""
_PLENTY = 10**6


def ending_state(chance: Random, cards: int) -> State:
    """Play a random deal of any arrangement until so few cards are left that all lines of play can be tried."""
    while True:
        table = make_table(*chance.choice(ARRANGEMENTS))
        scores = tuple(chance.randint(0, 40) for _ in table.sides)
        state = deal_at_random(table, chance, chance.randrange(table.players), 2, scores)
        while phase(state) == "playing" and cards_left(state) > cards:
            state = play_unchecked(state, chance.choice(cards_of(legal(state))))
        if phase(state) == "playing":
            return state


def cards_left(state: State) -> int:
    return sum(hand_size(hand) for hands in (state.hands, *state.later_hands) for hand in hands)


def solve_all(state: State, nodes: int = _PLENTY) -> dict[Card, tuple[Outcome, Side]]:
    """Return how the deal ends after each legal card, and the side that takes the trick of it, as the search finds."""
    search, board = Search(state, Evaluator(state)), Board(state)
    endings = {
        card: run_to_end(search.solve(board, board.order.rank(BITS[card]), nodes)) for card in cards_of(legal(state))
    }
    return {card: (ending.outcome, ending.taker) for card, ending in endings.items()}


def try_all(state: State) -> Outcome:
    """Return how a deal ends if each side plays its best, of cards that are as good for it the first."""
    if phase(state) != "playing":
        return end(state)
    side = side_of(state, state.seat_to_play)
    ranked = order(state.table.ruleset, state.trump)
    cards = [(card, ranked.rank(BITS[card])) for card in cards_of(legal(state))]
    in_order = sorted(cards, key=lambda pair: (SUIT_OF[pair[0]], pair[1]))
    ends = (try_all(play_unchecked(state, card)) for card, _ in in_order)
    return max(ends, key=lambda found: found.worth[side])


def end(state: State) -> Outcome:
    """Return how a deal ended, by the rules alone, but for the chances of the game."""
    won, points, every = game.won(state), score.points(state), state.table.honours[state.trump].mask
    worth = [made + (1000 if won and side in won.winners else 0) for side, made in enumerate(points)]
    honours = tuple(taken & every for taken in state.taken)
    gains = tuple(len(worth) * own - sum(worth) for own in worth)
    return Outcome(points, honours, won.winners if won else None, gains, chances=())


def check_ending(chance: Random) -> int:
    """Hold the search against the search of all lines in a random ending. Return the number of sides."""
    state = ending_state(chance, chance.randint(3, 9))
    for card, (found, _) in solve_all(state).items():
        expected = try_all(play_unchecked(state, card))
        # The points of two sides have a fixed sum, so any of several equal lines may be found.
        assert found.worth == expected.worth
        assert found[:4] == expected[:4] or len(state.taken) == 2
    return len(state.taken)


@pytest.mark.parametrize("number", range(8))
def test_each_card_is_worth_what_the_search_of_all_lines_finds(number: int) -> None:
    chance = Random(f"endings-{number}")
    for _ in range(ENDINGS):
        check_ending(chance)


def test_a_side_plays_for_the_game_before_points() -> None:
    chance = Random(5)
    while True:
        state = ending_state(chance, 8)
        endings = {card: ending for card, (ending, _) in solve_all(state).items()}
        side = side_of(state, state.seat_to_play)
        winning = [ending for ending in endings.values() if ending.winners and side in ending.winners]
        if winning and len(winning) < len(endings):
            break
    best = max(endings.values(), key=lambda ending: ending.worth[side])
    assert best in winning


def test_what_all_sides_gain_adds_up_to_nothing() -> None:
    chance = Random(6)
    for _ in range(20):
        state = ending_state(chance, 6)
        assert not any(sum(ending.worth) for ending, _ in solve_all(state).values())


def test_a_search_stops_when_it_has_played_as_many_cards_as_it_may() -> None:
    state = ending_state(Random(7), 9)
    with pytest.raises(OutOfNodes):
        solve_all(state, 5)


def test_a_search_that_was_stopped_leaves_the_board_as_it_was() -> None:
    state = ending_state(Random(7), 9)
    board = Board(state)
    before = (board.seat, board.pile, board.hands[:], board.taken[:])
    with pytest.raises(OutOfNodes):
        run_to_end(Search(state, Evaluator(state)).solve(board, board.order.rank(BITS[cards_of(legal(state))[0]]), 5))
    assert (board.seat, board.pile, board.hands, board.taken) == before


def test_a_search_lets_others_work_after_every_hundred_cards() -> None:
    state = ending_state(Random(9), 14)
    search, board, first = Search(state, Evaluator(state)), Board(state), cards_of(legal(state))[0]
    pieces = sum(1 for _ in search.solve(board, board.order.rank(BITS[first]), _PLENTY))
    assert search.nodes > 300
    assert pieces == search.nodes // 100


def test_a_trick_is_taken_by_the_side_that_the_rules_find() -> None:
    chance, whole = Random(8), 0
    while whole < 20:
        state = ending_state(chance, 8)
        for card, (_, taker) in solve_all(state).items():
            after = play_unchecked(state, card)
            assert taker in range(len(state.taken))
            if not after.trick:
                assert taker == side_of(after, after.leader)
                whole += 1
