"""The deal: cards go around in rotation from the dealer's left; the last card dealt is the turn-up.

Each play makes the next state of it; a complete trick goes to its winner, who leads next.
Source: all; three at a time in trebor.
"""

from collections.abc import Sequence

from service.game.cards import BITS, SUIT_OF, Card, Mask, mask_of
from service.game.rules import trick
from service.game.rulesets import Seat, Table
from service.game.state import State


def deal(
    table: Table, order: Sequence[Card], dealer: Seat, number: int, scores: tuple[int, ...], *, threes: bool = False
) -> State:
    """Deal the pack in this order, singly or three cards at a time.

    With n players and k hands each, the cards go around n × k piles; pile p goes to seat (dealer + 1 + p) mod n as
    its hand p div n.
    Shape: `order` is the pack after the strip, the first card dealt first; `number` is 1 for the first deal of a game;
    `scores` by side.
    Errors: total for an order that holds each card of the pack once.
    Source: trebor (the order of several hands of a player; packets of one card or three).

    >>> from service.game.rulesets import make_table
    >>> state = deal(make_table("trebor", ((0, 2), (1, 3))), range(36), 0, 1, (0, 0))
    >>> state.turn_up, state.leader, state.hands[1].bit_count()
    (35, 1, 9)
    """
    players, piles = table.players, table.players * table.hands
    bits = [BITS[card] for card in order[: piles * table.cards]]
    singly = _singly(bits, piles) if threes else bits
    dealt = [sum(singly[pile::piles]) for pile in range(piles)]
    by_seat = [tuple(dealt[(seat - dealer - 1) % players :: players]) for seat in range(players)]
    return State(
        table=table,
        dealer=dealer,
        deal=number,
        scores=scores,
        turn_up=order[len(bits) - 1],
        hands=tuple([hands[0] for hands in by_seat]),
        later_hands=tuple([hands[1:] for hands in by_seat]) if table.hands > 1 else (),
        leader=eldest(table, dealer),
        trick=(),
        taken=(0,) * len(table.sides),
    )


def _singly(bits: list[Mask], piles: int) -> list[Mask]:
    """Order the cards so that dealing singly gives the hands of dealing threes; the last packet may be smaller."""
    ordered = list[Mask]()
    for start in range(0, len(bits), 3 * piles):
        dealt = bits[start : start + 3 * piles]
        packet = len(dealt) // piles
        for at in range(packet):
            ordered += dealt[at::packet]
    return ordered


def eldest(table: Table, dealer: Seat) -> Seat:
    """Return eldest hand, the seat on the dealer's left, which leads first. Source: all."""
    return (dealer + 1) % table.players


def play_unchecked(state: State, card: Card) -> State:
    """Play a card that is known to be legal; the trick is taken if complete, and the next hands come into play.

    Errors: total for a legal card.
    Source: all; gamerules and trebor (later hands).
    """
    table, leader, hands, taken = state.table, state.leader, [*state.hands], state.taken
    players, later = table.players, state.later_hands
    cards = state.trick + (card,)  # noqa: RUF005 # unpacking takes twice as long
    seat = (leader + len(cards) - 1) % players
    hand = hands[seat]
    hands[seat] = hand + 1 if hand < 0 else hand ^ BITS[card]
    if len(cards) == players:
        leader, taken = _take(state, cards)
        cards = ()
        if later and not any(hands):
            hands = [hands_of_seat[0] for hands_of_seat in later]
            later = tuple([hands_of_seat[1:] for hands_of_seat in later]) if len(later[0]) > 1 else ()
    # Every field is written out: `replace` takes as long as all the rest.
    dealer, number, scores, turn_up = state.dealer, state.deal, state.scores, state.turn_up
    return State(table, dealer, number, scores, turn_up, tuple(hands), later, leader, cards, taken)


def _take(state: State, cards: tuple[Card, ...]) -> tuple[Seat, tuple[Mask, ...]]:
    """Return the winner of a complete trick, and the cards that each side has taken with it."""
    table, pile, taken = state.table, mask_of(cards), list(state.taken)
    best = trick.best(pile, cards[0], SUIT_OF[state.turn_up], table.ruleset)
    winner = (state.leader + cards.index(best)) % table.players
    side = table.side_of[winner]
    taken[side] = taken[side] | pile
    return winner, tuple(taken)
