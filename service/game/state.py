"""A deal in play: `Claim`, as a caller describes it, and `State`, known to be possible.

A claim holds codes, as JSON does; a state holds card numbers and masks. Neither holds derived facts: trump, turn,
points, phase.
"""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from service.game.cache import Cache
from service.game.cards import CODES, NUMBER, SUIT_OF, Card, CardCode, Code, Mask, mask_codes
from service.game.rulesets import MAX_DEALS, Rules, Seat, Side, Sides, Table

HandClaim: TypeAlias = Annotated[
    Annotated[tuple[Code, ...], Meta(max_length=18)] | Annotated[int, Meta(ge=0, le=18)],
    Meta(
        title="Hand",
        description="The cards of a hand or, if it is hidden, their number. Answers list the cards as a player holds "
        "them: trumps first, then the other suits in the circle spades, hearts, clubs, diamonds, each from high to "
        "low. Requests may have any order.",
    ),
]
LaterHands: TypeAlias = Annotated[tuple[HandClaim, ...], Meta(max_length=17)]
Score: TypeAlias = Annotated[int, Meta(ge=0, le=100_000)]
"""A game score; house rules cannot exceed it in 100 deals."""

Scores: TypeAlias = Annotated[
    tuple[Score, ...],
    Meta(title="GameScores", min_length=2, max_length=8, description="By side: the game scores, in points."),
]
StartingScores: TypeAlias = Annotated[
    tuple[Annotated[int, Meta(ge=0, le=999)], ...],
    Meta(
        title="StartingScores",
        min_length=2,
        max_length=8,
        description="By side: the scores with which a game begins, in points.",
    ),
]
"""Below the highest target."""

Seed: TypeAlias = Annotated[
    str,
    Meta(
        title="Seed",
        pattern=r"^[A-Za-z0-9._~-]{1,128}\Z",
        description="The start of a shuffle: the same seed always gives the same cards.",
    ),
]

Hand: TypeAlias = int
"""The mask of a hand that is seen, or minus the number of its cards if it is not."""


class Claim(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A deal in play. It holds only what cannot be derived: no trump, no turn, no points."""

    rules: Annotated[Rules, Meta(title="Rules", description="A ruleset's id, or a whole ruleset (house rules).")]
    sides: Annotated[Sides, Meta(description="The seats of each side.")]
    dealer: Annotated[Seat, Meta(description="The seat that dealt.")]
    deal: Annotated[int, Meta(ge=1, le=MAX_DEALS, description="The number of the deal, 1 for the first of the game.")]
    scores: Annotated[Scores, Meta(description="By side: the game score before this deal, in points.")]
    turn_up: Annotated[Code, Meta(description="The last card dealt, which is the dealer's; its suit is trump.")]
    hands: Annotated[
        tuple[HandClaim, ...],
        Meta(
            min_length=2,
            max_length=8,
            description="By seat: the hand in play, without the cards already played from it.",
        ),
    ]
    later_hands: Annotated[
        tuple[LaterHands, ...],
        Meta(
            max_length=8,
            description="By seat: the hands that are not in play yet, in order; [] if no seat has any.",
        ),
    ]
    leader: Annotated[Seat, Meta(description="The seat that leads, or led, the current trick.")]
    trick: Annotated[
        tuple[Code, ...],
        Meta(max_length=8, description="The cards of the current trick, in order from the leader."),
    ]
    taken: Annotated[
        tuple[Annotated[tuple[Code, ...], Meta(max_length=36)], ...],
        Meta(min_length=2, max_length=8, description="By side: the cards won in this deal; in answers, from 6C to AS."),
    ]
    revoked: Annotated[
        Seat | None,
        Meta(description="The seat whose revoke ended the deal or the game; its card is the last of the trick."),
    ]


class State(Struct, frozen=True, gc=False):
    """A deal in play, known to be possible.

    Four functions make one: `admit` of a claim, `deal` of a pack, `play_unchecked` of the state before and, with hidden
    hands, `past` of the deal before its first card. Others hide, show or move cards of a state that there is. The
    notation makes one that admission examines next, and `bare` one around a bare hand, which does not leave it.
    """

    table: Table
    """The table at which it is played."""
    dealer: Seat
    """The seat that dealt."""
    deal: int
    """The number of the deal, 1 for the first of the game."""
    scores: tuple[int, ...]
    """By side: the game score before this deal, in points."""
    turn_up: Card
    """The last card dealt, whose suit is trump."""
    hands: tuple[Hand, ...]
    """By seat: the hand in play, without the cards played from it."""
    later_hands: tuple[tuple[Hand, ...], ...]
    """By seat: the hands that are not in play yet, in order; () if there are none."""
    leader: Seat
    """The seat that leads, or led, the current trick."""
    trick: tuple[Card, ...]
    """The cards of the current trick, in order from the leader."""
    taken: tuple[Mask, ...]
    """By side: the cards won in this deal."""
    revoked: Seat | None = None
    """The seat whose revoke, the last of `trick`, ended the deal or game; else None."""

    @property
    def trump(self) -> int:
        """The trump suit, 0 to 3: the suit of the turn-up."""
        return SUIT_OF[self.turn_up]

    @property
    def seat_to_play(self) -> Seat:
        """The seat to play, while the deal is in play."""
        return (self.leader + len(self.trick)) % self.table.players

    @property
    def in_last_hands(self) -> bool:
        """True if no seat has later hands."""
        return not self.later_hands

    @property
    def played_out(self) -> bool:
        """True if every card dealt is taken."""
        return not (self.trick or self.later_hands or any(self.hands))


class Unexamined(Struct, frozen=True, gc=False):
    """A deal as a notation describes it, which may be impossible; only admission makes a state of it."""

    state: State


def hand_size(hand: Hand) -> int:
    """Return the number of cards of a hand, seen or not."""
    return -hand if hand < 0 else hand.bit_count()


def side_of(state: State, seat: Seat) -> Side:
    """Return the side that a seat scores for."""
    return state.table.side_of[seat]


def to_claim(state: State) -> Claim:
    """Return the claim that describes a state: its hands as players hold them, cards taken in the order of the pack."""
    held = state.table.hand_orders[SUIT_OF[state.turn_up]]
    return Claim(
        state.table.rules,
        state.table.sides,
        state.dealer,
        state.deal,
        state.scores,
        CODES[state.turn_up],
        tuple([held[hand] if hand >= 0 else -hand for hand in state.hands]),
        tuple([tuple([held[hand] if hand >= 0 else -hand for hand in later]) for later in state.later_hands]),
        state.leader,
        tuple([CODES[card] for card in state.trick]),
        tuple([_PILES[cards] for cards in state.taken]),
        state.revoked,
    )


def hand_codes(state: State, cards: Mask) -> tuple[CardCode, ...]:
    """Return the codes of cards of a hand in the order in which a player holds them in this deal."""
    return state.table.hand_orders[SUIT_OF[state.turn_up]][cards]


def hand_cards(state: State, cards: Mask) -> tuple[Card, ...]:
    """Return cards of a hand in the order in which a player holds them in this deal."""
    return tuple([NUMBER[code] for code in hand_codes(state, cards)])


_PILES: Final = Cache(mask_codes, 8192)
"""In the states of one game the same piles return again and again."""
