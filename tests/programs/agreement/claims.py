"""Claims hold exactly where trying everything says so, and chances are those of all fillings that fit the plays.

`python -m tests.programs.agreement.claims 2000` compares 2,000 claims in random endings with hidden hands.
"""

import sys
from collections import Counter
from random import Random

from tests.programs.agreement.asking import Json, ask
from tests.programs.agreement.endings import any_ending, fillings_about
from tests.programs.agreement.expected import tidy, view
from tests.programs.agreement.games import any_rules
from tests.programs.agreement.hidden_hands import compare_chances
from tests.reference import engine
from tests.reference.claims import Goal, holds, is_reached
from tests.reference.engine import Rules, State
from tests.reference.fillings import fillings
from tests.support.strategies import ARRANGEMENTS

MAX_FILLINGS = 120
MAX_CARDS = 9
"""Cards that are left in all hands together."""


def compare_claim(chance: Random) -> str:
    """Compare a claim in a random ending; return what became of it."""
    state, plays = chance.choice((end_of_game, _made_up))(chance)
    seat = chance.randrange(len(state["hands"]))
    seen = view(state, seat)
    full = [one for one in fillings(seen) if _fits(one, plays)]
    told = {"plays": plays} if plays else {}  # an empty list would say that no card was played
    compare_chances(ask("knowledge", state=state, seat=seat, fillings=2, **told), full)
    goal = _any_goal(seat, state, chance)
    wanted = {name: value for name, value in (("tricks", goal.tricks), ("points", goal.points)) if value}
    answer = ask("claims", state=chance.choice((state, seen)), seat=seat, **told, **wanted)
    assert answer["outcome"] == ("holds" if holds(full, goal, seen) else "refuted"), (state, plays, goal, answer)
    if answer["outcome"] == "refuted":
        _check_refutation(answer["refutation"], full, goal)
    return str(answer["outcome"])


def _check_refutation(refutation: Json, full: list[State], goal: Goal) -> None:
    """Play the line in the filling; after it nothing that is left to play reaches the goal."""
    deal = refutation["state"]
    assert tidy(deal) in map(tidy, full)
    start = now = next(one for one in full if tidy(one) == tidy(deal))
    for play in refutation["plays"]:
        assert engine.turn(now) == play["seat"]
        assert engine.verdict(now, play["card"]) is None
        now = engine.play(now, play["card"])
    assert not _can_be_reached(now, goal, start)


def _can_be_reached(now: State, goal: Goal, start: State) -> bool:
    """True if some way to play on reaches the goal, even one in which all play for the claimer."""
    if engine.phase(now) != "playing":
        return is_reached(now, goal, start)
    return any(_can_be_reached(engine.play(now, card), goal, start) for card in engine.legal_cards(now))


def _fits(full: State, plays: list[Json]) -> bool:
    """True if all plays of a deal were legal for the hands of a state that they lead to."""
    if not plays:
        return True
    players = len(full["hands"])
    cards = [[play["card"] for play in plays if play["seat"] == seat] for seat in range(players)]
    now: State = {
        **full,
        "hands": [[*hand, *played] for hand, played in zip(full["hands"], cards, strict=True)],
        "leader": (full["dealer"] + 1) % players,
        "trick": [],
        "taken": [[] for _ in full["sides"]],
    }
    for play in plays:
        if engine.verdict(now, play["card"]) is not None:
            return False
        now = engine.play(now, play["card"])
    return True


def _any_goal(seat: int, state: State, chance: Random) -> Goal:
    left = max(map(len, state["hands"])) + sum(map(len, state["later_hands"][0] if state["later_hands"] else []))
    kind = chance.randrange(3)
    return Goal(seat, chance.randint(1, left) if kind == 1 else None, chance.randint(1, 15) if kind == 2 else None)


def _made_up(chance: Random) -> tuple[State, list[Json]]:
    """Return an ending under made-up rules, whose plays are not known."""
    while True:
        state = any_ending(chance)
        if state["revoked"] is None and (full := next(fillings(state), None)) and _is_small(full):
            return full, []


def end_of_game(chance: Random) -> tuple[State, list[Json]]:
    """Return the end of a deal that was played at random, with its plays in half of all cases."""
    while True:
        printed, seating = chance.choice(ARRANGEMENTS)
        sides = [list(side) for side in seating]
        players = sum(map(len, sides))
        rules: str | Rules = str(printed)
        if chance.random() < 0.3:
            rules = any_rules(str(printed), players, chance)
        pack = engine.pack(rules, players)
        chance.shuffle(pack)
        state = engine.deal(rules, sides, chance.randrange(players), pack, 1, [chance.randrange(15) for _ in sides])
        plays: list[Json] = []
        several = bool(state["later_hands"])
        is_small_enough = chance.randint(2, MAX_CARDS)
        while engine.phase(state) == "playing" and _cards_left(state) > is_small_enough:
            turn = engine.turn(state)
            card = chance.choice(engine.legal_cards(state))
            plays.append({"seat": turn, "card": card})
            state = engine.play(state, card)
        if engine.phase(state) == "playing" and _is_small(state):
            return state, [] if several or chance.random() < 0.5 else plays


def _is_small(state: State) -> bool:
    few = _cards_left(state) <= MAX_CARDS
    return few and all(fillings_about(view(state, seat)) <= MAX_FILLINGS for seat in range(len(state["hands"])))


def _cards_left(state: State) -> int:
    return sum(map(len, state["hands"])) + sum(len(hand) for hands in state["later_hands"] for hand in hands)


def compare_claims(count: int, seed: str) -> Counter[str]:
    """Compare claims; return how many held and how many were refuted."""
    return Counter(compare_claim(Random(f"{seed}-{number}")) for number in range(count))


if __name__ == "__main__":
    print(compare_claims(int(sys.argv[1]), "-".join(sys.argv[2:]) or "claims"))
