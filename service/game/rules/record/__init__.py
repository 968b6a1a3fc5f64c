"""The record of a whole game: the rules, the sides, and every deal with its plays."""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from service.game.cards import Code
from service.game.rules import play
from service.game.rulesets import MAX_DEALS, Rules, Seat, Sides
from service.game.state import HandClaim, LaterHands, Scores, Seed

MAX_PLAYS: Final = 40
PlayIndex: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_PLAYS - 1)]


class RecordedPlay(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A card that was played, and the seat that played it."""

    seat: Annotated[Seat, Meta(description="The seat that played.")]
    card: Annotated[Code, Meta(description="The card that it played.")]


class Proof(Struct, frozen=True, forbid_unknown_fields=True):
    """The opening of a commitment to a shuffle, from which anyone can deal the same cards again."""

    commitment: Annotated[
        str, Meta(pattern=r"^[0-9a-f]{64}\Z", description="The hash of the secret, shown before the deal.")
    ]
    secret: Annotated[Seed, Meta(description="The secret, shown after the deal.")]
    entropy: Annotated[
        tuple[Annotated[str, Meta(pattern=r"^[A-Za-z0-9._~-]{0,128}\Z")], ...],
        Meta(
            min_length=2,
            max_length=8,
            description="By seat: the entropy that it added before the deal; empty for none.",
        ),
    ]
    strip: Annotated[tuple[Code, ...], Meta(max_length=16, description="The cards taken out of the pack.")]
    three_at_a_time: Annotated[bool, Meta(description="True if the cards were dealt three at a time.")]
    dealer_drawn: Annotated[
        bool,
        Meta(
            description="True in the first deal of a game whose first dealer was drawn: that draw follows from the "
            "secret, too."
        ),
    ] = False


class FoundRevoke(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A play that was found to be a revoke later; with `on_revoke: penalise` it is penalised then."""

    play_index: Annotated[PlayIndex, Meta(description="The play that was a revoke, counted from 0.")]
    after_index: Annotated[PlayIndex, Meta(description="The play after which it was found, counted from 0.")]


class RecordedDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """A deal as it was dealt and played."""

    dealer: Annotated[Seat, Meta(description="The seat that dealt.")]
    turn_up: Annotated[Code, Meta(description="The last card dealt, whose suit is trump.")]
    hands: Annotated[
        tuple[HandClaim, ...],
        Meta(
            min_length=2,
            max_length=8,
            description="By seat: the first hand, as dealt, or the number of its cards; what is played of it is known.",
        ),
    ]
    plays: Annotated[tuple[RecordedPlay, ...], Meta(max_length=MAX_PLAYS, description="Every play, in order.")]
    later_hands: Annotated[
        tuple[LaterHands, ...],
        Meta(max_length=8, description="By seat: the hands after the first, as dealt; [] if there are none."),
    ] = ()
    revokes_found: Annotated[
        tuple[FoundRevoke, ...],
        Meta(
            max_length=MAX_PLAYS,
            description="The plays that the table found to be revokes; it is believed unless they were legal.",
        ),
    ] = ()
    proof: Annotated[Proof | None, Meta(description="The proof of the deal; an adjudication does not examine it.")] = (
        None
    )


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """A game, or a part of one: the rules, the sides, and every deal with its plays."""

    rules: Annotated[Rules, Meta(title="Rules", description="A ruleset's id, or a whole ruleset (house rules).")]
    sides: Annotated[Sides, Meta(description="The seats of each side.")]
    deals: Annotated[
        tuple[RecordedDeal, ...],
        Meta(max_length=MAX_DEALS, description="The deals, in order; the last may end before it is played out."),
    ]
    on_revoke: Annotated[
        play.OnRevoke,
        Meta(description="refuse: an illegal card is reported and the record read on; penalise: it ends the deal."),
    ] = "refuse"
    deal: Annotated[
        int,
        Meta(ge=1, le=MAX_DEALS, description="The number of the first of these deals in its game, from 1."),
    ] = 1
    scores: Annotated[
        Scores | None, Meta(description="By side: the game scores before the first of these deals; 0 if left out.")
    ] = None
    resigned: Annotated[
        Seat | None, Meta(description="The seat that resigned after the last play; null if none did.")
    ] = None
