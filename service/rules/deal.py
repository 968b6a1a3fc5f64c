"""The deal: cards go around in rotation from the dealer's left; the last card dealt is the turn-up.

Source: all; three at a time in trebor.
"""

from collections.abc import Sequence

from service.cards import BITS, Card, Mask
from service.rulesets import Seat, Table
from service.state import State


def deal(
    table: Table, order: Sequence[Card], dealer: Seat, number: int, scores: tuple[int, ...], *, threes: bool = False
) -> State:
    """Deal the pack in this order, singly or three cards at a time.

    With n players and k hands each, the cards go around n × k piles; pile p goes to seat (dealer + 1 + p) mod n as
    its hand p div n.
    Shape: `order` is the pack after the strip, the first card dealt first; `number` is 1 for the first deal of a game;
    `scores` by side.
    Errors: total for an order that holds each card of the pack once.
    Source: trebor (the hands are played in the order dealt; singly or three at a time).
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
    """Order the cards so that, dealt singly, they fall as they do three at a time; the last packet may be smaller."""
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
