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
from service.rules import duty, score
from service.rulesets import Seat
from service.state import State

Trick: TypeAlias = tuple[Seat, Mask, Mask, Mask, Mask, Seat, Seat, Mask, Mask, "Trick | None"]
"""The current trick, or the lead to come.

Shape: the seat to play; the cards of the trick; the suit led; the cards that can win it; the card that wins it so far,
and the seat that played it; the leader; the card played last; the legal cards of the seat to play; the trick as it was
before that card, or None if none was played on the board.
"""

_NEXT: Final = tuple((*range(1, players), 0) for players in range(9))
"""By number of players and seat: the seat on the left."""


class Board:
    """A deal in play; a hand that is not shown counts as empty.

    Shape: a card is a mask of one bit, in the order of strength; `hands` by seat, `taken` by side.
    """

    __slots__ = (
        "_any_card",
        "_later",
        "_led_by",
        "_next",
        "_start",
        "_trumps",
        "hands",
        "legal",
        "not_taken",
        "order",
        "side_of",
        "taken",
        "taken_by_hand",
        "trick",
    )

    def __init__(self, state: State) -> None:
        table, self._start = state.table, state
        self.order = order(table.ruleset, state.trump)
        self.side_of = table.side_of
        self._next = _NEXT[table.players]
        self._trumps, self._led_by = self.order.trumps, self.order.led_by
        self._any_card = duty.may_discard(table)
        self._look(state)

    def _look(self, state: State) -> None:
        rank, leader = self.order.rank, state.leader
        self._later = [tuple([tuple([rank(max(hand, 0)) for hand in hands]) for hands in state.later_hands])]
        self.hands = [rank(hand) if hand > 0 else 0 for hand in state.hands]
        self.taken = [rank(cards) if cards else 0 for cards in state.taken]
        self.taken_by_hand = state.taken_by_hand
        self.not_taken: Mask = sum(self.hands) + sum(map(sum, self._later[0]))
        """The cards dealt that are not taken yet, if they are shown."""
        self.legal: Mask = 0
        """The legal cards of the seat to play; 0 when the deal is played out."""
        self.trick: Trick = (leader, 0, 0, 0, 0, leader, leader, 0, 0, None)
        self.give(leader, self.hands[leader])
        for card in map(rank, [BITS[card] for card in state.trick]):
            self.not_taken |= card
            self.hands[self.trick[0]] |= card
            self.play(card)
        self.trick = (*self.trick[:9], None)

    def give(self, seat: Seat, hand: Mask) -> None:
        """Give a seat another hand."""
        self.hands[seat] = hand
        to_play, pile, suit, *_ = self.trick
        if seat != to_play:
            return
        if pile:
            self.legal = hand & suit or (hand if self._any_card else hand & self._trumps or hand)
        else:
            barred = self._trumps if duty.bars_trump_lead(self._start.table) and not any(self.taken) else 0
            self.legal = hand & ~barred or hand
        self.trick = (*self.trick[:8], self.legal, self.trick[9])

    def play(self, card: Mask) -> None:
        """Play a legal card for the seat to play; a complete trick goes to its winner, who leads next."""
        before = self.trick
        seat, pile, suit, live, best, winner, leader, _, _, _ = before
        hands = self.hands
        hands[seat] ^= card
        if not pile:
            suit, live = self._led_by[card]
            best, winner = card, seat
        elif card > best and card & live:
            best, winner = card, seat
        pile |= card
        seat = self._next[seat]
        if seat != leader:
            hand = hands[seat]
            self.legal = legal = hand & suit or (hand if self._any_card else hand & self._trumps or hand)
            self.trick = seat, pile, suit, live, best, winner, leader, card, legal, before
            return
        self.taken[self.side_of[winner]] |= pile
        self.not_taken ^= pile
        if not hands[winner] and self._later[-1]:
            self._take_up()
        self.legal = legal = hands[winner]
        self.trick = winner, 0, 0, 0, 0, winner, winner, card, legal, before

    def take_back(self) -> None:
        """Take back the last card played.

        Errors: IndexError, if there is none.
        """
        _, pile, _, _, _, _, leader, card, _, before = self.trick
        if before is None:
            raise IndexError
        self.trick = before
        self.legal = before[8]
        if not pile:
            pile = before[1] | card
            self.taken[self.side_of[leader]] ^= pile
            self.not_taken ^= pile
            if len(self._later) > 1 and self._taken_up_last():
                self._later.pop()
                self.taken_by_hand = self.taken_by_hand[:-1]
                self.hands[:] = [0] * len(self.hands)
        self.hands[before[0]] ^= card

    @property
    def later(self) -> Sequence[Sequence[Mask]]:
        """The later hands of each seat, in the order of play; none if there are no more."""
        return self._later[-1]

    def _take_up(self) -> None:
        later = self._later[-1]
        self.taken_by_hand = score.close_hand(self._start.table, tuple(self.taken), self.taken_by_hand)
        self.hands[:] = [hands[0] for hands in later]
        self._later.append(tuple([hands[1:] for hands in later]) if len(later[0]) > 1 else ())

    def _taken_up_last(self) -> bool:
        """Return True if the hands in play are whole: they were taken up with the last card."""
        return self.hands == [hands[0] for hands in self._later[-2]]

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
            taken_by_hand=self.taken_by_hand,
        )
