"""Bare hands of random deals: a verdict without the deal around it agrees with the second engine, or is undecided."""

from collections import Counter
from random import Random
from typing import Final

import msgspec
import pytest

from service.game.rulesets.ruleset import TableRule
from tests.programs.agreement.asking import Json, ask
from tests.programs.agreement.expected import PACK
from tests.programs.agreement.games import Game, any_rules, own_rules, published, shuffled
from tests.reference import engine
from tests.reference.engine import Rules, State

HANDS: Final = 12
"""Bare hands of each arrangement; 46 arrangements make 552, and as many under house rules."""
CASES: Final = [(*arrangement, own) for arrangement in engine.arrangements() for own in (False, True)]


def play_some(rules: str | Rules, players: int, sides: list[list[int]], chance: Random) -> State:
    """Deal, and play legal cards until chance ends it."""
    game = Game(rules, published(rules) if isinstance(rules, str) else rules, sides, penalise=False, chance=chance)
    state = engine.deal(rules, sides, chance.randrange(players), shuffled(game), 1, [0] * len(sides))
    for _ in range(chance.choice((0, 0, 1, 2, players, 2 * players, 6 * players))):
        after = engine.play(state, chance.choice(engine.legal_cards(state)))
        if engine.turn(after) is None:
            break
        state = after
    return state


def facts_of(state: State) -> Json:
    """Return what a bare question says of a state."""
    turn = engine.turn(state)
    assert turn is not None
    return {
        "rules": state["rules"],
        "trump": state["turn_up"][1],
        "trick": state["trick"],
        "hand": state["hands"][turn],
    }


def compare(state: State, chance: Random) -> str:
    """Compare the verdicts on a few cards and on the hand with those of the second engine; return what was missing."""
    facts, found = facts_of(state), ""
    facts |= chance.choice(({}, {"players": len(state["hands"])}))
    moves = ask("legal_moves", **facts)
    assert {judged["card"] for judged in moves["verdicts"]} == set(facts["hand"])
    for judged in [*moves["verdicts"], *(ask("verdicts", card=card, **facts) for card in chance.sample(PACK, 4))]:
        expected = engine.verdict(state, judged["card"])
        if judged["undecided"]:
            assert judged["missing"] == "state" or "players" not in facts
            assert (state["trick"], judged["card"][1], judged["reason"]) == ([], state["turn_up"][1], None)
            assert judged["rule"]["field"] == "opening_lead"
            found = judged["missing"]
        else:
            assert (judged["reason"], judged["missing"]) == (expected, None)
        assert judged["legal_cards"] is None or set(judged["legal_cards"]) == set(engine.legal_cards(state))
        assert (judged["card"] in moves["legal_cards"]) is (judged["legal"] and not judged["undecided"])
    assert set(moves["legal_cards"]) <= set(engine.legal_cards(state))
    return found


@pytest.mark.parametrize(("name", "players", "sides", "own"), CASES)
def test_the_verdict_on_a_bare_hand_agrees_with_the_second_engine_or_is_undecided(
    name: str, players: int, sides: list[list[int]], *, own: bool
) -> None:
    chance = Random(f"bare-{name}-{players}-{len(sides)}-{own}")
    found = Counter(
        compare(play_some(any_rules(name, players, chance) if own else name, players, sides, chance), chance)
        for _ in range(HANDS)
    )
    if not own:
        assert set(found) <= ({"", "players"} if name == "lots-of-kids" else {""})


def test_only_the_first_lead_of_a_deal_leaves_a_bare_hand_undecided() -> None:
    """Of all hands of a first deal, whose number of players is told, every one is decided where a deal has one hand."""
    chance = Random("first leads")
    for players in (4, 5, 6):
        state = play_some("lots-of-kids", players, [[seat] for seat in range(players)], chance)
        for judged in ask("legal_moves", players=players, **facts_of(state))["verdicts"]:
            assert judged["reason"] == engine.verdict(state, judged["card"])
            assert not judged["undecided"]


@pytest.mark.parametrize(("hands", "missing"), [(1, "players"), (3, "state")])
def test_what_decides_is_named(hands: int, missing: str) -> None:
    tables = [TableRule(2, hands, 6, (2,)), *([TableRule(3, 1, 7, (3,))] if hands == 1 else [])]
    rules = own_rules("denexa", 4, opening_lead="no_trump") | {"tables": msgspec.to_builtins(tables)}
    hand = ["JH", "AH", "6S", "7S", "8S", "9S"]
    judged = ask("verdicts", rules=rules, trump="H", trick=[], hand=hand, card="JH")
    assert (judged["legal"], judged["undecided"], judged["missing"]) == (True, True, missing)
    assert f"send `{missing}`" in judged["detail"]
    assert ask("verdicts", rules=rules, trump="H", trick=[], hand=hand[1:], card="AH")["undecided"] is False
