"""A deal played on by rule of thumb, to its end.

One function holds the rules of play and the rules of thumb, and is long for it: a player plays on from thousands of
cards for the one that it chooses, and calls would take most of the time. It looks at hands suit by suit, because small
numbers and look-ups take half the time. A law holds that it plays the very cards that `RuleOfThumb` chooses on a
`Board`.
"""
# Pyright gives up on the types of a loop this long; mypy checks them.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from service.players.evaluator import Counts, Evaluator, Outcome
from service.players.order import MARK
from service.players.suits import ABOVE, ALL, HIGHER, Cards, Hand, Suit, Suits
from service.rulesets import Seat, Side

HandsBySuit: TypeAlias = list[list[Cards]]
"""Hands, by suit and seat."""


class Facts(NamedTuple):
    """The facts that stay the same in a deal.

    Shape: `scoring` are the cards that score, by suit; `turns_after` the seats that follow a lead, by seat; in `cards`
    is the size of a whole hand; `any_card` is True if a seat that cannot follow suit may play what it likes.
    """

    evaluator: Evaluator
    suits: Suits
    scoring: Hand
    side_of: tuple[Side, ...]
    turns_after: tuple[tuple[Seat, ...], ...]
    cards: int
    any_card: bool


class Start(NamedTuple):
    """Where play starts: at a trick, before its next card.

    Shape: the `later` hands, the last first; the cards `unplayed`, and those unplayed `before` the trick; what counts
    by side; the `tricks` to come; the seats to play to the trick, in `turns`; the seat that wins it so far; the suit
    `led`, or -1; the cards of it that would win, `over`, and the trumps that would if it is plain, `ruffs`.
    """

    held: HandsBySuit
    later: Sequence[HandsBySuit]
    unplayed: Hand
    before: Hand
    counts: Counts
    tricks: int
    turns: Sequence[Seat]
    winner: Seat
    led: Suit
    over: Cards
    ruffs: Cards


def play_on(  # noqa: C901, PLR0912, PLR0915 # see the head of this file
    facts: Facts, start: Start, path: list[tuple[Suit, Cards]]
) -> tuple[Outcome, Side]:
    """Play the cards of the path, the last of it first, and then by rule of thumb.

    Return how the deal ends, and the side that takes the first trick.
    """
    held, later, unplayed, before, counts, tricks, turns, winner, led, over, ruffs = start
    evaluator, suits, all_scoring, side_of, turns_after, cards_of_hand, any_card = facts
    _, cards, (suit_of_ten, ten), marks, lows, riches, wins, throws, prizes, ruffing = suits
    throw0, throw1, throw2, throw3 = throws
    higher, above, players, taker, scoring = HIGHER, ABOVE, len(turns_after), -1, all_scoring[3]
    hands = plain0, plain1, plain2, trumps = held[0][:], held[1][:], held[2][:], held[3][:]
    out, counted, hands_left = list(unplayed), list(counts), len(later)
    trumps_before = before[3]
    ten = 0 if suit_of_ten == 3 else ten & before[suit_of_ten]
    prize = ten & all_scoring[suit_of_ten]
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
        if evaluator.at_once and (won := evaluator.win(tuple(counted))):
            return won, taker
        tricks -= 1
        seat = winner
        if not tricks:
            if not hands_left:
                return evaluator.end(tuple(counted)), taker
            hands_left, tricks = hands_left - 1, cards_of_hand
            counted += evaluator.close_hand(counted)
            held = later[hands_left]
            hands = plain0, plain1, plain2, trumps = held[0][:], held[1][:], held[2][:], held[3][:]
        if tricks == 1 and not hands_left and not path:
            mine = trumps if any(trumps) else plain0 if plain0[seat] else plain1 if plain1[seat] else plain2
            side = side_of[mine.index(max(mine))]
            counted[side] += players + marks[sum(trumps)] + (MARK if ten and ten in hands[suit_of_ten] else 0)
            counts = tuple(counted)
            return evaluator.win(counts) or evaluator.end(counts), side if taker < 0 else taker
        trump, trumps_before, fewest = trumps[seat], out[3], 99
        rivals = trumps_before ^ trump
        if path:
            suit, card = path.pop()
        elif trump > rivals and (rivals & scoring or (prize and prize & (out[suit_of_ten] ^ hands[suit_of_ten][seat]))):
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
                suit, card = cards[min(throw0[plain0[seat]], throw1[plain1[seat]], throw2[plain2[seat]], throw3[trump])]
        hands[suit][seat] ^= card
        out[suit] ^= card
        led, over, ruffs, side = suit, higher[card], 0 if suit == 3 else ALL, side_of[seat]
        turns = turns_after[seat]
