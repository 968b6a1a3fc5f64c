"""The worth of each card agrees with trying every line of play, under the rules of the second engine.

`python -m tests.programs.agreement.analyses 2000` compares 2,000 random endings.
"""

import sys
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Final

from tests.programs.agreement.asking import Json, ask
from tests.programs.agreement.claims import end_of_game
from tests.reference import engine
from tests.reference.engine import Rules, State

_NO_GAME: Final = {"target": 10**6, "winning": "highest_score", "deals": None}
"""Rules under which no side wins a game: a deal is played for its points, to the last trick."""


def compare_analysis(chance: Random) -> int:
    """Compare the analysis of a random ending; return the number of its sides."""
    state, _ = end_of_game(chance)
    found = ask("analyses", state=state)["position"]
    start = _without_game(state)
    side = _side_to_play(start)
    expected = {card: _play_best(engine.play(start, card)) for card in engine.legal_cards(start)}
    assert found["exact"]
    assert {each["card"] for each in found["cards"]} == expected.keys()
    best = max(_balance(points, side) for points in expected.values())
    for each in found["cards"]:
        points = expected[each["card"]]
        # The points of two sides have a fixed sum, so equal lines may consist of different points.
        assert _balance(each["points"], side) == _balance(points, side), (state, each, points)
        assert each["points"] == points or len(points) == 2, (state, each, points)
        assert each["loss"] == best - _balance(points, side)
    _check_line(start, found)
    return len(start["sides"])


def _check_line(start: State, found: Json) -> None:
    """Play the best line, which is legal, and comes to the par."""
    now = start
    for play in found["line"]:
        assert play["seat"] == engine.turn(now)
        now = engine.play(now, play["card"])
    assert engine.turn(now) is None
    assert engine.points(now) == found["par"] == found["cards"][0]["points"]


def _without_game(state: State) -> State:
    printed = state["rules"]
    rules: Rules = engine.RULESETS[printed] if isinstance(printed, str) else printed
    return {**state, "rules": {**rules, **_NO_GAME}, "scores": [0] * len(state["sides"])}


def _play_best(state: State) -> list[int]:
    """Return the points of each side if each plays for what it makes beyond all others, of equal cards the first."""
    if engine.turn(state) is None:
        return engine.points(state)
    side = _side_to_play(state)
    ends = [_play_best(engine.play(state, card)) for card in sorted(engine.legal_cards(state), key=_order(state))]
    return max(ends, key=lambda points: _balance(points, side))


def _order(state: State) -> Callable[[str], tuple[int, int]]:
    trump = state["turn_up"][1]

    def key(card: str) -> tuple[int, int]:
        ranks = engine.trump_ranks(state) if card[1] == trump else engine.RANKS
        return engine.SUITS.index(card[1]), ranks.index(card[0])

    return key


def _balance(points: list[int], side: int) -> int:
    return 2 * points[side] - sum(points)


def _side_to_play(state: State) -> int:
    turn = engine.turn(state)
    return next(side for side, seats in enumerate(state["sides"]) if turn in seats)


def compare_analyses(count: int, seed: str) -> Counter[int]:
    """Compare analyses; return the count of endings by their number of sides."""
    return Counter(compare_analysis(Random(f"{seed}-{number}")) for number in range(count))


if __name__ == "__main__":
    print(compare_analyses(int(sys.argv[1]), "-".join(sys.argv[2:]) or "analyses"))
