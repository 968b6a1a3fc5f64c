"""The record of a whole game: the rules, the sides, and every deal with its plays."""

from collections.abc import Iterable
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from service.game.cards import Code
from service.game.rules import play
from service.game.rulesets import MAX_DEALS, Rules, Seat, Sides
from service.game.state import HandClaim, LaterHands, Scores, Seed

MAX_PLAYS: Final = 40
MAX_TAGS: Final = 32
"""Tags that no rule reads, of a record, and of each deal."""
PlayIndex: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_PLAYS - 1)]


class RecordedPlay(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A card that was played, and the seat that played it."""

    seat: Annotated[Seat, Meta(description="The seat that played.")]
    card: Annotated[Code, Meta(description="The card that it played.")]


Commitment: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
"""The hash of a secret."""
EntropyBySeat: TypeAlias = Annotated[
    tuple[Annotated[str, Meta(pattern=r"^[A-Za-z0-9._~-]{0,128}\Z")], ...], Meta(min_length=2, max_length=8)
]
"""By seat: a text that it added to a shuffle; empty for none."""


class Proof(Struct, frozen=True, forbid_unknown_fields=True):
    """The opened commitment to a shuffle: anybody can deal the same cards again from it."""

    commitment: Annotated[Commitment, Meta(description="The hash of the secret, shown before the deal.")]
    secret: Annotated[Seed, Meta(description="The secret, shown after the deal.")]
    entropy: Annotated[
        EntropyBySeat, Meta(description="By seat: the entropy that it added before the deal; empty for none.")
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
    """A play found to be a revoke later; with `on_revoke: penalise` it is penalised then."""

    play_index: Annotated[PlayIndex, Meta(description="The play that was a revoke, counted from 0.")]
    after_index: Annotated[PlayIndex, Meta(description="The play after which it was found, counted from 0.")]


class RecordTag(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A tag of a record that no rule reads, such as the event, the date or the name of a player."""

    name: Annotated[str, Meta(pattern=r"^[A-Z][A-Za-z0-9_]{0,39}\Z", description="The name, as in Event or Name0.")]
    text: Annotated[str, Meta(max_length=400, description='The text; "?" is said of what is not known.')]

    def __post_init__(self) -> None:
        """Refuse the name of a field.

        Errors: ValueError, which the decoder reports with its place.
        """
        if is_field(self.name):
            raise ValueError(f"Invalid name of a tag: {self.name} is a field of records")


RecordTags: TypeAlias = Annotated[
    tuple[RecordTag, ...],
    Meta(
        min_length=1,
        max_length=MAX_TAGS,
        description="Tags that are kept and returned, and read by no rule: Event, Date, Result, Name0 for the player "
        "at seat 0, or any other name.",
    ),
]


class DealStart(Struct, frozen=True, forbid_unknown_fields=True):
    """The table at the first recorded play of a deal under way: the leader, the trick, and the cards taken."""

    leader: Annotated[Seat, Meta(description="The seat that leads, or led, the trick.")]
    trick: Annotated[
        tuple[Code, ...], Meta(max_length=7, description="The cards of the trick, in order from the leader.")
    ]
    taken: Annotated[
        tuple[Annotated[tuple[Code, ...], Meta(max_length=36)], ...],
        Meta(min_length=2, max_length=8, description="By side: the cards won in this deal before."),
    ]


class DealEnd(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The early end of a deal: a seat claimed the remaining cards, or conceded them."""

    how: Annotated[
        Literal["claim", "concession"],
        Meta(
            description="claim: the side of the seat takes all cards that were left; concession: of two sides, the "
            "other one."
        ),
    ]
    seat: Annotated[Seat, Meta(description="The seat that claimed or conceded.")]


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
            description="The plays that the table found to be revokes; it is believed unless they were legal. If "
            "several are found after the same play, the earliest of them is penalised.",
        ),
    ] = ()
    proof: Annotated[Proof | None, Meta(description="The proof of the deal; an adjudication does not examine it.")] = (
        None
    )
    tags: RecordTags | UnsetType = UNSET
    """Tags of the deal that no rule reads."""
    start: Annotated[
        DealStart | UnsetType,
        Meta(
            description="The table at the first of the plays, if the deal was under way: then `hands` and "
            "`later_hands` are what the seats held there."
        ),
    ] = UNSET
    ended_by: Annotated[
        DealEnd | UnsetType,
        Meta(description="The claim or concession after the last of the plays, if one ended the deal; it is believed."),
    ] = UNSET


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
    tags: RecordTags | UnsetType = UNSET
    """Tags that no rule reads."""


def tag_of(field: str) -> str:
    """Return the name of the tag of a field in a text: capitals in place of underscores."""
    return field.title().replace("_", "")


def is_field(tag: str) -> bool:
    """Return True if a tag names a field or the version, even in another case: a slip of the pen."""
    return tag.lower() in _TAGS_OF_FIELDS


def list_tags(tags: RecordTags | UnsetType) -> Iterable[RecordTag]:
    """Return the tags that no rule reads; none if the field is absent."""
    return () if isinstance(tags, UnsetType) else tags


_TAGS_OF_FIELDS: Final = {
    "catchtheten",
    *(tag_of(field).lower() for part in (Record, RecordedDeal) for field in part.__struct_fields__),
}
