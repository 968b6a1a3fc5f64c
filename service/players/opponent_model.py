"""A model of the opponents: which hidden hands their plays suggest, as a seat plays by rule of thumb or does not.

A hand with which it would have played just so is the likeliest. Of others, one that disagrees with fewer plays is a
little likelier: good players agree with the rule of thumb more often than not.
"""

from itertools import combinations
from random import Random
from typing import Final

from service.game.cards import BITS, Card, Mask
from service.game.rules.past import turns
from service.game.rulesets import Seat
from service.game.state import State
from service.players.board import Board
from service.players.rule_of_thumb import RuleOfThumb

_STRANGE: Final = 1 / 8
"""How likely a hand is that the rule of thumb would have played otherwise once, beside one that it never would."""
_STRANGER: Final = 2 / 3
"""How likely it is for each further play, beside what it was without."""
_EXCHANGES: Final = 20
"""The number of times that hidden hands may exchange a card."""


class OpponentModel:
    """How the seats played so far in a deal.

    Shape: `lacked`, by seat, are cards that its hand in play cannot hold; `played` has all cards of the deal so far.
    """

    def __init__(self, state: State, played: tuple[Card, ...], lacked: tuple[Mask, ...]) -> None:
        start = Board(state)
        rank = start.order.rank
        hidden = [seat for seat, hand in enumerate(state.hands) if hand < 0]
        self._pairs = list(combinations(hidden, 2))
        self._lacked = [rank(cards) for cards in lacked]
        self._turn_up = rank(BITS[state.turn_up])
        self._thumb = RuleOfThumb(state)
        self._plays: dict[Seat, list[_Play]] = {seat: [] for seat in hidden}
        self._known: dict[Seat, dict[Mask, float]] = {seat: {} for seat in hidden}
        since = dict.fromkeys(hidden, 0)
        for before, card in reversed(list(turns(state, played))):
            seat, mine = before.seat_to_play, rank(BITS[card])
            if seat in since and before.later_hands == state.later_hands:
                since[seat] |= mine
                self._plays[seat].append(_Play(self._thumb, before, mine, since[seat]))

    def resample(self, board: Board, chance: Random) -> None:
        """Let the hidden hands of a filling exchange cards, so that likely hands become the more frequent ones.

        Source: Metropolis and others, Equation of State Calculations by Fast Computing Machines (1953).
        """
        if not self._pairs:
            return
        hands = {seat: _cards(board.hands[seat] & ~self._turn_up) for seat in self._plays}
        for _ in range(_EXCHANGES):
            one, other = chance.choice(self._pairs)
            if hands[one] and hands[other]:
                at, there = chance.randrange(len(hands[one])), chance.randrange(len(hands[other]))
                if self._exchange(board, (one, hands[one][at]), (other, hands[other][there]), chance):
                    hands[one][at], hands[other][there] = hands[other][there], hands[one][at]

    def _exchange(self, board: Board, one: tuple[Seat, Mask], other: tuple[Seat, Mask], chance: Random) -> bool:
        """Exchange two cards of two seats: always if the hands become likelier, else the less often the less likely."""
        (seat, card), (partner, back) = one, other
        if card & self._lacked[partner] or back & self._lacked[seat]:
            return False
        mine, theirs = board.hands[seat], board.hands[partner]
        after = mine ^ card ^ back, theirs ^ card ^ back
        before = self._likely(seat, mine) * self._likely(partner, theirs)
        if chance.random() * before >= self._likely(seat, after[0]) * self._likely(partner, after[1]):
            return False
        board.hands[seat], board.hands[partner] = after
        return True

    def _likely(self, seat: Seat, hand: Mask) -> float:
        """Return how likely a hand is, beside one with which all plays were by rule of thumb."""
        known = self._known[seat].get(hand)
        if known is None:
            known = 1.0
            for play in self._plays[seat]:
                if not play.fits(hand):
                    known *= _STRANGE if known == 1 else _STRANGER
            self._known[seat][hand] = known
        return known


class _Play:
    """A card that a seat played; all that it has played `since`, this card included, was in its hand then."""

    def __init__(self, thumb: RuleOfThumb, before: State, card: Mask, since: Mask) -> None:
        self._thumb = thumb
        self._board = Board(before)
        self._seat, self._suit, self._live = self._board.seat, self._board.suit, self._board.live
        self._card = card
        self._since = since
        self._known: dict[Mask, bool] = {}

    def fits(self, hand: Mask) -> bool:
        """Return True if the seat, with this hand now, would have played the card by rule of thumb."""
        held = hand | self._since
        # Where it can follow suit, no cards of other plain suits count.
        counts = held & self._live if held & self._suit else held
        known = self._known.get(counts)
        if known is None:
            self._board.give(self._seat, held)
            known = self._known[counts] = self._thumb.choose(self._board) == self._card
        return known


def _cards(cards: Mask) -> list[Mask]:
    found: list[Mask] = []
    while cards:
        found.append(cards & -cards)
        cards &= cards - 1
    return found
