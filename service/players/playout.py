"""Playouts: from a card on, all seats play by rule of thumb to the end of the deal.

One function holds the rules of play and the rules of thumb, and is long for it: a player makes thousands of playouts
for a card, and calls would take most of their time. A law holds that it plays the very cards that `RuleOfThumb`
chooses on a `Board`.
"""
# Pyright gives up on the types of a loop this long; mypy checks them.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false

from collections.abc import Sequence

from service.cards import Mask
from service.players.board import Board
from service.players.order import order
from service.players.reckoning import Ending, Reckoning
from service.players.rule_of_thumb import pack, ten
from service.rules import duty
from service.rulesets import Seat, Side
from service.state import State

Gains = Sequence[tuple[Side, Mask]]
"""The tricks of a playout: the side that took each, and its cards."""


class Playouts:
    """Playouts of the deal of a state."""

    def __init__(self, state: State, reckoning: Reckoning) -> None:
        table = state.table
        self._order = order(table.ruleset, state.trump)
        self._reckoning = reckoning
        self._at_once = reckoning.at_once
        self._next: tuple[Seat, ...] = (*range(1, table.players), 0)
        self._side_of = table.side_of
        self._any_card = duty.may_discard(table)
        self._pack = self._order.rank(pack(state))
        self._ten = ten(state)

    def play_out(self, board: Board, card: Mask) -> tuple[Ending, Side]:
        """Return how the deal ends after a card, and the side that takes the trick of it. The board stays as it is."""
        taken = board.taken[:]
        gains = self._gains(board, card)
        for side, pile in gains:
            taken[side] |= pile
            if self._at_once and (won := self._reckoning.win(taken)) is not None:
                return won, gains[0][0]
        return self._reckoning.end(taken), gains[0][0]

    def _gains(self, board: Board, card: Mask) -> Gains:  # noqa: C901, PLR0912, PLR0915 # see the head of this file
        seat, pile, suit, live, best, winner, leader, _ = board.trick
        following, side_of, any_card, tens = self._next, self._side_of, self._any_card, self._ten
        suit_of, trumps, plain = self._order.suit_of, self._order.trumps, self._order.plain
        honours, scoring = self._order.honours, self._order.scoring
        cheap = ~scoring
        hands, later = board.hands[:], list(board.later)
        unplayed = self._pack & ~pile
        for taken in board.taken:
            unplayed &= ~taken
        gains: list[tuple[Side, Mask]] = []
        while True:
            hands[seat] ^= card
            unplayed ^= card
            if not pile:
                suit = suit_of[card]
                live, best, winner = suit | trumps, card, seat
            elif card > best and card & live:
                best, winner = card, seat
            pile |= card
            seat = following[seat]
            if seat == leader:
                gains.append((side_of[winner], pile))
                pile, seat, leader = 0, winner, winner
                if not hands[seat]:
                    if not later:
                        return gains
                    hands = list(later.pop(0))
                legal = hands[seat]
                if legal & legal - 1:
                    out = unplayed & ~legal
                    mine = legal & trumps
                    if mine > out & trumps and out & scoring:
                        card = 1 << mine.bit_length() - 1
                        continue
                    fewest = 99
                    for cards in plain:
                        mine = legal & cards
                        if mine > out & cards and mine.bit_count() < fewest:
                            fewest, card = mine.bit_count(), 1 << mine.bit_length() - 1
                    if fewest < 99:
                        continue
            else:
                hand = hands[seat]
                legal = hand & suit or (hand if any_card else hand & trumps or hand)
                if legal & legal - 1:
                    above = live & -best << 1
                    out = unplayed & ~hand & live
                    last = following[seat] == leader
                    partners = side_of[winner] == side_of[seat]
                    if partners and (last or not out & above):
                        legal = legal & ~above or legal
                        if legal & scoring:
                            for card in reversed(honours):
                                if card & legal:
                                    break
                            continue
                    elif last:
                        if winning := legal & above:
                            card = winning & tens or winning & -winning
                            continue
                    else:
                        winning = legal & above
                        sure = winning & -1 << out.bit_length()
                        if sure and (pile & scoring or suit != trumps):
                            card = sure & -sure
                            continue
                        if suit != trumps:
                            if partners and not out & above & suit:
                                legal = legal & ~above or legal
                            elif best_left := winning & suit & -1 << (out & suit).bit_length():
                                card = best_left & -best_left
                                continue
                            elif not partners and (ruffing := winning & ~suit):
                                if ruffing & tens:
                                    card = tens
                                    continue
                                if ruffing := ruffing & cheap:
                                    card = ruffing & -ruffing
                                    continue
            if low := legal & cheap:
                card = low & -low
            else:
                for card in honours:
                    if card & legal:
                        break
