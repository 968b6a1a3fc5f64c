"""Hold the laws of the search core at full length: python -m tests.programs.players [games] [endings]."""

import sys
from random import Random
from typing import Final

from tests.players.test_board import follow_game
from tests.players.test_ending import check_ending

GAMES: Final = 5_000
ENDINGS: Final = 2_000


def main(games: int, endings: int) -> None:
    """Follow random games card by card, and hold exact play against the search of all lines."""
    nodes = sum(follow_game(Random(f"game-{number}")) for number in range(games))
    print(f"{games} games: the board agreed with the rules at each of {nodes} nodes", flush=True)
    chance, sides = Random("endings"), dict[int, int]()
    for _ in range(endings):
        seen = check_ending(chance)
        sides[seen] = sides.get(seen, 0) + 1
    told = ", ".join(f"{count} of {number} sides" for number, count in sorted(sides.items()))
    print(f"{endings} endings: each card is worth what the search of all lines finds ({told})")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3] or (str(GAMES), str(ENDINGS))))
