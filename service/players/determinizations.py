"""Determinizations of the hidden hands, drawn so that each one that fits what is in sight is as likely as any other.

`service.game.rules.unseen` tells what is in sight. Hidden cards that no place distinguishes are one kind; places that
lack the same cards are one group. The number of cards of each kind for a group is drawn in proportion to the fillings
with that number; the rest is a shuffle.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate, compress, islice
from math import comb, factorial, prod
from random import Random
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from service.game.cards import BITS, Card, Mask, cards_of, mask_of
from service.game.generators import Sliced, run_to_end
from service.game.rules.unseen import UNCONSTRAINED, HandSlot, HiddenCards
from service.game.state import Hand, State

_PIECE: Final = 50
"""Counts between two yields: a part of a millisecond."""
_Rest: TypeAlias = tuple[int, int, int, tuple[int, ...]]
"""The cards and the room left.

Shape: a kind; a group; the number of cards of the kind for this and later groups; the room of each group for this and
later kinds.
"""


class _Group(NamedTuple):
    """Places that lack the same cards, each with the number of cards that it gets; None is off the table."""

    lacks: Mask
    places: tuple[tuple[HandSlot | None, int], ...]


class Chance(NamedTuple):
    """The chance of indistinguishable cards to be in a hand, as a count out of `of` equally likely fillings."""

    place: HandSlot
    cards: Mask
    times: int
    of: int


class Determinizations:
    """All fillings of the hidden hands of a state, unless a revoke has ended its deal.

    Shape: of what is shown of the hands, only what they lack counts.
    """

    def __init__(self, known: HiddenCards) -> None:
        self._known = known
        self._groups = _groups(known)
        self._kinds = [cards_of(kind) for kind in _kinds(self._known.cards, self._groups)]
        self._may_hold = [[not BITS[kind[0]] & group.lacks for group in self._groups] for kind in self._kinds]
        self._sizes = tuple(sum(size for _, size in group.places) for group in self._groups)
        self._counted: dict[_Rest, int] = {}
        self._weights: dict[_Rest, tuple[list[int], list[int]]] = {}

    def count(self) -> Sliced[int]:
        """Count the fillings, and yield now and then."""
        among_groups = 1
        if self._kinds:
            among_groups = yield from self._count((0, 0, len(self._kinds[0]), self._sizes))
        return among_groups * prod([_ways_among([size for _, size in group.places]) for group in self._groups])

    def chances(self) -> Sliced[list[Chance]]:
        """Return the chances of all cards in all hands, but for the turn-up; yield now and then.

        Errors: total if there is a filling.
        """
        if not self._kinds:
            return []
        every = yield from self._count((0, 0, len(self._kinds[0]), self._sizes))
        given = [[0] * len(self._groups) for _ in self._kinds]
        ways = {(0, 0, len(self._kinds[0]), self._sizes): 1}
        while ways:
            ways = yield from self._give_kind(ways, given)
        return [
            Chance(place, mask_of(tuple(kind)), given[at][group] * size, every * len(kind) * max(1, self._sizes[group]))
            for at, kind in enumerate(self._kinds)
            for group, (_, places) in enumerate(self._groups)
            for place, size in places
            if place is not None
        ]

    def _give_kind(self, ways: dict[_Rest, int], given: list[list[int]]) -> Sliced[dict[_Rest, int]]:
        """Give a kind to a group in every way; count the cards in all fillings, and return the continuations.

        Shape: `ways` lead to what is left, `given` is by kind and group.
        """
        onward: dict[_Rest, int] = {}
        for rest, before in ways.items():
            kind, group, left, sizes = rest
            if kind == len(self._kinds) - 1:
                fillings = before * (yield from self._count(rest))
                given[kind] = [cards + fillings * size for cards, size in zip(given[kind], sizes, strict=True)]
            elif group == len(sizes):
                after = kind + 1, 0, len(self._kinds[kind + 1]), sizes
                onward[after] = onward.get(after, 0) + (before if not left else 0)
            else:
                for gets, after in self._gifts(rest):
                    count = before * comb(left, gets)
                    given[kind][group] += gets * count * (yield from self._count(after))
                    onward[after] = onward.get(after, 0) + count
            if not len(onward) % _PIECE:
                yield
        return onward

    def draw(self, rng: Random) -> State:
        """Draw a state with all hands shown, each as likely as any other.

        Errors: total if there is a filling.
        """
        shares = self._draw_shares(rng)
        hands: dict[HandSlot, Mask] = {}
        for group, cards in zip(self._groups, shares, strict=True):
            rng.shuffle(cards)
            rest = iter(cards)
            for place, size in group.places:
                mine = sum(BITS[card] for card in islice(rest, size))
                if place is not None:
                    hands[place] = mine
        if self._known.turn_up:
            hands[self._known.last] |= self._known.turn_up
        return show_hands(self._known.state, hands)

    def _count(self, rest: _Rest) -> Sliced[int]:
        """Count the ways to give the rest of the cards."""
        if (ways := self._counted.get(rest)) is not None:
            return ways
        kind, group, left, sizes = rest
        if kind == len(self._kinds) - 1:
            # Only these cards are left for the room.
            barred = any(compress(sizes, [at < group or not may for at, may in enumerate(self._may_hold[kind])]))
            ways = 0 if barred else _ways_among(sizes)
        elif group == len(sizes):
            ways = 0 if left else (yield from self._count((kind + 1, 0, len(self._kinds[kind + 1]), sizes)))
        else:
            ways = 0
            for gets, after in self._gifts(rest):
                ways += comb(left, gets) * (self._counted.get(after) or (yield from self._count(after)))
        self._counted[rest] = ways
        if not len(self._counted) % _PIECE:
            yield
        return ways

    def _gifts(self, rest: _Rest) -> Iterator[tuple[int, _Rest]]:
        """List how many cards of the kind the group may get, each with the rest."""
        kind, group, left, sizes = rest
        may_hold = self._may_hold[kind]
        most = min(left, sizes[group]) if may_hold[group] else 0
        # It must get the cards that later groups have no room for.
        least = max(0, left - sum(compress(sizes[group + 1 :], may_hold[group + 1 :])))
        for gets in range(least, most + 1):
            yield gets, (kind, group + 1, left - gets, _less(sizes, group, gets))

    def _draw_shares(self, rng: Random) -> list[list[Card]]:
        """Draw the cards that each group gets."""
        shares: list[list[Card]] = [[] for _ in self._groups]
        sizes = self._sizes
        for kind, cards in enumerate(self._kinds):
            rest = rng.sample(cards, len(cards))
            for group in range(len(shares)):
                gets = self._draw_gets((kind, group, len(rest), sizes), rng)
                shares[group] += rest[:gets]
                rest, sizes = rest[gets:], _less(sizes, group, gets)
        return shares

    def _draw_gets(self, rest: _Rest, rng: Random) -> int:
        """Draw how many cards of the kind the group gets."""
        if rest not in self._weights:
            gifts = [(gets, comb(rest[2], gets) * run_to_end(self._count(after))) for gets, after in self._gifts(rest)]
            self._weights[rest] = [gets for gets, _ in gifts], list(accumulate([ways for _, ways in gifts]))
        gets, weights = self._weights[rest]
        return rng.choices(gets, cum_weights=weights)[0]


def _ways_among(sizes: Sequence[int]) -> int:
    """Count the ways to divide cards among places of these sizes."""
    return factorial(sum(sizes)) // prod(map(factorial, sizes))


def _groups(known: HiddenCards) -> list[_Group]:
    """Group the places with hidden cards, those off the table among them."""
    by_lack: dict[Mask, list[tuple[HandSlot | None, int]]] = {}
    for place, size in _places(known.state):
        gets = size - (1 if known.turn_up and place == known.last else 0)
        lacks = known.shown.get(place, UNCONSTRAINED).lacks
        by_lack.setdefault(lacks, []).append((place, gets))
    stripped, among = known.strip
    dealt = sum(gets for places in by_lack.values() for _, gets in places)
    by_lack.setdefault(0, []).append((None, known.cards.bit_count() - dealt - stripped))
    if stripped:
        by_lack.setdefault(known.cards & ~among, []).append((None, stripped))
    return [_Group(lacks, tuple(places)) for lacks, places in by_lack.items()]


def _places(state: State) -> Iterator[tuple[HandSlot, int]]:
    """Name each hidden hand, and the number of its cards."""
    for seat, hand in enumerate(state.hands):
        later = state.later_hands[seat] if state.later_hands else ()
        yield from (((seat, at), -hidden) for at, hidden in enumerate((hand, *later)) if hidden < 0)


def _kinds(cards: Mask, groups: list[_Group]) -> list[Mask]:
    """Divide cards into groups of indistinguishable ones."""
    kinds = [cards]
    for group in groups:
        kinds = [part for kind in kinds for part in (kind & group.lacks, kind & ~group.lacks)]
    # The largest last: the room left by the others settles it.
    return sorted([kind for kind in kinds if kind], key=int.bit_count)


def _less(sizes: tuple[int, ...], group: int, gets: int) -> tuple[int, ...]:
    return (*sizes[:group], sizes[group] - gets, *sizes[group + 1 :])


def show_hands(state: State, hands: dict[HandSlot, Mask]) -> State:
    """Return a state in which these hands have these cards."""

    def shown(seat: int, at: int, hand: Hand) -> Hand:
        return hands.get((seat, at), hand)

    return replace(
        state,
        hands=tuple([shown(seat, 0, hand) for seat, hand in enumerate(state.hands)]),
        later_hands=tuple(
            [
                tuple([shown(seat, at, hand) for at, hand in enumerate(later, start=1)])
                for seat, later in enumerate(state.later_hands)
            ]
        ),
    )
