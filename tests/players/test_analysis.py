"""An analysis agrees with itself: after the best card, from other seats, and within its bounds."""

from random import Random
from typing import Final, TypeVar

import pytest
from msgspec.structs import replace

from service.game.cards import BITS
from service.game.generators import run_to_end
from service.game.rules import admission
from service.game.rules.deal import play_unchecked
from service.game.rulesets import make_table
from service.game.state import Claim, State, to_claim
from service.players import analysis
from service.players.analysis import (
    LARGE,
    MAX_DEAL_NODES,
    MAX_POSITION_NODES,
    RECORD_SEARCH_NODES,
    SEARCH_NODES,
    Analyzer,
    Loss,
    PositionWorth,
    judge_plays,
)
from tests.players.test_ending import ending_state
from tests.support.effort import choose_effort
from tests.support.strategies import deal_at_random, legal, phase

Hands = TypeVar("Hands")
DEALS: Final = choose_effort(daily=2, nightly=5)


def weigh(state: State) -> PositionWorth:
    """Weigh the cards of a position."""
    return run_to_end(Analyzer(state, SEARCH_NODES).weigh(state))


@pytest.mark.parametrize("number", range(4))
def test_the_best_card_leads_to_a_position_that_is_worth_the_same(number: int) -> None:
    chance = Random(f"best-{number}")
    for _ in range(10):
        state = ending_state(chance, chance.randint(4, 12))
        best, after = weigh(state).cards[0], play_unchecked(state, weigh(state).cards[0].card)
        if phase(after) == "playing":
            assert weigh(after).cards[0].points == best.points


@pytest.mark.parametrize("number", range(4))
def test_seats_have_no_names(number: int) -> None:
    chance = Random(f"seats-{number}")
    for _ in range(10):
        state = ending_state(chance, chance.randint(4, 12))
        moved = admission.admit(_move_seats(to_claim(state), chance.randrange(1, state.table.players)))
        assert weigh(moved).cards == weigh(state).cards


def _move_seats(claim: Claim, by: int) -> Claim:
    """Let all players sit `by` seats further on."""
    count = len(claim.hands)

    def moved(seat: int) -> int:
        return (seat + by) % count

    def moved_hands(hands: tuple[Hands, ...]) -> tuple[Hands, ...]:
        return tuple(hands[(seat - by) % count] for seat in range(count)) if hands else ()

    return replace(
        claim,
        sides=tuple(tuple(map(moved, side)) for side in claim.sides),
        dealer=moved(claim.dealer),
        leader=moved(claim.leader),
        hands=moved_hands(claim.hands),
        later_hands=moved_hands(claim.later_hands),
    )


def test_the_score_of_the_game_makes_no_difference() -> None:
    chance = Random("scores")
    for _ in range(20):
        state = ending_state(chance, 10)
        assert weigh(replace(state, scores=(0,) * len(state.scores))) == weigh(state)


@pytest.mark.parametrize(("points", "error", "size"), [
    (0.0, 0.0, "none"), (0.9, 0.0, "none"), (1.0, 0.0, "small"), (3.0, 1.6, "none"), (3.0, 1.5, "small"),
    (LARGE, 0.0, "large"), (LARGE, 5.0, "none"),
])  # fmt: skip
def test_a_loss_is_as_large_as_its_points_unless_chance_explains_it(points: float, error: float, size: str) -> None:
    assert Loss(0, points, error, exact=False).size == size


def test_a_position_is_analyzed_within_its_bounds() -> None:
    sides = ((0,), (1,), (2,), (3,))
    state = deal_at_random(make_table("denexa", sides), Random(0), 0, 1, (0,) * len(sides))
    analyzer = Analyzer(state, SEARCH_NODES)
    worth = run_to_end(analyzer.weigh(state))
    assert (worth.exact, worth.line) == (False, ())
    assert SEARCH_NODES < analyzer.nodes <= MAX_POSITION_NODES
    assert 10_000 < len(analyzer._search._worths) <= 32_000


def test_most_deals_of_two_pairs_are_analyzed_exactly_from_the_first_card_on() -> None:
    exact = [weigh(state).exact for state in map(_deal_to_pairs, range(DEALS))]
    assert exact == [False, True, True, True, True][:DEALS]


def _deal_to_pairs(number: int) -> State:
    return deal_at_random(make_table("gamerules", ((0, 2), (1, 3))), Random(number), 0, 1, (0, 0))


def test_every_play_of_a_deal_is_judged_within_the_bound_of_nodes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(analysis, "RECORD_SEARCH_NODES", 20_000)
    chance = Random("bound")
    state = deal_at_random(make_table("denexa", ((0,), (1,))), chance, 0, 1, (0, 0))
    turns = list[tuple[State, int]]()
    while phase(state) == "playing":
        turns.append((state, chance.choice([card for card in range(36) if legal(state) & BITS[card]])))
        state = play_unchecked(*turns[-1])
    worths, nodes = run_to_end(judge_plays(turns))
    assert 20_000 < nodes <= MAX_DEAL_NODES - RECORD_SEARCH_NODES + 20_000
    assert [worth.position.exact for worth in worths] == sorted(worth.position.exact for worth in worths)
    assert all(worth.all_hands.points >= 0 <= worth.own_hand.points for worth in worths)
    for worth in worths:
        assert worth.is_turning_point <= (worth.all_hands.size != "none")
