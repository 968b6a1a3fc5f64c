"""A shuffle of our own, the same on every machine and in every language: a seed names one order for ever.

The stream: block i (0, 1, 2 …) is SHA-256 of the ASCII text `catch-the-ten/PURPOSE/SEED/i`; its 32 bytes are
used one after the other, block after block. A number below n is the next byte modulo n, where bytes of
256 - 256 mod n and above are passed over, so that every number is equally likely.
The shuffle: the cards in the order of the pack (6C … AC, 6D … AD, 6H … AH, 6S … AS, without the strip); for
i from the last place down to 1, a number j below i + 1 is drawn and the cards at i and j change places.
Test vectors: tests/vectors/deals.json.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Literal, TypeAlias

from service.cards import FULL_PACK, RANKS, Card, Mask, cards_of
from service.state import Seed

Purpose: TypeAlias = Literal["deal", "draw"]


def _stream(purpose: Purpose, seed: Seed) -> Iterator[int]:
    block = 0
    while True:
        yield from sha256(f"catch-the-ten/{purpose}/{seed}/{block}".encode("ascii")).digest()
        block += 1


def _below(limit: int, stream: Iterator[int]) -> int:
    fair = 256 - 256 % limit
    byte = next(stream)
    while byte >= fair:
        byte = next(stream)
    return byte % limit


def _shuffled(cards: Mask, stream: Iterator[int]) -> list[Card]:
    order = list(cards_of(cards))
    for place in range(len(order) - 1, 0, -1):
        other = _below(place + 1, stream)
        order[place], order[other] = order[other], order[place]
    return order


def shuffle(pack: Mask, seed: Seed) -> list[Card]:
    """Shuffle a pack for a deal.

    Shape: the first card of the result is dealt first.
    Errors: total for a seed of ASCII.
    """
    return _shuffled(pack, _stream("deal", seed))


def draw(players: int, seed: Seed) -> tuple[list[dict[int, Card]], int]:
    """Draw for the first deal: each seat a card, the highest deals, aces high; seats that tie for it draw again.

    Shape: for each round the card of every seat that drew, then the dealer's seat.
    Errors: total; a pack too short for another round is gathered and shuffled again.
    Source: lots-of-kids (highest card); the redraw is this project's reading.
    """
    stream = _stream("draw", seed)
    rounds: list[dict[int, Card]] = []
    pack: list[Card] = []
    seats = list(range(players))
    while len(seats) > 1:
        if len(pack) < len(seats):
            pack = _shuffled(FULL_PACK, stream)
        drawn = {seat: pack.pop(0) for seat in seats}
        rounds.append(drawn)
        highest = max(card % len(RANKS) for card in drawn.values())
        seats = [seat for seat, card in drawn.items() if card % len(RANKS) == highest]
    return rounds, seats[0]


def commit(secret: Seed) -> str:
    """Commit to a secret before the deal: SHA-256 of `catch-the-ten/commitment/SECRET`, in hexadecimal."""
    return sha256(f"catch-the-ten/commitment/{secret}".encode("ascii")).hexdigest()


def seed_from(secret: Seed, entropy: tuple[str, ...]) -> Seed:
    """Make the seed of a provable deal: SHA-256 of `catch-the-ten/seed/SECRET/E0/E1/…`, in hexadecimal.

    Shape: `entropy` by seat, each of the alphabet of a seed (which has no slash), empty where a seat gave none.
    """
    return sha256("/".join(("catch-the-ten/seed", secret, *entropy)).encode("ascii")).hexdigest()
