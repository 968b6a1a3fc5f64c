"""Whole games of OpenSpiel through its Python API, deal included: python -m tests.programs.bench.spiel.

It runs in the environment of the comparison, and prints the rates of both games. As in the measure of our own rules,
cards were drawn beforehand; timed are the deal, and for every play the list of what is legal, the search for the card
in it, and the play. Hearts takes no play back: where a way back is wanted, each play makes a child, which leaves the
state before it as it is. Playouts begin with a copy of a deal, and choose at random.
"""

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from random import Random
from typing import Any, Final

from tests.programs.bench.core import Measure, print_rates

HEARTS: Final = "OpenSpiel hearts"
WITH_WAY_BACK: Final = ", with the way back"
PLAYED_OUT: Final = ", playouts at random"
_DRAWN: Final = 20
"""Games of each kind."""


def _draw(game: Any, chance: Random) -> tuple[int, ...]:
    state, actions = game.new_initial_state(), list[int]()
    while not state.is_terminal():
        actions.append(chance.choice(state.legal_actions()))
        state.apply_action(actions[-1])
    return tuple(actions)


def _dealt(game: Any, actions: Sequence[int]) -> int:
    """Count the actions of chance, which are the deal, before the first of a player."""
    state, count = game.new_initial_state(), 0
    while state.is_chance_node():
        state.apply_action(actions[count])
        count += 1
    return count


def _deal(game: Any, actions: Sequence[int], dealt: int) -> Any:
    state = game.new_initial_state()
    for action in actions[:dealt]:
        state.apply_action(action)
    return state


def _play(game: Any, drawn: Sequence[tuple[int, ...]], dealt: int) -> None:
    for actions in drawn:
        state = _deal(game, actions, dealt)
        for action in actions[dealt:]:
            if action not in state.legal_actions():
                raise RuntimeError(f"action {action} was legal when the game was drawn")
            state.apply_action(action)


def _play_children(game: Any, drawn: Sequence[tuple[int, ...]], dealt: int) -> None:
    for actions in drawn:
        state = _deal(game, actions, dealt)
        for action in actions[dealt:]:
            if action not in state.legal_actions():
                raise RuntimeError(f"action {action} was legal when the game was drawn")
            state = state.child(action)


def _play_out(states: Sequence[Any], chance: Random) -> None:
    for dealt in states:
        state = dealt.clone()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(chance.random() * len(actions))])


def _measures(game_name: str, name: str) -> tuple[Measure, ...]:
    """Prepare the measures of a game of OpenSpiel; what is passed or bid counts as a play, too."""
    game = import_module("pyspiel").load_game(game_name)
    chance = Random(1)
    drawn = tuple(_draw(game, chance) for _ in range(_DRAWN))
    dealt = _dealt(game, drawn[0])
    plays = sum(len(actions) - dealt for actions in drawn)
    states = [_deal(game, actions, dealt) for actions in drawn]
    return (
        Measure(name, "plays", plays, partial(_play, game, drawn, dealt)),
        Measure(name + WITH_WAY_BACK, "plays", plays, partial(_play_children, game, drawn, dealt)),
        Measure(name + PLAYED_OUT, "plays", plays, partial(_play_out, states, chance)),
    )


if __name__ == "__main__":
    print_rates([*_measures("hearts", HEARTS), *_measures("spades", "OpenSpiel spades")])
