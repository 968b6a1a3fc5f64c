"""No computer player gives points away in a trick that is lost, when a weaker and cheaper card is legal."""

from collections.abc import Iterator
from random import Random
from typing import Final

import pytest

from service.game.cards import BITS, FULL_PACK, SUIT_OF, Card, cards_of, mask_of
from service.game.rules import trick
from service.game.rules.deal import play_unchecked
from service.game.rules.score import honour_points
from service.game.rules.view import view
from service.game.rulesets import make_table
from service.game.state import State
from service.players.board import Board
from service.players.manners import find_dominated
from service.players.player import EFFORTS, Level
from tests.players.test_player import suggest
from tests.support.effort import choose_effort
from tests.support.strategies import ARRANGEMENTS, deal_at_random, legal, phase, visible_cards

POSITIONS: Final = choose_effort(daily=40, nightly=500)


def find_spoils(seen: State) -> set[Card]:
    """Find the cards that only give points away, by the rules of the trick alone."""
    losing = [card for card in cards_of(legal(seen)) if seen.trick and _loses(seen, card)]
    return {card for card in losing for other in losing if _is_worse(seen, card, other)}


def _loses(seen: State, card: Card) -> bool:
    """Return True if another side takes the trick after a card, whatever is hidden."""
    table, seat, cards = seen.table, seen.seat_to_play, (*seen.trick, card)
    takes = mask_of(cards)
    winner = cards.index(_best(seen, takes))
    if table.side_of[(seen.leader + winner) % table.players] == table.side_of[seat]:
        return False
    later = [(seen.leader + at) % table.players for at in range(len(cards), table.players)]
    is_helped = table.side_of[seat] in [table.side_of[each] for each in later]
    return not is_helped or all(_best(seen, takes | BITS[each]) != each for each in _hidden(seen))


def _best(seen: State, cards: int) -> Card:
    return trick.best(cards, seen.trick[0], seen.trump, seen.table.ruleset)


def _hidden(seen: State) -> tuple[Card, ...]:
    """List the cards that the seat to play cannot see from its place, also where all hands are shown."""
    return cards_of(FULL_PACK & ~visible_cards(view(seen, seen.seat_to_play)))


def _is_worse(seen: State, card: Card, other: Card) -> bool:
    """Return True if a card is dearer than another one, and stronger in every later trick."""
    dear, cheap = (honour_points(BITS[each], seen.trump, seen.table) for each in (card, other))
    if SUIT_OF[card] == SUIT_OF[other]:
        ruleset = seen.table.ruleset
        is_weaker = trick.best(BITS[card] | BITS[other], other, seen.trump, ruleset) == card
    else:
        is_weaker = SUIT_OF[card] == seen.trump and not _is_best_left(seen, other)
    return is_weaker and cheap < dear


def _is_best_left(seen: State, card: Card) -> bool:
    hidden = [each for each in _hidden(seen) if SUIT_OF[each] == SUIT_OF[card]]
    best = trick.best(mask_of((*hidden, card)), card, seen.trump, seen.table.ruleset)
    return best == card


def list_positions(seed: str, shown: float = 0.0) -> Iterator[State]:
    """List what the seat to play sees, at random moments of random deals of every arrangement.

    Shape: `shown` is the share of positions with all hands shown.
    """
    chance = Random(seed)
    while True:
        table = make_table(*chance.choice(ARRANGEMENTS))
        scores = tuple(chance.randint(0, 40) for _ in table.sides)
        state = deal_at_random(table, chance, chance.randrange(table.players), 1, scores)
        while phase(state) == "playing":
            yield state if chance.random() < shown else view(state, state.seat_to_play)
            state = play_unchecked(state, chance.choice(cards_of(legal(state))))


def test_what_is_found_is_what_the_rules_of_the_trick_say() -> None:
    found = 0
    for _, seen in zip(range(10 * POSITIONS), list_positions("a law", 0.1), strict=False):
        board = Board(seen)
        unseen = board.order.rank(FULL_PACK) & ~sum(board.taken)
        told = {*cards_of(board.order.number(find_dominated(board, unseen)))}
        assert told == find_spoils(seen)
        found += bool(told)
    assert found


@pytest.mark.parametrize("level", EFFORTS)
def test_no_level_plays_a_card_that_only_gives_points_away(level: Level) -> None:
    tempting = ((seen, spoils) for seen in list_positions(level) if (spoils := find_spoils(seen)))
    for at, (seen, spoils) in zip(range(POSITIONS), tempting, strict=False):
        found = suggest(seen, level, str(at))
        assert found.exact or {option.card for option in found.options[-len(spoils) :]} == spoils


def test_of_cards_that_are_proved_equal_the_one_that_gives_nothing_away_comes_first() -> None:
    shown = ((seen, spoils) for seen in list_positions("shown", 1.0) if (spoils := find_spoils(seen)))
    exact = 0
    while exact < POSITIONS // 4:
        seen, spoils = next(shown)
        found = suggest(seen, "easy", "1")
        best, *others = found.options
        equal = [option for option in others if option[1:] == best[1:] and option.card not in spoils]
        assert not (found.exact and best.card in spoils and equal)
        exact += found.exact
