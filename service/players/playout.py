"""Playouts: from a card on, all seats play by rule of thumb to the end of the deal.

One function holds the rules of play and the rules of thumb, and is long for it: a player makes thousands of playouts
for a card, and calls would take most of their time. It looks at hands suit by suit, because small numbers and look-ups
take half the time. A law holds that it plays the very cards that `RuleOfThumb` chooses on a `Board`.
"""
# Pyright gives up on the types of a loop this long; mypy checks them.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false

from collections.abc import Sequence
from typing import TypeAlias

from service.cards import Mask
from service.players.board import Board, Trick
from service.players.order import MARK, order
from service.players.reckoning import Counts, Ending, Reckoning
from service.players.rule_of_thumb import pack
from service.players.suits import ABOVE, ALL, HIGHER, TRUMPS, Cards, Hand, Suit, split, suits
from service.rules import duty
from service.rulesets import Seat, Side
from service.state import State

_Held: TypeAlias = list[list[Cards]]
"""Hands, by suit and seat."""


_Start: TypeAlias = tuple[_Held, Sequence[_Held], Hand, Hand, Counts, int, Sequence[Seat], Seat, Suit, Cards, Cards]
"""Where playouts start: at a trick of a board, before its next card.

Shape: the hands; the later ones, the last first; the cards unplayed, and those unplayed before the trick; what counts,
by side; the tricks to come; the seats to play to the trick; the seat that wins it so far; the suit led, or -1; the
cards of it that would win, and the trumps that would, if it is plain.
"""


class Playouts:
    """Playouts of the deal of a state."""

    def __init__(self, state: State, reckoning: Reckoning) -> None:
        table, ranked = state.table, order(state.table.ruleset, state.trump)
        self._reckoning = reckoning
        self._suits = suits(table.ruleset, state.trump)
        self._pack = ranked.rank(pack(state))
        self._scoring = split(ranked.scoring)
        self._cards_of_hand = table.cards
        self._side_of = table.side_of
        self._any_card = duty.may_discard(table)
        seats = range(table.players)
        self._turns = tuple([tuple([(seat + more) % table.players for more in seats]) for seat in seats])
        self._turns_after = tuple([turns[1:] for turns in self._turns])
        self._trick: Trick | None = None
        self._start: _Start

    def play_out(self, board: Board, path: Sequence[Mask]) -> tuple[Ending, Side]:
        """Return how the deal ends after some cards, and the side that takes the trick of the first of them.

        Shape: the board, which stays as it is, is where the first of the cards is played.
        """
        if board.trick is not self._trick:  # as long as it is this very object, the board is the same
            self._trick, self._start = board.trick, self._look(board)
        return self._run(self._start, [self._suits.card_of[card] for card in reversed(path)])

    def _look(self, board: Board) -> _Start:
        seat, pile, suit, _, best, winner, *_ = board.trick
        led, over, ruffs = self._winning(suit, best) if pile else (-1, 0, 0)
        unplayed = self._pack
        for taken in board.taken:
            unplayed ^= taken
        return (
            _by_suit(board.hands),
            [_by_suit(hands) for hands in zip(*board.later, strict=True)][::-1],
            split(unplayed ^ pile),
            split(unplayed),
            self._reckoning.count(board.taken),
            board.hands[seat].bit_count(),
            self._turns[seat][: len(self._turns) - pile.bit_count()],
            winner,
            led,
            over,
            ruffs,
        )

    def _winning(self, suit: Mask, best: Mask) -> tuple[Suit, Cards, Cards]:
        """Return the suit led, the cards of it that would win, and the trumps that would."""
        led, (suit_of_best, card) = self._suits.card_of[suit & -suit][0], self._suits.card_of[best]
        if suit_of_best != led:
            return led, 0, HIGHER[card]
        return led, HIGHER[card], 0 if led == TRUMPS else ALL

    def _run(  # noqa: C901, PLR0912, PLR0915 # see the head of this file
        self, start: _Start, path: list[tuple[Suit, Cards]]
    ) -> tuple[Ending, Side]:
        """Play the cards of the path, the last of it first, and then by rule of thumb."""
        held, later, unplayed, before, counts, tricks, turns, winner, led, over, ruffs = start
        side_of, turns_after, any_card, reckoning = self._side_of, self._turns_after, self._any_card, self._reckoning
        _, cards, (suit_of_ten, ten), marks, lows, riches, wins, throws, prizes, ruffing = self._suits
        throw0, throw1, throw2, throw3 = throws
        higher, above, players, taker, scoring = HIGHER, ABOVE, len(turns_after), -1, self._scoring[3]
        hands = plain0, plain1, plain2, trumps = held[0][:], held[1][:], held[2][:], held[3][:]
        out, counted, hands_left = list(unplayed), list(counts), len(later)
        trumps_before = before[3]
        ten = 0 if suit_of_ten == 3 else ten & before[suit_of_ten]
        prize = ten & self._scoring[suit_of_ten]
        if led < 0:
            led, over = path[-1][0], ALL
            ruffs = 0 if led == 3 else ALL
        suit, card, side = led, 0, side_of[winner]
        while True:
            last, mine, left, low, rich = turns[-1], hands[led], out[led], lows[led], riches[led]
            for seat in turns:
                if path:
                    suit, card = path.pop()
                    if suit == led:
                        if card & over:
                            over, winner, side = higher[card], seat, side_of[seat]
                        mine[seat] ^= card
                        left ^= card
                        continue
                elif follow := mine[seat]:
                    if winning := follow & over:
                        if side_of[seat] == side and (seat == last or not (left ^ follow) & over):
                            safe = seat == last or not (out[3] ^ trumps[seat]) & ruffs
                            card = (rich if safe else low)[follow ^ winning or follow]
                        elif seat == last:
                            card = wins[led][winning]
                        elif (sure := winning & above[left ^ follow]) and (
                            led != 3 or (trumps_before ^ left) & scoring or prize & ~out[suit_of_ten]
                        ):
                            card = sure & -sure
                        else:
                            card = low[follow]
                        if card & over:
                            over, winner, side = higher[card], seat, side_of[seat]
                    elif side_of[seat] == side and (
                        seat == last or not ((left ^ follow) & over or (out[3] ^ trumps[seat]) & ruffs)
                    ):
                        card = rich[follow]
                    else:
                        card = low[follow]
                    mine[seat] = follow ^ card
                    left ^= card
                    continue
                elif not (trump := trumps[seat]) and side_of[seat] != side:
                    suit, card = cards[min(throw0[plain0[seat]], throw1[plain1[seat]], throw2[plain2[seat]])]
                else:
                    suit, card, safe = 3, 0, False
                    winning = trump & ruffs
                    if side_of[seat] == side:
                        rivals = out[3] ^ trump
                        safe = seat == last or not (rivals & ruffs or left & over)
                        if winning:
                            if not safe and (sure := winning & above[rivals]):
                                card = sure & -sure
                            elif (safe or not left & over) and (
                                trump != winning or (any_card and (plain0[seat] or plain1[seat] or plain2[seat]))
                            ):
                                trump ^= winning
                    elif winning:
                        if seat == last:
                            card = wins[3][winning]
                        elif sure := winning & above[out[3] ^ trump]:
                            card = sure & -sure
                        else:
                            card = ruffing[winning]
                    if card:
                        pass
                    elif trump and not any_card:
                        card = riches[3][trump] if safe else lows[3][trump]
                    else:
                        place = -1
                        if safe:
                            place = max(
                                prizes[0][plain0[seat]],
                                prizes[1][plain1[seat]],
                                prizes[2][plain2[seat]],
                                prizes[3][trump],
                            )
                        if place < 0:
                            place = min(throw0[plain0[seat]], throw1[plain1[seat]], throw2[plain2[seat]], throw3[trump])
                        suit, card = cards[place]
                if suit == 3 and card & ruffs:
                    over, ruffs, winner, side = 0, higher[card], seat, side_of[seat]
                hands[suit][seat] ^= card
                out[suit] ^= card
            out[led] = left
            counted[side] += players + marks[trumps_before ^ out[3]]
            if ten and not ten & out[suit_of_ten]:
                counted[side] += MARK
                ten = prize = 0
            if taker < 0:
                taker = side
            if reckoning.at_once and (won := reckoning.win(tuple(counted))):
                return won, taker
            tricks -= 1
            seat = winner
            if not tricks:
                if not hands_left:
                    return reckoning.end(tuple(counted)), taker
                hands_left, tricks = hands_left - 1, self._cards_of_hand
                held = later[hands_left]
                hands = plain0, plain1, plain2, trumps = held[0][:], held[1][:], held[2][:], held[3][:]
            if tricks == 1 and not hands_left and not path:
                mine = trumps if any(trumps) else plain0 if plain0[seat] else plain1 if plain1[seat] else plain2
                side = side_of[mine.index(max(mine))]
                counted[side] += players + marks[sum(trumps)] + (MARK if ten and ten in hands[suit_of_ten] else 0)
                counts = tuple(counted)
                return reckoning.win(counts) or reckoning.end(counts), side if taker < 0 else taker
            trump, trumps_before, fewest = trumps[seat], out[3], 99
            rivals = trumps_before ^ trump
            if path:
                suit, card = path.pop()
            elif trump > rivals and (
                rivals & scoring or (prize and prize & (out[suit_of_ten] ^ hands[suit_of_ten][seat]))
            ):
                suit, card = 3, 1 << trump.bit_length() - 1
            else:
                if (plain := plain0[seat]) > out[0] ^ plain:
                    suit, card, fewest = 0, plain, plain.bit_count()
                if (plain := plain1[seat]) > out[1] ^ plain and plain.bit_count() < fewest:
                    suit, card, fewest = 1, plain, plain.bit_count()
                if (plain := plain2[seat]) > out[2] ^ plain and plain.bit_count() < fewest:
                    suit, card, fewest = 2, plain, 1
                if fewest < 99:
                    card = 1 << card.bit_length() - 1
                else:
                    suit, card = cards[
                        min(throw0[plain0[seat]], throw1[plain1[seat]], throw2[plain2[seat]], throw3[trump])
                    ]
            hands[suit][seat] ^= card
            out[suit] ^= card
            led, over, ruffs, side = suit, higher[card], 0 if suit == 3 else ALL, side_of[seat]
            turns = turns_after[seat]


def _by_suit(hands: Sequence[Mask]) -> _Held:
    return list(map(list, zip(*map(split, hands), strict=True)))
