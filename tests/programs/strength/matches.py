"""Duplicate matches: each deal is played as often as there are players to exchange, so that luck with cards cancels."""

from collections.abc import Callable, Sequence
from functools import partial
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple, TypeAlias

from service.game.cards import Card, cards_of, strip_pack
from service.game.generators import run_to_end
from service.game.rules import deal, game, play, score, verdicts
from service.game.rules.view import view
from service.game.rulesets import Sides, make_table
from service.game.state import State, side_of
from service.players.board import Board
from service.players.player import EFFORTS, Effort, weigh_cards
from service.players.rule_of_thumb import RuleOfThumb

Player: TypeAlias = Callable[[State, tuple[Card, ...], Random], Card]
"""Chooses a card in the view of the seat to play, with the cards played in the deal."""


def _choose_at_random(seen: State, _: tuple[Card, ...], chance: Random) -> Card:
    return chance.choice(cards_of(verdicts.legal_cards(seen) or 0))


def _choose_by_thumb(seen: State, _played: tuple[Card, ...], _chance: Random) -> Card:
    board = Board(seen)
    return board.order.number(RuleOfThumb(seen).choose(board)).bit_length() - 1


def _think(effort: Effort, seen: State, played: tuple[Card, ...], chance: Random) -> Card:
    seed, legal = str(chance.random()), cards_of(verdicts.legal_cards(seen) or 0)
    return legal[0] if len(legal) == 1 else run_to_end(weigh_cards(seen, effort, seed, played)).options[0].card


PLAYERS: Final[dict[str, Player]] = {
    "random": _choose_at_random,
    "rule of thumb": _choose_by_thumb,
    **{level: partial(_think, effort) for level, effort in EFFORTS.items()},
}


class Match(NamedTuple):
    """How two players did against each other.

    Unit: `share` is the first one's part of all points; `ahead` its points more than the other's in a deal and its
    twin; each with half the width of its 95 % interval.
    """

    deals: int
    share: float
    share_within: float
    ahead: float
    within: float


def play_match(first: str, second: str, rules: str, sides: Sides, fewest: int, most: int) -> Match:
    """Play deals twice, the second time with the players exchanged: they have every other side each.

    It ends once three standard errors separate the two, which allows for repeated looks, after at least the fewest and
    at most the most deals.
    """
    pairs, ahead = list[tuple[int, int]](), list[int]()
    while len(ahead) < most and not (len(ahead) >= fewest and abs(fmean(ahead)) > 3 * stdev(ahead) / sqrt(len(ahead))):
        chance = Random(f"{rules}-{sides}-{len(ahead)}")
        pairs.append(_play_twice(deal_at_random(rules, sides, chance), (PLAYERS[first], PLAYERS[second]), chance))
        ahead.append(pairs[-1][0] - pairs[-1][1])
    share = sum(mine for mine, _ in pairs) / sum(map(sum, pairs))
    above = [mine - share * (mine + theirs) for mine, theirs in pairs]
    return Match(len(pairs), share, _within(above) / fmean(map(sum, pairs)), fmean(ahead), _within(ahead))


def _within(numbers: Sequence[float]) -> float:
    """Return half the width of the 95 % interval of their average."""
    return 1.96 * stdev(numbers) / sqrt(len(numbers))


def _play_twice(start: State, players: tuple[Player, Player], chance: Random) -> tuple[int, int]:
    """Return the points of both players in a deal and its twin."""
    made = [0, 0]
    for exchanged in (0, 1):
        after = _play_out(start, players, exchanged, chance)
        for side, points in enumerate(score.points(after)):
            made[(side + exchanged) % 2] += points
    return made[0], made[1]


def deal_at_random(rules: str, sides: Sides, chance: Random) -> State:
    table = make_table(rules, sides)
    order = list(cards_of(strip_pack(table.strips[0])))
    chance.shuffle(order)
    return deal.deal(table, order, chance.randrange(table.players), 1, (0,) * len(sides))


def _play_out(state: State, players: tuple[Player, Player], exchanged: int, chance: Random) -> State:
    played: tuple[Card, ...] = ()
    while game.phase(state, game.won(state)) == "playing":
        who = (side_of(state, state.seat_to_play) + exchanged) % 2
        card = players[who](view(state, state.seat_to_play), played, chance)
        state, played = play.play(state, card).state, (*played, card)
    return state
