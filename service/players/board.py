"""A deal on plain integers, which plays cards and takes them back: what a search walks on.

It repeats `service.rules.duty`, because a search plays thousands of cards where a question plays one; a law holds
that both agree at every node. Points and winners are left to `service.rules`.
Source: as there.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace

from service.cards import BITS, Mask
from service.players.order import order
from service.rules import duty
from service.rulesets import Seat
from service.state import State

Trick: TypeAlias = tuple[Seat, Mask, Mask, Mask, Mask, Seat, Seat, Mask]
"""The current trick, or the lead to come.

Shape: the seat to play; the cards of the trick; the suit led; the cards that can win it; the card that wins it so far,
and the seat that played it; the leader; the card played last on the board.
"""

_NEXT: Final = tuple((*range(1, players), 0) for players in range(9))
"""By number of players and seat: the seat on the left."""


class Board:
    """A deal in play; a hand that is not shown counts as empty.

    Shape: a card is a mask of one bit, in the order of strength; `hands` by seat, `taken` by side.
    """

    __slots__ = (
        "_any_card",
        "_dealt",
        "_keep",
        "_later",
        "_next",
        "_no_trump",
        "_past",
        "_start",
        "_suit_of",
        "_trumps",
        "hands",
        "order",
        "side_of",
        "taken",
        "trick",
    )

    def __init__(self, state: State) -> None:
        table = state.table
        self.order = order(table.ruleset, state.trump)
        rank = self.order.rank
        self._start = state
        self.side_of = table.side_of
        self._next = _NEXT[table.players]
        self._trumps = self.order.trumps
        self._suit_of = self.order.suit_of
        self._any_card = duty.may_discard(table)
        self._no_trump = duty.bars_trump_lead(table)
        self._later = [tuple([tuple([rank(max(hand, 0)) for hand in hands]) for hands in state.later_hands])]
        self._past: list[Trick] = []
        self._keep = self._past.append
        self.hands = [rank(max(hand, 0)) for hand in state.hands]
        self.taken = list(map(rank, state.taken))
        self.trick: Trick = (state.leader, 0, 0, 0, 0, state.leader, state.leader, 0)
        for card in state.trick:
            self.hands[self.trick[0]] |= rank(BITS[card])
            self.play(rank(BITS[card]))
        self._past.clear()
        self._dealt: Mask = sum(self.hands) + self.trick[1] + sum(self.taken) + sum(map(sum, self._later[0]))

    def legal(self) -> Mask:
        """Return the legal cards of the seat to play; 0 when the deal is played out."""
        seat, pile, suit, _, _, _, _, _ = self.trick
        hand = self.hands[seat]
        if pile:
            return hand & suit or (hand if self._any_card else hand & self._trumps or hand)
        if self._no_trump and not any(self.taken):
            return hand & ~self._trumps or hand
        return hand

    def play(self, card: Mask) -> None:
        """Play a legal card for the seat to play; a complete trick goes to its winner, who leads next."""
        before = self.trick
        self._keep(before)
        seat, pile, suit, live, best, winner, leader, _ = before
        self.hands[seat] ^= card
        if not pile:
            suit = self._suit_of[card]
            live = suit | self._trumps
            best, winner = card, seat
        elif card > best and card & live:
            best, winner = card, seat
        seat = self._next[seat]
        if seat != leader:
            self.trick = seat, pile | card, suit, live, best, winner, leader, card
            return
        self.taken[self.side_of[winner]] |= pile | card
        self.trick = winner, 0, 0, 0, 0, winner, winner, card
        if not self.hands[winner] and self._later[-1]:
            self._take_up()

    def take_back(self) -> None:
        """Take back the last card played."""
        _, pile, _, _, _, _, leader, card = self.trick
        before = self.trick = self._past.pop()
        if not pile:
            self.taken[self.side_of[leader]] ^= before[1] | card
            if len(self._later) > 1 and self._taken_up_last():
                self._later.pop()
                self.hands[:] = [0] * len(self.hands)
        self.hands[before[0]] ^= card

    @property
    def later(self) -> Sequence[Sequence[Mask]]:
        """The later hands of each seat, in the order of play; none if there are no more."""
        return self._later[-1]

    def _take_up(self) -> None:
        later = self._later[-1]
        self.hands[:] = [hands[0] for hands in later]
        self._later.append(tuple([hands[1:] for hands in later]) if len(later[0]) > 1 else ())

    def _taken_up_last(self) -> bool:
        """Return True if the hands in play are whole: they were taken up with the last card."""
        return self.hands == [hands[0] for hands in self._later[-2]]

    def not_taken(self) -> Mask:
        """Return the cards dealt that are not taken yet."""
        cards = self._dealt
        for taken in self.taken:
            cards &= ~taken
        return cards

    def state(self) -> State:
        """Return the state of the deal between two tricks, in the order of the pack."""
        number = self.order.number
        return replace(
            self._start,
            hands=tuple(map(number, self.hands)),
            later_hands=tuple([tuple(map(number, hands)) for hands in self._later[-1]]),
            leader=self.trick[0],
            trick=(),
            taken=tuple(map(number, self.taken)),
        )
