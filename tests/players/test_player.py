"""A player knows what its seat sees, no more, and gives the same answer every time."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from service.game.cards import BITS, FULL_PACK, SUIT_MASKS, Mask
from service.game.generators import run_to_end
from service.game.rules.unseen import find_hidden
from service.game.rules.view import view
from service.game.rulesets import arrange, make_table, usual_sides
from service.game.state import State, side_of
from service.players import player
from service.players.board import Board
from service.players.determinizations import Determinizations
from service.players.evaluator import Evaluator, Outcome
from service.players.player import EFFORTS, Level, RankedOptions, weigh_cards
from service.players.rule_of_thumb import RuleOfThumb
from service.players.tree import Tree
from tests.players.test_ending import ending_state, solve_all
from tests.support.strategies import chances, deal_at_random, legal, states


def suggest(state: State, level: Level, seed: str) -> RankedOptions:
    """Weigh the cards of the seat to play without a pause."""
    return run_to_end(weigh_cards(state, EFFORTS[level], seed))


@settings(max_examples=40)
@given(states(playing=True), chances())
def test_states_that_look_the_same_to_a_seat_get_the_same_answer(state: State, chance: Random) -> None:
    seat = state.seat_to_play
    seen = view(state, seat)
    other = Determinizations(find_hidden(seen)).draw(chance)
    assert suggest(view(other, seat), "easy", "1") == suggest(seen, "easy", "1")
    assert RuleOfThumb(other).choose(Board(other)) == RuleOfThumb(state).choose(Board(state))


@settings(max_examples=25)
@given(states(playing=True))
def test_every_legal_card_is_weighed_and_no_other(state: State) -> None:
    found = suggest(view(state, state.seat_to_play), "easy", "1")
    assert sum(BITS[option.card] for option in found.options) == legal(state)
    for option in found.options:
        assert 0 <= option.wins <= 1
        assert 0 <= option.losses <= 1 - option.wins
        assert option.standard_error is None or option.standard_error >= 0


def test_another_seed_tries_other_fillings() -> None:
    table = make_table("gamerules", usual_sides("gamerules", 4))
    seen = view(deal_at_random(table, Random(1), 0, 1, (0,) * len(table.sides)), 1)
    assert suggest(seen, "easy", "1") == suggest(seen, "easy", "1")
    assert suggest(seen, "easy", "1") != suggest(seen, "easy", "2")


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_with_all_hands_shown_and_few_cards_left_the_answer_is_exact(level: Level) -> None:
    chance = Random(11)
    for _ in range(10):
        state = ending_state(chance, 8)
        found = suggest(state, level, "1")
        endings = {card: ending for card, (ending, _) in solve_all(state).items()}
        side = side_of(state, state.seat_to_play)
        assert found.exact
        assert {option.standard_error for option in found.options} == {0.0}
        best = endings[found.options[0].card]
        assert best.worth[side] == max(ending.worth[side] for ending in endings.values())
        assert found.options[0].points == best.points[side]


def test_with_many_cards_left_no_answer_is_called_exact() -> None:
    table = make_table("gamerules", usual_sides("gamerules", 4))
    state = deal_at_random(table, Random(2), 0, 1, (0,) * len(table.sides))
    found = suggest(state, "easy", "1")
    assert (found.fillings, found.exact) == (EFFORTS["easy"].iterations_if_known, False)


def test_hidden_hands_are_filled_in_many_ways() -> None:
    table = make_table("gamerules", usual_sides("gamerules", 4))
    state = deal_at_random(table, Random(2), 0, 1, (0,) * len(table.sides))
    found = suggest(view(state, 1), "medium", "1")
    assert found.fillings == EFFORTS["medium"].fillings
    assert all(option.standard_error for option in found.options)


@pytest.mark.parametrize("level", EFFORTS)
def test_all_cards_are_tried_in_the_same_fillings(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = list[tuple[Mask, ...]]()

    def plant(*args: Any) -> SimpleNamespace:
        tree = Tree(*args)

        def iterate(board: Board, card: Mask) -> tuple[Outcome, int]:
            tried.append(tuple(board.hands))
            return tree.iterate(board, card)

        return SimpleNamespace(iterate=iterate, nodes=0)

    monkeypatch.setattr(player, "Tree", plant)
    state = deal_at_random(make_table("gamerules", arrange(4, 2)), Random(2), 0, 1, (0, 0))
    found = suggest(view(state, 1), level, "1")
    assert len(set(tried)) == found.fillings
    assert len(tried) > found.fillings == EFFORTS[level].fillings


def test_a_player_takes_points_while_the_game_is_far_and_the_game_while_it_is_near() -> None:
    table = make_table("gamerules", arrange(4, 2))
    state = deal_at_random(table, Random(2), 0, 1, (0, 0))
    level, ahead = (reckon(state, taken) for taken in piles(state))
    assert 0 < level.chances[1] < ahead.chances[0] < sum(ahead.chances) <= 10_000
    won = reckon(replace(state, scores=(40, 40)), piles(state)[1])
    assert won.winners == (0,)
    assert won.chances == (10_000, 0)


def piles(state: State) -> tuple[tuple[Mask, Mask], tuple[Mask, Mask]]:
    """Return two ways to share the cards: half to each side, and the trumps to the first one, too."""
    half, trumps = state.hands[0] | state.hands[2], SUIT_MASKS[state.trump]
    return (half & ~trumps, half & trumps | FULL_PACK & ~half), (half | trumps, FULL_PACK & ~half & ~trumps)


def reckon(state: State, taken: tuple[Mask, Mask]) -> Outcome:
    board = Board(replace(state, hands=(0,) * 4, trick=(), taken=taken))
    outcome = Evaluator(state).ended(board)
    assert outcome is not None
    return outcome
