"""How long other requests wait for a piece of thinking: python -m tests.programs.strength.pieces [positions].

Positions are of all rulesets and moments of a deal, half of them with the record of it. Times are CPU times, the least
of three runs, as one may be in the middle of something else.
"""

import sys
from time import process_time
from typing import get_args

from service.players.player import EFFORTS, Level, weigh_cards
from tests.players.golden import position


def longest_piece(number: int, level: Level) -> float:
    """Return the CPU time, in seconds, of the longest piece of thinking about a position."""
    runs = [_pieces(number, level) for _ in range(3)]
    longest: float = max([min(times) for times in zip(*runs, strict=True)])
    return longest


def _pieces(number: int, level: Level) -> list[float]:
    state, played = position(number)
    thought, pieces = weigh_cards(state, EFFORTS[level], "1", played), list[float]()
    while True:
        began = process_time()
        done = next(thought, done_with := object()) is done_with
        pieces.append(process_time() - began)
        if done:
            return pieces


def main(positions: int) -> None:
    """Print for each level how long the longest pieces took."""
    for level in get_args(Level):
        longest = sorted(longest_piece(number, level) for number in range(positions))
        each = ", ".join(f"{seconds * 1e3:.2f}" for seconds in longest[-3:])
        print(f"{level}: the longest pieces in {positions} positions took {each} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
