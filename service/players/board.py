"""A deal on plain integers, which plays cards and takes them back: what a search walks on.

It repeats `service.rules.duty`, because a search plays thousands of cards where a question plays one; a law holds
that both agree at every node. What wins a trick is asked of `service.rules.trick` once; points and winners are left to
`service.rules`.
Source: as there.
"""

from functools import lru_cache
from typing import Final, TypeAlias

from msgspec.structs import replace

from service.cards import BITS, SUIT_MASK_OF, SUIT_MASKS, Mask
from service.players.ranking import CANNOT_WIN, rank
from service.rules import duty
from service.rulesets import Ruleset, Seat
from service.state import State

Trick: TypeAlias = tuple[Seat, Mask, Mask, dict[Mask, int], int, Seat, Seat, Mask]
"""The current trick, or the lead to come.

Shape: the seat to play; the cards of the trick; the suit led; by card, its power in this trick, of which the highest
wins; the highest so far, and the seat that played it; the leader; the card played last on the board.
"""

_NEXT: Final = tuple((*range(1, players), 0) for players in range(9))
"""By number of players and seat: the seat on the left."""
_NO_POWERS: Final[dict[Mask, int]] = {}


class Board:
    """A deal in play with all hands shown.

    Shape: a card is a mask of one bit; `hands` by seat, `taken` by side.
    """

    __slots__ = (
        "_any_card",
        "_dealt",
        "_keep",
        "_later",
        "_leads",
        "_next",
        "_no_trump",
        "_past",
        "_side_of",
        "_start",
        "_trumps",
        "hands",
        "taken",
        "trick",
    )

    def __init__(self, state: State) -> None:
        table = state.table
        self._start = state
        self._side_of = table.side_of
        self._next = _NEXT[table.players]
        self._trumps = SUIT_MASKS[state.trump]
        self._any_card = duty.may_discard(table)
        self._no_trump = duty.bars_trump_lead(table)
        self._leads = _leads(table.ruleset, state.trump)
        self._later = [state.later_hands]
        self._past: list[Trick] = []
        self._keep = self._past.append
        self.hands = list(state.hands)
        self.taken = list(state.taken)
        self.trick: Trick = (state.leader, 0, 0, _NO_POWERS, CANNOT_WIN, state.leader, state.leader, 0)
        for card in state.trick:
            self.hands[self.trick[0]] |= BITS[card]
            self.play(BITS[card])
        self._past.clear()
        self._dealt: Mask = sum(self.hands) + self.trick[1] + sum(self.taken) + sum(map(sum, state.later_hands))

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
        seat, pile, suit, powers, best, winner, leader, _ = before
        self.hands[seat] ^= card
        if not pile:
            suit, powers = self._leads[card]
            best, winner = powers[card], seat
        elif (power := powers[card]) > best:
            best, winner = power, seat
        seat = self._next[seat]
        if seat != leader:
            self.trick = seat, pile | card, suit, powers, best, winner, leader, card
            return
        self.taken[self._side_of[winner]] |= pile | card
        self.trick = winner, 0, 0, powers, best, winner, winner, card
        if not self.hands[winner] and self._later[-1]:
            self._take_up()

    def take_back(self) -> None:
        """Take back the last card played."""
        _, pile, _, _, _, _, leader, card = self.trick
        before = self.trick = self._past.pop()
        if not pile:
            self.taken[self._side_of[leader]] ^= before[1] | card
            if len(self._later) > 1 and self._taken_up_last():
                self._later.pop()
                self.hands[:] = [0] * len(self.hands)
        self.hands[before[0]] ^= card

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
        """Return the state of the deal between two tricks, in which the rules count points and find winners."""
        return replace(
            self._start,
            hands=tuple(self.hands),
            later_hands=self._later[-1],
            leader=self.trick[0],
            trick=(),
            taken=tuple(self.taken),
        )


@lru_cache(maxsize=64)
def _leads(ruleset: Ruleset, trump: int) -> dict[Mask, tuple[Mask, dict[Mask, int]]]:
    """Return, for each card that may be led, the suit to follow and the power of every card."""
    powers = rank(ruleset, trump).powers
    return {bit: (SUIT_MASK_OF[card], powers[SUIT_MASK_OF[card]]) for card, bit in enumerate(BITS)}
