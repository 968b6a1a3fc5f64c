"""Random whole games, drawn once from a seed: what the questions are about and what the rules are timed with."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from service.game.cards import Card, Mask, cards_of, strip_pack
from service.game.rules import deal, follow, game, score
from service.game.rules.deal import play_unchecked
from service.game.rulesets import RULESETS, Table, make_table, usual_sides
from service.game.state import State


class Deal(NamedTuple):
    """A deal as it was played: the order of the pack, the cards, the state before each of them and after the last."""

    order: tuple[Card, ...]
    cards: tuple[Card, ...]
    states: tuple[State, ...]
    after: State


class Game(NamedTuple):
    """A game from its first deal to its winner."""

    table: Table
    deals: tuple[Deal, ...]


class Moment(NamedTuple):
    """A state of a game in which a card is to be played, and the cards that may be."""

    game: Game
    state: State
    legal: Mask


def tables() -> tuple[Table, ...]:
    """Lay every ruleset for every number of players, with the sides it seats by itself."""
    return tuple(
        make_table(ruleset.id, usual_sides(ruleset.id, rule.players))
        for ruleset in RULESETS.values()
        for rule in ruleset.tables
    )


def draw_games(seed: int, each: int) -> tuple[Game, ...]:
    """Play `each` random games at every table."""
    chance = Random(seed)
    return tuple(Game(table, tuple(_deals(table, chance))) for _ in range(each) for table in tables())


def _deals(table: Table, chance: Random) -> Iterator[Deal]:
    dealer, number, scores = chance.randrange(table.players), 1, (0,) * len(table.sides)
    while True:
        order = list(cards_of(strip_pack(table.strips[0])))
        chance.shuffle(order)
        drawn = _play_out(deal.deal(table, order, dealer, number, scores), order, chance)
        yield drawn
        if game.won(drawn.after):
            return
        dealer, number, scores = game.next_dealer(drawn.after), number + 1, score.totals(drawn.after)


def _play_out(state: State, order: list[Card], chance: Random) -> Deal:
    cards: list[Card] = []
    states: list[State] = []
    while game.phase(state, game.won(state)) == "playing":
        cards.append(chance.choice(cards_of(follow.legal_cards(state) or 0)))
        states.append(state)
        state = play_unchecked(state, cards[-1])
    return Deal(tuple(order), tuple(cards), tuple(states), state)


def moments(games: tuple[Game, ...]) -> tuple[Moment, ...]:
    """List every moment of the games in which a card is to be played."""
    return tuple(
        Moment(game, state, follow.legal_cards(state) or 0)
        for game in games
        for dealt in game.deals
        for state in dealt.states
    )
