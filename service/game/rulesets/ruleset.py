"""The fields of a ruleset: everything in which the printed sources differ, each with its source."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from service.game.cards import CardCode, Code

Seat: TypeAlias = Annotated[
    int,
    Meta(
        title="Seat",
        ge=0,
        le=7,
        description="A seat, counted clockwise around the table: the next seat is on the left.",
    ),
]
Side: TypeAlias = int
SeatsOfSide: TypeAlias = Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=8)]
Sides: TypeAlias = Annotated[
    tuple[SeatsOfSide, ...],
    Meta(
        title="Sides",
        min_length=2,
        max_length=8,
        description="The seats of each side, every seat once; the number of seats is the number of players.",
    ),
]
RulesetId: TypeAlias = Annotated[
    str,
    Meta(
        title="RulesetId",
        min_length=1,
        max_length=40,
        pattern=r"^[a-z][a-z0-9-]*\Z",
        description="The id of a ruleset, as listed by /v1/rulesets.",
    ),
]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=18)]
Players: TypeAlias = Annotated[int, Meta(title="Players", ge=2, le=8, description="The number of players, 2 to 8.")]
PRINTABLE: Final = r"^[^\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2027-\u202e\u2060-\u206f\ufeff]*\Z"
"""A text without control characters, line breaks, and marks that are invisible or turn the direction.

The range that begins with U+2027 names none of the line breaks U+2028 and U+2029, which generators would write raw.
"""
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60, pattern=PRINTABLE)]
Description: TypeAlias = Annotated[str, Meta(max_length=1000, pattern=PRINTABLE)]
Section: TypeAlias = Annotated[str, Meta(max_length=80, pattern=PRINTABLE)]
Saying: TypeAlias = Annotated[str, Meta(max_length=300, pattern=PRINTABLE)]
MAX_POINTS: Final = 100
"""The most points of an honour or a fine, so that every score has a bound."""
HousePoints: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_POINTS)]
MAX_DEALS: Final = 100
"""The most deals of a game, live, claimed or recorded, so every record has a bounded size.

Only a game in which revokes keep costing the points of the deal comes near.
"""


class TableRule(Struct, frozen=True, forbid_unknown_fields=True):
    """The table of a ruleset for one number of players."""

    players: Annotated[Players, Meta(description="The number of players at the table.")]
    hands: Annotated[Count, Meta(description="Hands dealt to each seat, played one after the other.")]
    cards: Annotated[Count, Meta(description="Cards in each hand.")]
    sides: Annotated[
        tuple[Players, ...],
        Meta(
            min_length=1,
            max_length=7,
            description="The numbers of sides allowed, the usual one first; seat s belongs to side s mod that number.",
        ),
    ]
    strip: Annotated[tuple[Code, ...], Meta(max_length=16, description="Cards taken out before the deal.")] = ()
    strip_choice: Annotated[
        tuple[Code, ...],
        Meta(max_length=8, description="If not empty: as many of these cards as `strip` has may be stripped instead."),
    ] = ()


class Honours(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """The worth of each honour, in points."""

    jack: Annotated[HousePoints, Meta(description="For the jack of trumps.")] = 11
    ten: Annotated[HousePoints, Meta(description="For the ten, of the suit that `ten` names.")] = 10
    ace: Annotated[HousePoints, Meta(description="For the ace of trumps.")] = 4
    king: Annotated[HousePoints, Meta(description="For the king of trumps.")] = 3
    queen: Annotated[HousePoints, Meta(description="For the queen of trumps.")] = 2


class Fine(Struct, frozen=True, forbid_unknown_fields=True):
    """A penalty in points: the side that revoked loses them, but never stands below zero."""

    fine: Annotated[int, Meta(ge=1, le=MAX_POINTS, description="The points that the side loses.")]
    to: Annotated[
        Literal["nobody", "others"], Meta(description="others: every other side gets as many; nobody: no side does.")
    ]


RevokePenalty: TypeAlias = Annotated[
    Literal["not_allowed", "loss_of_game", "loss_of_deal"] | Fine,
    Meta(
        title="RevokePenalty",
        description="The penalty for a revoke, or `not_allowed`: there is none, and the card is refused.",
    ),
]


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """The source of a rule, and what it says."""

    where: Annotated[Section, Meta(description="The source and its section.")] = "house rules"
    says: Annotated[Saying, Meta(description="What it says, in this service's words.")] = (
        "As the caller's ruleset has it."
    )
    reading: Annotated[bool, Meta(description="True where the source is silent and this project decides.")] = False


HOUSE: Final = Source()
PRINTED_HONOURS: Final = Honours()


class Sources(Struct, frozen=True, forbid_unknown_fields=True):
    """The source of each field of a ruleset."""

    tables: Annotated[Source, Meta(description="The source of `tables`.")] = HOUSE
    trump_rank: Annotated[Source, Meta(description="The source of `trump_rank`.")] = HOUSE
    three_at_a_time: Annotated[Source, Meta(description="The source of `three_at_a_time`.")] = HOUSE
    first_dealer: Annotated[Source, Meta(description="The source of `first_dealer`.")] = HOUSE
    opening_lead: Annotated[Source, Meta(description="The source of `opening_lead`.")] = HOUSE
    following: Annotated[Source, Meta(description="The source of `following`.")] = HOUSE
    void: Annotated[Source, Meta(description="The source of `void`.")] = HOUSE
    revoke: Annotated[Source, Meta(description="The source of `revoke`.")] = HOUSE
    card_points: Annotated[Source, Meta(description="The source of `card_points`.")] = HOUSE
    honours: Annotated[Source, Meta(description="The source of `honours`.")] = HOUSE
    ten: Annotated[Source, Meta(description="The source of `ten`.")] = HOUSE
    target: Annotated[Source, Meta(description="The source of `target`.")] = HOUSE
    winning: Annotated[Source, Meta(description="The source of `winning`.")] = HOUSE
    deals: Annotated[Source, Meta(description="The source of `deals`.")] = HOUSE
    ties: Annotated[Source, Meta(description="The source of `ties`.")] = HOUSE


class Ruleset(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, cache_hash=True):
    """A game of the family: everything in which the sources differ."""

    id: Annotated[RulesetId, Meta(description="The id of the ruleset; give changed rules an id of their own.")]
    name: Annotated[Name, Meta(description="The name of the ruleset, for people.")]
    description: Annotated[
        Description, Meta(description="What sets the ruleset apart, and how this project reads it, for people.")
    ] = ""
    tables: Annotated[
        tuple[TableRule, ...], Meta(min_length=1, max_length=7, description="One table for each number of players.")
    ]
    trump_rank: Annotated[
        Literal["jack_high", "ace_high"],
        Meta(description="Rank of trumps; jack_high: J A K Q T 9 8 7 6; ace_high: A K Q J T 9 8 7 6."),
    ] = "jack_high"
    three_at_a_time: Annotated[bool, Meta(description="True if the dealer may deal three cards at a time.")]
    first_dealer: Annotated[
        Literal["anyone", "highest_card", "lot", "cut"],
        Meta(
            description="How the source finds the first dealer: anyone, or by the highest card drawn, by lot or by a "
            "cut. For people to read: a table may use cards of its own and name the dealer, and where none is named, "
            "the service draws."
        ),
    ]
    opening_lead: Annotated[
        Literal["any_card", "no_trump"],
        Meta(
            description="The first lead of a deal; no_trump: a plain suit, unless eldest hand holds nothing but trumps."
        ),
    ]
    following: Annotated[Literal["if_able"], Meta(description="A seat follows the suit led if it is able.")] = "if_able"
    void: Annotated[
        Literal["any_card", "trump_if_able"],
        Meta(
            description="The cards that a seat void in the suit led may play; trump_if_able: a trump if it holds one."
        ),
    ]
    revoke: Annotated[
        RevokePenalty,
        Meta(
            description="The penalty for a revoke, which ends the deal. not_allowed: the source names none, so the "
            "card is refused; loss_of_deal: the side counts nothing for the deal; or a fine in points."
        ),
    ]
    card_points: Annotated[
        Literal["above_share", "tricks", "none"],
        Meta(
            description="above_share: a point for each card above the side's share; tricks: a point for each trick; "
            "none: honours alone count. The share is the number of cards dealt to the side, in all hands of the deal."
        ),
    ]
    honours: Annotated[Honours, Meta(description="What the honours are worth, in points.")] = PRINTED_HONOURS
    ten: Annotated[
        Literal["trumps", "diamonds"], Meta(description="The ten that is an honour: the ten of trumps or of diamonds.")
    ]
    target: Annotated[int, Meta(ge=1, le=1000, description="The score that is game, in points.")] = 41
    winning: Annotated[
        Literal["counting_order", "highest_score", "at_once"],
        Meta(
            description="Who wins when game is reached. at_once: the side that reaches it, in the middle of a deal. "
            "counting_order: after the deal, the side that is first there in the counting order. highest_score: after "
            "the deal, the highest score."
        ),
    ]
    deals: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_DEALS)] | None,
        Meta(
            description="The deals after which the game ends, and the highest score wins, unless a side reached "
            "`target` before; set that to 1000 to play all of them. null: they are 100, as many as a game can have."
        ),
    ] = None
    ties: Annotated[
        Literal["shared", "play_on"],
        Meta(
            description="Sides that are still level when the game is won. shared: they win together; play_on: the game "
            "is not won yet, and another deal decides, in which the highest score wins: in counting order the "
            "highest of the sides that were level, below whom every other side begins, else the highest of all. After "
            "deal 100 they win together."
        ),
    ] = "shared"
    sources: Annotated[Sources, Meta(description="The source of each field.")] = field(default_factory=Sources)


Rules: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)] | Ruleset
"""A ruleset's id, or a whole ruleset. An id of another form than any has is told the ids that there are."""


def alone(players: int, hands: int, cards: int, strip: tuple[CardCode, ...] = ()) -> TableRule:
    """Return a table at which each player plays alone."""
    return TableRule(players, hands, cards, (players,), strip)


SIXES: Final[tuple[CardCode, ...]] = ("6C", "6D", "6H", "6S")
