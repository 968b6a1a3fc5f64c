"""The service and the second engine agree on every state of random whole games.

A game that fails is played again alone by its seed, the last one printed: `play_game(the_game(arrangement, number))`.
"""

from random import Random
from typing import Final

import pytest

from service.game.rulesets import RULESETS, Sources, arrange
from tests.programs.agreement import expected
from tests.programs.agreement.asking import ask
from tests.programs.agreement.games import HOUSE_RULES, Game, any_rules, own_rules, play_game, published, shuffled
from tests.reference import engine
from tests.support.effort import THOROUGH, choose_effort

GAMES: Final = 44
"""Games of each arrangement at night. At every change each has one, of the first three in turn."""

Arrangement = tuple[str, int, list[list[int]]]
ARRANGEMENTS: Final[list[Arrangement]] = engine.arrangements()
COMPARED: Final = ("trump_rank", "opening_lead", "void", "revoke", "winning", "card_points", "ten")


def name_of(arrangement: Arrangement) -> str:
    rules, players, sides = arrangement
    return f"{rules}-{players}-in-{len(sides)}"


def the_game(arrangement: Arrangement, number: int) -> Game:
    """Game 0, 8 … under rules picked at random, 1, 9 … with revokes penalised, 2, 10 … so that they cost the deal."""
    name, players, sides = arrangement
    chance = Random(f"{name_of(arrangement)}-{number}")
    rules: str | engine.Rules = name
    if number % 8 == 0:
        rules = any_rules(name, players, chance)
    elif number % 8 == 2 and published(name)["revoke"] != "not_allowed":
        rules = own_rules(name, players, revoke="loss_of_deal")
    ruleset = published(name) if isinstance(rules, str) else rules
    penalise = ruleset["revoke"] != "not_allowed" and number % 8 in {0, 1, 2}
    return Game(rules, ruleset, sides, penalise, chance)


def test_the_second_engine_knows_every_field_of_a_ruleset() -> None:
    """Fields that decide no card and no point are apart: the tables, which differ by arrangement, and how to deal."""
    apart = {"tables", "following", "three_at_a_time", "first_dealer"}
    assert set(HOUSE_RULES) == set(Sources.__struct_fields__) - apart


def test_both_engines_know_the_same_arrangements() -> None:
    ours = [
        (name, rule.players, [list(side) for side in arrange(rule.players, sides)])
        for name, ruleset in RULESETS.items()
        for rule in ruleset.tables
        for sides in rule.sides
    ]
    assert ours == ARRANGEMENTS


@pytest.mark.parametrize("rules", RULESETS)
def test_both_engines_have_the_same_ruleset(rules: str) -> None:
    ours, theirs = published(rules), engine.RULESETS[rules]
    assert {field: ours[field] for field in COMPARED} == {field: theirs[field] for field in COMPARED}
    for our_table, their_table in zip(ours["tables"], theirs["tables"], strict=True):
        assert {field: our_table[field] for field in their_table} == their_table


@pytest.mark.parametrize("arrangement", ARRANGEMENTS, ids=name_of)
def test_the_engines_deal_the_same_hands_for_every_dealer(arrangement: Arrangement) -> None:
    rules, players, sides = arrangement
    game = Game(rules, published(rules), sides, penalise=False, chance=Random(f"deal-{name_of(arrangement)}"))
    for dealer in range(players):
        for three in {False, game.ruleset["three_at_a_time"]}:
            order = shuffled(game)
            dealt = ask("deals", rules=rules, sides=sides, dealer=dealer, pack=order, three_at_a_time=three)
            by_the_other = engine.deal(rules, sides, dealer, order, 1, [0] * len(sides), three)
            assert dealt == {"position": expected.position(by_the_other), "seed": None, "draw": []}


AT_THE_END: Final = [
    arrangement for arrangement in ARRANGEMENTS if engine.RULESETS[arrangement[0]]["winning"] != "at_once"
]


def close_end(game: Game) -> engine.State:
    """A deal that is over, its tricks given out at random, after scores that make for ties at 41."""
    order, chance = shuffled(game), game.chance
    state = engine.deal(game.rules, game.sides, 0, order, 2, [chance.choice((30, 34, 36, 38)) for _ in game.sides])
    dealt = order[: order.index(state["turn_up"]) + 1]
    for first in range(0, len(dealt), game.players):
        side = chance.randrange(len(game.sides))
        state["leader"] = game.sides[side][0]
        state["taken"][side] += dealt[first : first + game.players]
    return state | {"hands": [[] for _ in range(game.players)], "later_hands": []}


@pytest.mark.parametrize("arrangement", AT_THE_END, ids=name_of)
def test_the_engines_agree_who_wins_when_several_reach_41(arrangement: Arrangement) -> None:
    rules, _, sides = arrangement
    game = Game(rules, published(rules), sides, penalise=False, chance=Random(f"close-{name_of(arrangement)}"))
    for _ in range(choose_effort(daily=50, nightly=200)):
        state = close_end(game)
        assert ask("positions", state=state) == expected.position(state)


@pytest.mark.parametrize("arrangement", ARRANGEMENTS, ids=name_of)
def test_the_engines_agree_on_every_state_of_whole_games(arrangement: Arrangement) -> None:
    for number in range(GAMES) if THOROUGH else (ARRANGEMENTS.index(arrangement) % 3,):
        print(f"the seed of this game: {name_of(arrangement)}-{number}")
        play_game(the_game(arrangement, number))
