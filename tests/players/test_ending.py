"""Exact play is what a search through every line of play finds that knows nothing but the rules."""

from random import Random

import pytest

from service.cards import BITS, cards_of
from service.players.ending import Ending, OutOfNodes, best_ending, end_deal, solve
from service.players.ranking import rank
from service.rules import play
from service.rulesets import lay
from service.state import State, hand_size, side_of
from tests.support.strategies import ARRANGEMENTS, deal_at_random, legal, phase

_PLENTY = 10**6


def ending_state(chance: Random, cards: int) -> State:
    """Play a random deal of any arrangement until so few cards are left that all lines of play can be tried."""
    while True:
        table = lay(*chance.choice(ARRANGEMENTS))
        scores = tuple(chance.randint(0, 40) for _ in table.sides)
        state = deal_at_random(table, chance, chance.randrange(table.players), 2, scores)
        while phase(state) == "playing" and cards_left(state) > cards:
            state = play.play_unchecked(state, chance.choice(cards_of(legal(state))))
        if phase(state) == "playing":
            return state


def cards_left(state: State) -> int:
    return sum(hand_size(hand) for hands in (state.hands, *state.later_hands) for hand in hands)


def try_all(state: State) -> Ending:
    """Return how a deal ends if each side plays its best, of cards that are as good for it the first."""
    ending = end_deal(state)
    if ending is not None:
        return ending
    side = side_of(state, state.seat_to_play)
    order = [card for suit in rank(state.table.ruleset, state.trump).suits for card in suit]
    cards = [card.bit_length() - 1 for card in order if card & legal(state)]
    return max((try_all(play.play_unchecked(state, card)) for card in cards), key=lambda found: found.worth[side])


@pytest.mark.parametrize("number", range(8))
def test_each_card_is_worth_what_the_search_of_all_lines_finds(number: int) -> None:
    chance = Random(f"endings-{number}")
    for _ in range(12):
        state = ending_state(chance, chance.randint(3, 9))
        cards = [BITS[card] for card in cards_of(legal(state))]
        for card, found in solve(state, cards, _PLENTY):
            expected = try_all(play.play_unchecked(state, card.bit_length() - 1))
            # Two sides share what there is, so of lines that are worth the same any may be found.
            assert found.worth == expected.worth
            assert found == expected or len(state.taken) == 2


def test_a_side_plays_for_the_game_before_points() -> None:
    chance = Random(5)
    while True:
        state = ending_state(chance, 8)
        endings = dict(solve(state, [BITS[card] for card in cards_of(legal(state))], _PLENTY))
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
        assert not any(
            sum(ending.worth) for ending in dict(solve(state, [BITS[cards_of(legal(state))[0]]], 9999)).values()
        )


def test_a_search_stops_when_it_has_played_as_many_cards_as_it_may() -> None:
    state = ending_state(Random(7), 9)
    card = BITS[cards_of(legal(state))[0]]
    with pytest.raises(OutOfNodes):
        list(solve(state, [card], 5))


def test_between_two_tricks_the_best_ending_is_that_of_the_best_card() -> None:
    chance = Random(8)
    for _ in range(20):
        state = ending_state(chance, 8)
        if not state.trick:
            endings = dict(solve(state, [BITS[card] for card in cards_of(legal(state))], _PLENTY)).values()
            side = side_of(state, state.seat_to_play)
            assert best_ending(state, _PLENTY).worth[side] == max(ending.worth[side] for ending in endings)
