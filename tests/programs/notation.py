"""Round trips of both notations in any number, and how fast a batch is in notation: python -m tests.game.notation.

The exit code is 0 if every position and every record came back as it was; a difference ends with its assertion.
"""

import argparse
import gc
from itertools import islice
from random import Random
from statistics import median
from time import process_time
from typing import Final

import msgspec

from service.api.batches.batch import PATH
from service.api.batches.items import MAX_ITEMS
from service.game.notation.position import format_position
from service.game.state import State, describe
from tests.game.golden.playthrough import PRINTED, SETTINGS
from tests.game.notation import test_position, test_record
from tests.game.notation.positions import draw_states, golden_states
from tests.game.notation.records import draw_records, golden_record
from tests.programs.bench.games import draw_games, moments
from tests.support.http.client import post

_BATCHES: Final = 6
_ROUNDS: Final = 7


def check_round_trips(count: int) -> None:
    """Check every position and record of the golden games, and so many random positions and a tenth of it records."""
    golden = [state for setting in PRINTED for state in golden_states(setting)]
    for state in (*golden, *islice(draw_states(41), count)):
        test_position.check_round_trip(state)
    records = [golden_record(setting) for setting in SETTINGS]
    for record in (*records, *islice(draw_records(41), count // 10)):
        test_record.check_round_trip(record)
    print(f"came back: {len(golden)} golden and {count} random positions")
    print(f"came back: {len(records)} golden and {count // 10} random records")


def _body(kind: str, states: list[State], *, in_notation: bool) -> bytes:
    described = [format_position(state) if in_notation else describe(state) for state in states]
    return msgspec.json.encode({"questions": [{"kind": kind, "state": state} for state in described]})


def _seconds(bodies: list[bytes]) -> float:
    gc.collect()
    start = process_time()
    for body in bodies:
        assert post(PATH, body).status == 200
    return process_time() - start


def compare_batches(kind: str) -> None:
    """Print how many times as fast a full batch is in notation, for positions that are new and that come again."""
    states = [moment.state for moment in moments(draw_games(41, 4))]
    Random(41).shuffle(states)
    parts = [states[MAX_ITEMS * part :][:MAX_ITEMS] for part in range(_BATCHES)]
    objects, lines = ([_body(kind, part, in_notation=way) for part in parts] for way in (False, True))
    # There are more positions than are remembered, so that all are new whenever they come again.
    new = _compare(objects, lines)
    again = _compare(objects[:1] * _BATCHES, lines[:1] * _BATCHES)
    print(f"batch of {kind}: {new:.2f} times as fast in notation, {again:.2f} when asked again")


def _compare(objects: list[bytes], lines: list[bytes]) -> float:
    """Return how many times as fast the second bodies are answered as the first, asked in turn."""
    ratios = list[float]()
    for at in range(_ROUNDS):
        first, second = (objects, lines) if at % 2 else (lines, objects)
        one, other = _seconds(first), _seconds(second)
        ratios.append(one / other if at % 2 else other / one)
    return median(ratios)


def main() -> None:
    """Check and compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.notation", description=__doc__)
    parser.add_argument("--states", type=int, default=20_000, help="how many random positions")
    chosen = parser.parse_args()
    check_round_trips(chosen.states)
    for kind in ("positions", "legal_moves", "scores", "diagnoses"):
        compare_batches(kind)


if __name__ == "__main__":
    main()
