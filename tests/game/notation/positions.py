"""Positions for the laws of the notations: random ones, and every one of the golden games."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from service.game.cards import Card
from service.game.fairness.shuffle import draw
from service.game.rules import game, play, score, view
from service.game.rulesets import Sides, make_table, usual_sides
from service.game.state import Hand, State, hand_size
from tests.game.golden import playthrough
from tests.game.golden.playthrough import Setting
from tests.support.strategies import ARRANGEMENTS, deal_at_random, phase, play_at_random


class Deal(NamedTuple):
    """A deal: the state before each card, the cards, and the state after the last."""

    states: tuple[State, ...]
    cards: tuple[Card, ...]
    after: State


def golden_deals(setting: Setting) -> Iterator[Deal]:
    """Play a golden game, deal by deal."""
    table = make_table(setting.rules, usual_sides(setting.rules, setting.players))
    _, dealer = draw(setting.players, setting.seed)
    state = playthrough.open_deal(table, setting, dealer, 1, (0,) * len(table.sides))
    while True:
        states, cards = list[State](), list[Card]()
        while phase(state) == "playing":
            states.append(state)
            cards.append(playthrough.choose_card(setting, state))
            state = play.play(state, cards[-1], "penalise" if setting.slips else "refuse").state
        yield Deal(tuple(states), tuple(cards), state)
        if game.won(state):
            return
        state = playthrough.open_deal(table, setting, game.next_dealer(state), state.deal + 1, score.totals(state))


def golden_states(setting: Setting) -> Iterator[State]:
    """Yield every state of a golden game, as a spectator sees it, too."""
    for deal in golden_deals(setting):
        for state in (*deal.states, deal.after):
            yield state
            yield view.view(state, None)


def draw_states(seed: int) -> Iterator[State]:
    """Yield random states of printed rulesets without end; of every second one, any choice of its hands is hidden."""
    chance = Random(seed)
    while True:
        state = _draw_state(chance)
        yield state
        yield hide(state, chance)


def _draw_state(chance: Random) -> State:
    rules, sides = chance.choice(ARRANGEMENTS)
    table = make_table(rules, _shuffled(sides, chance))
    number = chance.choice((1, 2, 100))
    scores = tuple(chance.randint(0, 40 if number > 1 else 0) for _ in table.sides)
    state = deal_at_random(table, chance, chance.randrange(table.players), number, scores)
    for _ in range(chance.randint(0, table.players * table.tricks)):
        if phase(state) != "playing":
            break
        state = play_at_random(state, chance, 0.02)
    return state


def _shuffled(sides: Sides, chance: Random) -> Sides:
    """Name the sides, and the seats of each, in any order."""
    return tuple(tuple(chance.sample(side, len(side))) for side in chance.sample(sides, len(sides)))


def hide(state: State, chance: Random) -> State:
    """Hide any choice of hands."""
    share = chance.random()

    def hidden(hand: Hand) -> Hand:
        return -hand_size(hand) if chance.random() < share else hand

    later = tuple(tuple(hidden(hand) for hand in hands) for hands in state.later_hands)
    return replace(state, hands=tuple(hidden(hand) for hand in state.hands), later_hands=later)
