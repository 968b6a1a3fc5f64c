"""Play whole games under random house rules on both engines: `python -m tests.programs.agreement 2000`."""

import sys
from collections import Counter
from random import Random
from typing import Final

from tests.programs.agreement.games import Game, any_rules, play_game
from tests.reference import engine

ARRANGEMENTS: Final = engine.arrangements()


def house_game(number: int) -> Game:
    """Return the game of this number: an arrangement in turn, under rules picked at random."""
    name, players, sides = ARRANGEMENTS[number % len(ARRANGEMENTS)]
    chance = Random(f"house-{number}")
    rules = any_rules(name, players, chance)
    penalise = rules["revoke"] != "not_allowed" and chance.random() < 0.5
    return Game(rules, rules, sides, penalise, chance)


def play_all(games: int) -> None:
    """Play a number of games, and print how they were won; the number of a game that fails is the last one printed."""
    won = Counter[str]()
    for number in range(games):
        print(f"\rgame {number}", end="", flush=True)
        won[str(engine.how_won(play_game(house_game(number))))] += 1
    print(f"\r{games} games agree; won", ", ".join(f"{how} {count}" for how, count in won.most_common()))


if __name__ == "__main__":
    play_all(int(sys.argv[1]))
