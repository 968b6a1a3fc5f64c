"""Golden answers of the computer players, to be compared card for card: python -m tests.players.golden.

They change when budgets or policies do, and then are written anew; what only makes a player faster leaves them alone.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final

from service.game.cards import Card, card_code, cards_of
from service.game.generators import run_to_end
from service.game.rules.deal import play_unchecked
from service.game.rules.view import view
from service.game.rulesets import make_table
from service.game.state import State
from service.players.player import EFFORTS, weigh_cards
from tests.support.strategies import ARRANGEMENTS, deal_at_random, legal, phase

ANSWERS: Final = Path(__file__).with_name("answers.txt")
POSITIONS: Final = 50


def position(number: int) -> tuple[State, tuple[Card, ...]]:
    """Return what the seat to play sees at some moment of a random deal, and the record of it or none."""
    chance = Random(f"position-{number}")
    table = make_table(*ARRANGEMENTS[number * 7 % len(ARRANGEMENTS)])
    scores = tuple(chance.randint(0, 40) for _ in table.sides)
    state, played = deal_at_random(table, chance, chance.randrange(table.players), 2, scores), list[Card]()
    for _ in range(chance.randrange(table.players * table.tricks)):
        card = chance.choice(cards_of(legal(state)))
        after = play_unchecked(state, card)
        if phase(after) != "playing":
            break
        played.append(card)
        state = after
    seen = state if number % 10 == 9 else view(state, state.seat_to_play)
    return seen, tuple(played) if number % 2 else ()


def answers(number: int) -> Iterator[str]:
    """Return the answers for a position, a line each: the cards, the best first, and a digest of all that was found."""
    state, played = position(number)
    for level, effort in EFFORTS.items():
        found = run_to_end(weigh_cards(state, effort, f"seed-{number}", played))
        cards = " ".join(card_code(option.card) for option in found.options)
        yield f"{number} {level}: {cards} {sha256(repr(tuple(found)).encode()).hexdigest()[:16]}"


if __name__ == "__main__":
    lines = [line for number in range(POSITIONS) for line in answers(number)]
    ANSWERS.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    print(POSITIONS, "positions in", ANSWERS)
