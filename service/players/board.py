"""A deal on plain integers, for searches: it plays cards and takes them back.

It repeats `service.game.rules.follow_suit` for speed: a search plays thousands of cards. A law tests that both agree at
each node. Points and winners are left to `service.game.rules`.
Source: as there.
"""

from typing import Final, TypeAlias

from msgspec.structs import replace

from service.game.cards import BITS, Mask
from service.game.rules import follow_suit
from service.game.rulesets import Seat
from service.game.state import State
from service.players.order import order

Later: TypeAlias = tuple[tuple[Mask, ...], ...]
"""The later hands of each seat, in the order of play; none if there are none left."""

_Trick: TypeAlias = tuple[Seat, Seat, Seat, Mask, Mask, Mask, Mask, Mask]
Moment: TypeAlias = tuple[_Trick, Later]
"""Everything that a play may change besides the cards in hands and piles.

Shape: of the trick `seat`, `leader`, `winner`, `pile`, `suit`, `live`, `best` and `legal`; `later`.
"""
Saved: TypeAlias = tuple[tuple[Mask, ...], tuple[Mask, ...], Mask, Moment]
"""A point in a deal. Shape: `hands`, `taken`, `not_taken`, and the moment."""

_NEXT: Final = tuple([tuple([(seat + 1) % players for seat in range(players)]) for players in range(9)])
"""By number of players and seat: the seat on the left."""


class Board:
    """A deal in play; a hand that is not shown counts as empty.

    A card is a mask of one bit, in the order of strength.
    Shape: `hands` by seat; `taken` by side; `not_taken`, the cards dealt and not taken yet, if they are shown.
    The current trick: `leader`; `seat` is next, with its `legal` cards (none after the last card); `pile` has the cards
    played, `suit` is led, `live` are the cards that can win; `best` is the best card so far, of `winner`.
    """

    def __init__(self, state: State) -> None:
        table, self._start = state.table, state
        self.order = order(table.ruleset, state.trump)
        self.side_of = table.side_of
        self._next = _NEXT[table.players]
        self._trumps, self._led_by = self.order.trumps, self.order.led_by
        self._any_card = follow_suit.may_discard(table)
        rank = self.order.rank
        self.later: Later = tuple([tuple([rank(max(hand, 0)) for hand in hands]) for hands in state.later_hands])
        self.hands = [rank(hand) if hand > 0 else 0 for hand in state.hands]
        self.taken = [rank(cards) for cards in state.taken]
        self.not_taken: Mask = sum(self.hands) + sum(map(sum, self.later))
        self.seat = self.leader = self.winner = state.leader
        self.pile = self.suit = self.live = self.best = 0
        hand = self.hands[self.seat]
        barred = self._trumps if follow_suit.bars_trump_lead(table) and not any(self.taken) else 0
        self.legal = hand & ~barred or hand
        for number in state.trick:
            card = rank(BITS[number])
            self.not_taken |= card
            self.hands[self.seat] |= card
            self.play(card)

    def _follow(self, hand: Mask) -> Mask:
        return hand & self.suit or (hand if self._any_card else hand & self._trumps or hand)

    def play(self, card: Mask) -> None:
        """Play a legal card for the seat to play; a complete trick goes to its winner, who leads next."""
        seat, hands = self.seat, self.hands
        hands[seat] = hands[seat] ^ card  # mypyc leaves ^= to Python
        if not self.pile:
            self.suit, self.live = self._led_by[card]
            self.best, self.winner = card, seat
        elif card > self.best and card & self.live:
            self.best, self.winner = card, seat
        self.pile |= card
        self.seat = seat = self._next[seat]
        if seat == self.leader:
            self._take(self.winner)
        else:
            self.legal = self._follow(hands[seat])

    def _take(self, winner: Seat) -> None:
        """Give the trick to its winner, who leads next, from the next hand if this one is played out."""
        self.taken[self.side_of[winner]] |= self.pile
        self.not_taken ^= self.pile
        if self.later and not self.hands[winner]:
            self._take_up()
        self.seat = self.leader = winner
        self.pile = self.suit = self.live = self.best = 0
        self.legal = self.hands[winner]

    def _take_up(self) -> None:
        later = self.later
        self.hands[:] = [hands[0] for hands in later]
        self.later = tuple([hands[1:] for hands in later]) if len(later[0]) > 1 else ()

    def distinct_cards(self) -> list[Mask]:
        """List the legal cards without equivalents of a card listed before; all hands are shown."""
        return self.order.distinct(self.legal, self.not_taken & ~self.hands[self.seat])

    def moment(self) -> Moment:
        """Return the moment, which `take_back` needs after the next card."""
        trick = self.seat, self.leader, self.winner, self.pile, self.suit, self.live, self.best, self.legal
        return trick, self.later

    def take_back(self, card: Mask, moment: Moment) -> None:
        """Take back the last card, given the moment before it; all hands are shown."""
        complete, leader, later = not self.pile, self.leader, self.later
        self._return(moment)
        if complete:
            pile = self.pile | card
            self.taken[self.side_of[leader]] ^= pile
            self.not_taken |= pile
            if later is not self.later:
                self.hands[:] = [0] * len(self.hands)
        self.hands[self.seat] |= card

    def save(self) -> Saved:
        """Return where the deal is."""
        return tuple(self.hands), tuple(self.taken), self.not_taken, self.moment()

    def restore(self, saved: Saved) -> None:
        """Restore a point in the deal."""
        hands, taken, self.not_taken, moment = saved
        self.hands[:], self.taken[:] = hands, taken
        self._return(moment)

    def _return(self, moment: Moment) -> None:
        trick, self.later = moment
        self.seat, self.leader, self.winner, self.pile, self.suit, self.live, self.best, self.legal = trick

    def state(self) -> State:
        """Return the state of the deal between two tricks, in the order of the pack."""
        number = self.order.number
        return replace(
            self._start,
            hands=tuple(map(number, self.hands)),
            later_hands=tuple([tuple(map(number, hands)) for hands in self.later]),
            leader=self.leader,
            trick=(),
            taken=tuple(map(number, self.taken)),
        )
