"""What a deal looks like: `Claim`, what somebody says of it, and `State`, a sound one.

A claim holds codes, as the wire does; a state holds numbers and masks. `service.rules.check.admit` is the
only door from the one to the other. Neither holds what follows from the rest: trump, turn, points, phase.
"""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from service.cards import CODES, SUIT_OF, Card, CardCode, Code, Mask, mask_codes
from service.rulesets import Rules, Seat, Side, Sides, Table

HandClaim: TypeAlias = Annotated[
    Annotated[tuple[Code, ...], Meta(max_length=18)] | Annotated[int, Meta(ge=0, le=18)],
    Meta(title="Hand", description="The cards of a hand, or, where it is not seen, how many they are."),
]
LaterHands: TypeAlias = Annotated[tuple[HandClaim, ...], Meta(max_length=17)]
Score: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]

Seed: TypeAlias = Annotated[
    str,
    Meta(
        title="Seed",
        pattern=r"^[A-Za-z0-9._~-]{1,128}\Z",
        description="What a shuffle is made from: the same seed gives the same cards, always.",
    ),
]

Hand: TypeAlias = int
"""The mask of a hand that is seen, or minus the number of cards of one that is not."""


DEALS_AT_MOST: Final = 100
"""A game, live or claimed or recorded, has at most so many deals, so that its record has a bounded size.

Only revokes that cost deal after deal its points make a game nearly so long.
"""


class Claim(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A deal as somebody describes it: only what cannot be derived from the rest."""

    rules: Annotated[Rules, Meta(title="Rules", description="A ruleset's id, or a whole ruleset (house rules).")]
    sides: Sides
    dealer: Seat
    deal: Annotated[int, Meta(ge=1, le=DEALS_AT_MOST, description="1 for the first deal of the game.")]
    scores: Annotated[
        tuple[Score, ...],
        Meta(min_length=2, max_length=8, description="By side: the game score before this deal."),
    ]
    turn_up: Annotated[Code, Meta(description="The last card dealt, the dealer's; its suit is trump.")]
    hands: Annotated[
        tuple[HandClaim, ...],
        Meta(
            min_length=2,
            max_length=8,
            description="By seat: the hand in play, without the cards already played.",
        ),
    ]
    later_hands: Annotated[
        tuple[LaterHands, ...],
        Meta(
            max_length=8,
            description="By seat: the hands not yet taken up, in order; [] where no seat has any.",
        ),
    ]
    leader: Annotated[Seat, Meta(description="The seat that leads, or led, the current trick.")]
    trick: Annotated[
        tuple[Code, ...],
        Meta(max_length=8, description="The cards of the current trick, in order from the leader."),
    ]
    taken: Annotated[
        tuple[Annotated[tuple[Code, ...], Meta(max_length=36)], ...],
        Meta(min_length=2, max_length=8, description="By side: the cards won in this deal."),
    ]
    revoked: Annotated[
        Seat | None,
        Meta(description="The seat whose revoke ended the deal or the game; its card lies last in the trick."),
    ]


class State(Struct, frozen=True, gc=False):
    """A sound deal: only `admit`, `deal` and `play` make one.

    Shape: `hands` and `later_hands` by seat, `scores` and `taken` by side, `trick` in order from the leader.
    Unit: `scores` in points.
    """

    table: Table
    dealer: Seat
    deal: int
    scores: tuple[int, ...]
    turn_up: Card
    hands: tuple[Hand, ...]
    later_hands: tuple[tuple[Hand, ...], ...]
    leader: Seat
    trick: tuple[Card, ...]
    taken: tuple[Mask, ...]
    revoked: Seat | None = None

    @property
    def trump(self) -> int:
        """The trump suit, 0 to 3: that of the turn-up."""
        return SUIT_OF[self.turn_up]

    @property
    def seat_to_play(self) -> Seat:
        """The seat whose card comes next, if any card does."""
        return (self.leader + len(self.trick)) % self.table.players

    @property
    def in_last_hands(self) -> bool:
        """Whether no seat has a hand left to take up."""
        return not self.later_hands

    @property
    def played_out(self) -> bool:
        """Whether every card dealt is taken."""
        return not (self.trick or self.later_hands or any(self.hands))


def hand_size(hand: Hand) -> int:
    """Count the cards of a hand, seen or not."""
    return -hand if hand < 0 else hand.bit_count()


def side_of(state: State, seat: Seat) -> Side:
    """Tell the side that a seat scores for."""
    return state.table.side_of[seat]


def describe(state: State) -> Claim:
    """Write a sound deal as a claim, its cards in the order of the pack."""
    return Claim(
        state.table.rules,
        state.table.sides,
        state.dealer,
        state.deal,
        state.scores,
        CODES[state.turn_up],
        tuple([-hand if hand < 0 else mask_codes(hand) for hand in state.hands]),
        tuple([tuple(map(describe_hand, hands)) for hands in state.later_hands]) if state.later_hands else (),
        state.leader,
        tuple([CODES[card] for card in state.trick]),
        tuple([mask_codes(cards) for cards in state.taken]),
        state.revoked,
    )


def describe_hand(hand: Hand) -> tuple[CardCode, ...] | int:
    """Write a hand as its cards, or as how many they are."""
    return -hand if hand < 0 else mask_codes(hand)
