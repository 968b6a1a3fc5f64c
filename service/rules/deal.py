"""The deal: cards go round in rotation from the dealer's left; the last one dealt is turned up.

Source: all five; three at a time in trebor.
"""

from collections.abc import Sequence

from service.cards import Card
from service.rulesets import Seat, Table
from service.state import State


def deal(
    table: Table, order: Sequence[Card], dealer: Seat, number: int, scores: tuple[int, ...], *, threes: bool = False
) -> State:
    """Deal the pack in this order; pile p goes to seat (dealer + 1 + p) mod n as its hand p div n.

    Shape: `order` is the pack after the strip, the first card dealt first.
    Errors: total for an order that holds each card of the pack once.
    Source: trebor (the hands are played in the order dealt; singly or three at a time).
    """
    players = table.players
    piles = [0] * (players * table.hands)
    packets = _packets(table.cards, 3 if threes else 1)
    cards = iter(order)
    last = order[len(piles) * table.cards - 1]
    for packet in packets:
        for pile in range(len(piles)):
            for _ in range(packet):
                piles[pile] |= 1 << next(cards)
    by_seat = [tuple(piles[(seat - dealer - 1) % players :: players]) for seat in range(players)]
    return State(
        table=table,
        dealer=dealer,
        deal=number,
        scores=scores,
        turn_up=last,
        hands=tuple([hands[0] for hands in by_seat]),
        later_hands=tuple([hands[1:] for hands in by_seat]) if table.hands > 1 else (),
        leader=eldest(table, dealer),
        trick=(),
        taken=(0,) * len(table.sides),
    )


def _packets(cards: int, size: int) -> list[int]:
    whole, rest = divmod(cards, size)
    return [size] * whole + [rest] * (rest > 0)


def eldest(table: Table, dealer: Seat) -> Seat:
    """Tell eldest hand, the seat on the dealer's left, who leads first. Source: all five."""
    return (dealer + 1) % table.players
