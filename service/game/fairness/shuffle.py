"""A shuffle that is the same on every machine and in every language: a seed always gives the same order of the cards.

The bytes: block i (0, 1, 2 …) is SHA-256 of the ASCII text `catch-the-ten/PURPOSE/SEED/i`; its 32 bytes are used
one after the other, then those of the next block. A number below n is the next byte modulo n; a byte of
256 - 256 mod n or above is skipped, so that every number is equally likely.
The shuffle: begin with the order of the pack (6C … AC, 6D … AD, 6H … AH, 6S … AS, without the strip). For each index
i from the last down to 1, take a number j below i + 1, and swap the cards at i and j.
Test vectors: openapi/conformance/cases/shuffles.jsonl.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from service.game.cards import FULL_PACK, RANKS, Card, Mask, cards_of
from service.game.rulesets import Seat, Sides
from service.game.state import Seed

Purpose: TypeAlias = Literal["deal", "draw"]
Rounds: TypeAlias = list[dict[Seat, Card]]
"""The cards drawn for the dealer, round by round: those of every seat that drew."""


def bytes_of(purpose: Purpose, seed: Seed) -> Iterator[int]:
    """Yield the endless bytes of a seed; a deal and a draw share none."""
    block = 0
    while True:
        yield from sha256(f"catch-the-ten/{purpose}/{seed}/{block}".encode("ascii")).digest()
        block += 1


FAIR: Final = tuple(256 - 256 % (index + 1) for index in range(36))
"""By the index i: bytes below this are used for a number below i + 1, others are skipped."""


def shuffle_by(cards: Mask, source: Iterator[int]) -> list[Card]:
    """Shuffle cards by bytes; every order is equally likely. Source: Fisher and Yates."""
    order = list(cards_of(cards))
    i = len(order) - 1
    while i > 0:
        byte = next(source)
        if byte < FAIR[i]:
            j = byte % (i + 1)
            order[i], order[j] = order[j], order[i]
            i -= 1
    return order


def shuffle(pack: Mask, seed: Seed) -> list[Card]:
    """Shuffle a pack for a deal.

    Shape: the first card of the result is dealt first.
    Errors: total for a seed of ASCII characters.

    >>> shuffle(FULL_PACK, "seed")[:4]
    [27, 34, 22, 28]
    """
    return shuffle_by(pack, bytes_of("deal", seed))


def draw(players: int, seed: Seed) -> tuple[Rounds, Seat]:
    """Draw for the first deal: each seat draws a card, and the highest deals, aces high; seats that tie draw again.

    Shape: for each round the card of every seat that drew, then the seat of the dealer.
    Errors: total; a pack too short for another round is gathered and shuffled again.
    Source: lots-of-kids (highest card), britannica (the ace is highest in cutting); that ties draw again is this
    project's reading.

    >>> draw(2, "seed")
    ([{0: 27, 1: 17}], 1)
    """
    drawing = _draw_rounds(seed)
    rounds: Rounds = []
    seats = list(range(players))
    while len(seats) > 1:
        rounds.append(drawing(seats))
        seats = _rank_groups(rounds[-1])[0]
    return rounds, seats[0]


def draw_order(players: int, seed: Seed) -> tuple[Rounds, list[Seat]]:
    """Draw for seats: each seat draws a card, and the higher comes first, aces high; seats that tie draw again.

    The draw begins as the one for the first dealer does, and its first seat is that dealer.
    Shape: for each round the card of every seat that drew, then the seats, the highest first.
    Errors: total, as for `draw`.
    Source: britannica (partners are cut for); how the cards decide, and that ties draw again, is a reading.

    >>> draw_order(2, "seed")
    ([{0: 27, 1: 17}], [1, 0])
    """
    drawing = _draw_rounds(seed)
    rounds: Rounds = []
    order: list[Seat] = []
    waiting = [list(range(players))]
    while waiting:
        seats = waiting.pop(0)
        if len(seats) == 1:
            order += seats
        else:
            rounds.append(drawing(seats))
            waiting[:0] = _rank_groups(rounds[-1])
    return rounds, order


def draw_seats(sides: Sides, seed: Seed) -> tuple[Rounds, tuple[Seat, ...]]:
    """Draw for seats, and return by seat who is to sit there: the highest cards at the first side, and so on.

    Errors: total, as for `draw`.

    >>> draw_seats(((0,), (1,)), "seed")[1]
    (1, 0)
    """
    places = [seat for side in sides for seat in side]
    rounds, order = draw_order(len(places), seed)
    return rounds, tuple(seat for _, seat in sorted(zip(places, order, strict=True)))


def _draw_rounds(seed: Seed) -> Callable[[list[Seat]], dict[Seat, Card]]:
    """Return a function that lets some seats draw a card each, from one pack until it is too short."""
    source = bytes_of("draw", seed)
    pack: list[Card] = []

    def draw_round(seats: list[Seat]) -> dict[Seat, Card]:
        if len(pack) < len(seats):
            pack[:] = shuffle_by(FULL_PACK, source)
        return {seat: pack.pop(0) for seat in seats}

    return draw_round


def _rank_groups(drawn: dict[Seat, Card]) -> list[list[Seat]]:
    """Return the seats that drew, in groups of the same rank, the highest first."""
    ranks = sorted({card % len(RANKS) for card in drawn.values()}, reverse=True)
    return [[seat for seat, card in drawn.items() if card % len(RANKS) == rank] for rank in ranks]
