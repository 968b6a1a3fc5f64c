"""The games of the family as data: one ruleset per printed source, each field with its source.

A new ruleset is one entry here and its tests. `Table` is a ruleset laid for a number of seats, with every
look-up done once. What a source says stands in our own words; `reading` marks what it leaves to us.
"""

from functools import lru_cache
from itertools import combinations
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from service.cards import BIT, FULL_PACK, CardCode, Code, Mask
from service.faults import Fault, Impossible, Path

Seat: TypeAlias = Annotated[
    int, Meta(title="Seat", ge=0, le=7, description="A seat, clockwise round the table; the next is on the left.")
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
        pattern="^[a-z][a-z0-9-]*$",
        description="The id of a ruleset, as listed by GET /v1/rulesets.",
    ),
]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=18)]
Players: TypeAlias = Annotated[int, Meta(title="Players", ge=2, le=8, description="How many play, 2 to 8.")]
RevokePenalty: TypeAlias = Literal["not_allowed", "loss_of_game", "loss_of_deal"]
Words: TypeAlias = Annotated[str, Meta(max_length=1000)]


class TableRule(Struct, frozen=True, forbid_unknown_fields=True):
    """How a ruleset is laid for one number of players."""

    players: Players
    hands: Annotated[Count, Meta(description="Hands dealt to each seat, played one after the other.")]
    cards: Annotated[Count, Meta(description="Cards in each hand.")]
    sides: Annotated[
        tuple[Players, ...],
        Meta(
            min_length=1,
            max_length=7,
            description="The numbers of sides allowed, the usual one first; seat s is of side s mod that number.",
        ),
    ]
    strip: Annotated[tuple[Code, ...], Meta(max_length=16, description="Cards taken out before the deal.")] = ()
    strip_choice: Annotated[
        tuple[Code, ...],
        Meta(max_length=8, description="Cards of which the caller may strip as many instead."),
    ] = ()


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a rule comes from, and what is said there, in our words."""

    where: Annotated[Words, Meta(description="The source and its section.")] = "house rules"
    says: Annotated[Words, Meta(description="What it says, in this service's words.")] = (
        "As the caller's ruleset has it."
    )
    reading: Annotated[bool, Meta(description="True where the source is silent and this project decides.")] = False


HOUSE: Final = Source()


class Sources(Struct, frozen=True, forbid_unknown_fields=True):
    """The source of each field of a ruleset."""

    tables: Source = HOUSE
    trump_rank: Source = HOUSE
    three_at_a_time: Source = HOUSE
    first_dealer: Source = HOUSE
    opening_lead: Source = HOUSE
    following: Source = HOUSE
    void: Source = HOUSE
    revoke: Source = HOUSE
    card_points: Source = HOUSE
    ten: Source = HOUSE
    winning: Source = HOUSE


class Ruleset(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game of the family: everything in which the sources differ."""

    id: RulesetId
    name: Annotated[Words, Meta(min_length=1)]
    description: Words = ""
    tables: Annotated[tuple[TableRule, ...], Meta(min_length=1, max_length=7, description="By number of players.")]
    trump_rank: Annotated[
        Literal["jack_high", "ace_high"],
        Meta(description="Rank of trumps; jack_high: J A K Q T 9 8 7 6; ace_high: A K Q J T 9 8 7 6."),
    ] = "jack_high"
    three_at_a_time: Annotated[bool, Meta(description="Whether the dealer may deal three cards at a time.")]
    first_dealer: Annotated[
        Literal["anyone", "highest_card", "lot", "cut"], Meta(description="Who deals the first deal.")
    ]
    opening_lead: Annotated[
        Literal["any_card", "no_trump"],
        Meta(description="What eldest hand may lead to a deal; no_trump: a plain suit unless all are trumps."),
    ]
    following: Annotated[Literal["if_able"], Meta(description="Follow the suit led if able.")] = "if_able"
    void: Annotated[
        Literal["any_card", "trump_if_able"],
        Meta(description="What a seat void in the suit led may play; trump_if_able: a trump if it holds one."),
    ]
    revoke: Annotated[
        RevokePenalty,
        Meta(description="The penalty of a revoke; not_allowed: none is known, the card is refused."),
    ]
    card_points: Annotated[
        Literal["above_share", "tricks"],
        Meta(description="One point for each card above the side's share, or for each trick."),
    ]
    ten: Annotated[
        Literal["trumps", "diamonds"], Meta(description="Which ten scores 10: that of trumps or that of diamonds.")
    ]
    winning: Annotated[
        Literal["counting_order", "highest_score", "at_once"],
        Meta(description="When 41 counts and who wins when several reach it."),
    ]
    sources: Sources = field(default_factory=Sources)


Rules: TypeAlias = RulesetId | Ruleset


class Table(Struct, frozen=True):
    """A ruleset laid for a number of seats and their sides.

    Shape: `side_of` by seat; `share` and `sides` by side; `strips` the sets that may be out of the pack, the
    usual one first.
    Unit: `share`, `undealt` and `cards` count cards, `tricks` the tricks of a whole deal.
    """

    rules: Rules
    ruleset: Ruleset
    sides: Sides
    players: int
    hands: int
    cards: int
    tricks: int
    undealt: int
    strips: tuple[Mask, ...]
    side_of: tuple[Side, ...]
    share: tuple[int, ...]


def _alone(players: int, hands: int, cards: int, strip: tuple[CardCode, ...] = ()) -> TableRule:
    return TableRule(players, hands, cards, (players,), strip)


_SIXES: Final[tuple[CardCode, ...]] = ("6C", "6D", "6H", "6S")

_DENEXA: Final = Ruleset(
    id="denexa",
    name="Scotch Whist (Denexa Games)",
    description=(
        "Each plays alone; points are counted in a fixed order when the deal is over. "
        "This project's reading, where the source is silent: sides that reach 41 at the same step of the count "
        "are parted by the score at that step, then by the score after the whole count; still level, they win together."
    ),
    tables=(
        _alone(2, 1, 18),
        _alone(3, 1, 12),
        _alone(4, 1, 9),
        _alone(5, 1, 7, ("6C",)),
        _alone(6, 1, 6),
        _alone(7, 1, 5, ("6C",)),
    ),  # fmt: skip
    three_at_a_time=False,
    first_dealer="anyone",
    opening_lead="any_card",
    void="any_card",
    revoke="not_allowed",
    card_points="above_share",
    ten="trumps",
    winning="counting_order",
    sources=Sources(
        tables=Source(
            "denexa, Setup",
            "Two to seven players share the whole pack of 36 in one hand each; five and seven first discard the six of clubs.",
        ),
        trump_rank=Source(
            "denexa, Card ranking", "In trumps the jack is raised above the ace; the ten stays below the queen."
        ),
        three_at_a_time=Source("denexa, Setup", "The deal is described without packets: singly.", reading=True),
        first_dealer=Source("denexa, Setup", "Nothing is said of the first dealer: anyone.", reading=True),
        opening_lead=Source("denexa, Play of the hand", "The player left of the dealer leads; no card is barred."),
        following=Source("denexa, Play of the hand", "A player who holds the suit led must follow it."),
        void=Source("denexa, Play of the hand", "A player who cannot follow may play any card, a trump among them."),
        revoke=Source("denexa, Play of the hand", "Not following when able is not allowed; no penalty is named."),
        card_points=Source("denexa, Scoring", "One point for each card taken beyond the number dealt: 20 - 9 = 11."),
        ten=Source("denexa, Scoring", "The ten of trumps scores ten."),
        winning=Source(
            "denexa, Scoring",
            "When several pass 41 in a deal, the count runs ten, card points, ace, king, queen, jack; first there wins.",
        ),
    ),
)

_GAMERULES: Final = Ruleset(
    id="gamerules",
    name="Scotch Whist (GameRules)",
    description=(
        "Two to eight players, alone or in pairs; two or three players play several hands a deal. "
        "This project's reading, where the source is silent: 41 counts when the deal is over, in the counting order of "
        "denexa; sides level at the step that decides are parted by the score after the whole count, else win together."
    ),
    tables=(
        _alone(2, 3, 6),
        _alone(3, 2, 6),
        TableRule(4, 1, 9, (4, 2)),
        _alone(5, 1, 7, ("6S",)),
        TableRule(6, 1, 6, (6, 3)),
        _alone(7, 1, 5, ("6S",)),
        TableRule(8, 1, 4, (8, 4), _SIXES),
    ),  # fmt: skip
    three_at_a_time=False,
    first_dealer="anyone",
    opening_lead="any_card",
    void="any_card",
    revoke="not_allowed",
    card_points="above_share",
    ten="trumps",
    winning="counting_order",
    sources=Sources(
        tables=Source(
            "gamerules, The deal",
            "Three hands of 6 for two, two of 6 for three; 9, 7, 6, 5, 4 cards for four to eight, who strip the six of "
            "spades (5, 7) or all sixes (8); four, six and eight may form teams of two; later hands stay face down.",
        ),
        trump_rank=Source("gamerules, Card values", "The jack of trumps is the highest card of the deal."),
        three_at_a_time=Source("gamerules, The deal", "The deal is described without packets: singly.", reading=True),
        first_dealer=Source("gamerules, The deal", "Nothing is said of the first dealer: anyone.", reading=True),
        opening_lead=Source("gamerules, The play", "The player left of the dealer begins with any card."),
        following=Source("gamerules, The play", "Each player matches the suit led if able."),
        void=Source("gamerules, The play", "A player who cannot match it plays a trump or any other card."),
        revoke=Source("gamerules, The play", "Matching the suit is a duty; no penalty is named."),
        card_points=Source("gamerules, Scoring", "One point for each card captured beyond the number first dealt."),
        ten=Source("gamerules, Scoring", "The ten of trumps scores 10."),
        winning=Source(
            "gamerules, Scoring",
            "First to 41 wins; when two get there in one deal is not said: counted as denexa does.",
            reading=True,
        ),
    ),
)

_LOTS_OF_KIDS: Final = Ruleset(
    id="lots-of-kids",
    name="Scotch Whist (Lots of Kids)",
    description=(
        "Four to six players, each alone; eldest hand may not open with a trump; trumps rank as plain suits do, "
        "ace high; the highest score above 40 wins. "
        "This project's reading, where the source is silent: eldest hand with nothing but trumps leads any card; "
        "five players strip the six of clubs unless the caller names another six; players level at the top win "
        "together; players who tie for the highest card drawn draw again."
    ),
    tables=(
        _alone(4, 1, 9),
        TableRule(5, 1, 7, (5,), ("6C",), _SIXES),
        _alone(6, 1, 6),
    ),  # fmt: skip
    three_at_a_time=False,
    first_dealer="highest_card",
    trump_rank="ace_high",
    opening_lead="no_trump",
    void="any_card",
    revoke="not_allowed",
    card_points="above_share",
    ten="trumps",
    winning="highest_score",
    sources=Sources(
        tables=Source(
            "lots-of-kids, the deal",
            "Four, five or six players get nine, seven or six cards; five first remove one six.",
        ),
        trump_rank=Source(
            "lots-of-kids, the play; advice",
            "The highest trump wins, aces are high, and queens to aces of trumps beat jacks and tens: no jack is raised.",
        ),
        three_at_a_time=Source("lots-of-kids, the deal", "Cards are dealt one at a time."),
        first_dealer=Source("lots-of-kids, the deal", "Each draws a card; the highest deals."),
        opening_lead=Source("lots-of-kids, the play", "The card that opens the deal cannot be a trump."),
        following=Source("lots-of-kids, the play", "The next player must play a card of the same suit."),
        void=Source(
            "lots-of-kids, the play", "A player who cannot follow plays a trump, or another suit if she likes."
        ),
        revoke=Source("lots-of-kids, the play", "Following is a duty; no penalty is named."),
        card_points=Source("lots-of-kids, scoring", "One point for each card more than a player began with."),
        ten=Source("lots-of-kids, scoring", "The ten of trumps is worth 10."),
        winning=Source("lots-of-kids, scoring", "Above 40 after a deal wins; of several, the highest score."),
    ),
)

_TAKE_TEN: Final = Ruleset(
    id="take-ten",
    name="Scottish Whist (Take Ten)",
    description=(
        "Two to six players, each alone; the whole pack is used and what does not divide is not dealt; who cannot "
        "follow must trump. This project's reading, where the source is silent: cards are dealt singly; players level "
        "at the step of the count that decides are parted by the score after the whole count, else win together; "
        "players who tie for the highest card drawn draw again."
    ),
    tables=(
        _alone(2, 1, 10),
        _alone(3, 1, 10),
        _alone(4, 1, 9),
        _alone(5, 1, 7),
        _alone(6, 1, 6),
    ),  # fmt: skip
    three_at_a_time=False,
    first_dealer="lot",
    opening_lead="any_card",
    void="trump_if_able",
    revoke="not_allowed",
    card_points="above_share",
    ten="trumps",
    winning="counting_order",
    sources=Sources(
        tables=Source(
            "take-ten, Rules",
            "Ten cards each for two or three, 9, 7, 6 for four to six; cards left over are put aside.",
        ),
        trump_rank=Source("take-ten, Rules", "In trumps the jack is the highest card."),
        three_at_a_time=Source("take-ten, Rules", "The deal is described without packets: singly.", reading=True),
        first_dealer=Source("take-ten, Rules", "The first dealer is found by lot."),
        opening_lead=Source("take-ten, Rules", "The player left of the dealer starts with any card."),
        following=Source("take-ten, Rules", "Each puts a card of the suit led."),
        void=Source("take-ten, Rules", "Without that suit a trump must be put, and without a trump any card."),
        revoke=Source("take-ten, Rules", "Following and trumping are duties; no penalty is named."),
        card_points=Source("take-ten, Rules", "One point for each card taken beyond the number dealt."),
        ten=Source("take-ten, Rules", "The ten of trumps scores 10."),
        winning=Source(
            "take-ten, Rules",
            "When two reach 41 at once, the count runs ten, extra cards, ace, king, queen, jack; first there wins.",
        ),
    ),
)

_PARTNERS: Final = (
    _alone(2, 3, 6), _alone(3, 1, 6), TableRule(4, 1, 9, (2, 4)), _alone(5, 1, 7, ("6S",)),
    TableRule(6, 1, 6, (2, 3, 6)), _alone(7, 1, 5, ("6S",)), TableRule(8, 1, 4, (2, 8), _SIXES),
)  # fmt: skip

_TREBOR_SOURCES: Final = Sources(
    tables=Source(
        "trebor, Overview; Deal and play",
        "Four, six and eight form two teams in alternate seats, six also three pairs, and a later book lets each play "
        "alone; two get three hands of 6, three one of 6, four to eight 9, 7, 6, 5, 4; the six of spades (5, 7) or all "
        "sixes (8) are stripped.",
    ),
    trump_rank=Source("trebor, Overview", "Cards rank as at whist, but in trumps the jack is the highest."),
    three_at_a_time=Source("trebor, Deal and play", "Cards are dealt either singly or three at a time."),
    first_dealer=Source(
        "trebor, Deal and play", "The pack is cut; that the cut finds the dealer is read from this.", reading=True
    ),
    opening_lead=Source("trebor, Deal and play", "Eldest hand leads to the first trick with any card."),
    following=Source("trebor, Deal and play", "As at whist: a player must follow suit if able."),
    void=Source("trebor, Deal and play", "A player unable to follow suit may play any card."),
    revoke=Source(
        "trebor, Deal and play",
        "A revoke loses the game; a later book prefers the milder loss of the deal's points, the others scoring what "
        "they have made: set this field to loss_of_deal for that.",
    ),
    card_points=Source("trebor, Object", "One point for each card above the side's share: 32 - 18 = 14."),
    ten=Source("trebor, Object", "The ten of trumps scores 10."),
    winning=Source("trebor, Winning", "Forty-one is game, and may be reached in the middle of a hand."),
)

_TREBOR: Final = Ruleset(
    id="trebor",
    name="Catch the Ten (Trebor, 1830)",
    description=(
        "The oldest printed rules: partners where the number is even, 41 counts at once, a revoke loses the game. "
        "This project's reading, where the source is silent: loss of the game ends the game at once and every other "
        "side wins; under the milder penalty the deal ends at once, the revoking side counts 0 for it and the others "
        "count what they have taken so far."
    ),
    tables=_PARTNERS,
    three_at_a_time=True,
    first_dealer="cut",
    opening_lead="any_card",
    void="any_card",
    revoke="loss_of_game",
    card_points="above_share",
    ten="trumps",
    winning="at_once",
    sources=_TREBOR_SOURCES,
)

_FRENCH_WHIST: Final = Ruleset(
    id="french-whist",
    name="French Whist (Dick, 1885)",
    description=(
        "As trebor, but each trick scores 1 in place of card points, and the ten that scores is the ten of diamonds. "
        "This project's reading, where the source is silent: that ten scores 10 whatever is trump, and everything else is "
        "as in trebor, its readings included."
    ),
    tables=_PARTNERS,
    three_at_a_time=True,
    first_dealer="cut",
    opening_lead="any_card",
    void="any_card",
    revoke="loss_of_game",
    card_points="tricks",
    ten="diamonds",
    winning="at_once",
    sources=Sources(
        tables=_TREBOR_SOURCES.tables,
        trump_rank=_TREBOR_SOURCES.trump_rank,
        three_at_a_time=_TREBOR_SOURCES.three_at_a_time,
        first_dealer=_TREBOR_SOURCES.first_dealer,
        opening_lead=_TREBOR_SOURCES.opening_lead,
        following=_TREBOR_SOURCES.following,
        void=_TREBOR_SOURCES.void,
        revoke=_TREBOR_SOURCES.revoke,
        card_points=Source("trebor, French whist", "Tricks count as at whist, one point for each."),
        ten=Source(
            "trebor, French whist",
            "The ten of diamonds is a trump only when diamonds are; that it scores 10 whatever is trump is read from this.",
            reading=True,
        ),
        winning=_TREBOR_SOURCES.winning,
    ),
)

RULESETS: Final = {
    ruleset.id: ruleset for ruleset in (_DENEXA, _GAMERULES, _LOTS_OF_KIDS, _TAKE_TEN, _TREBOR, _FRENCH_WHIST)
}


def ruleset_faults(ruleset: Ruleset) -> tuple[Fault, ...]:
    """Tell everything that makes a caller's ruleset nonsense; paths start at the ruleset."""
    faults: list[Fault] = []
    seen: set[int] = set()
    for index, rule in enumerate(ruleset.tables):
        path: Path = ("tables", index)
        if rule.players in seen:
            detail = f"Another table of the ruleset is for {rule.players} players, too."
            faults.append(Fault("ruleset_table_twice", (*path, "players"), detail))
        seen.add(rule.players)
        faults += _table_faults(rule, path)
    return tuple(faults)


def _table_faults(rule: TableRule, path: Path) -> list[Fault]:
    faults: list[Fault] = []
    dealt, left = rule.players * rule.hands * rule.cards, 36 - len(set(rule.strip))
    if dealt > left:
        detail = f"{rule.players} players with {rule.hands} × {rule.cards} cards need {dealt}, the pack has {left}."
        faults.append(Fault("ruleset_too_many_cards", (*path, "cards"), detail))
    for at, sides in enumerate(rule.sides):
        if rule.players % sides:
            detail = f"{rule.players} seats do not form {sides} equal sides."
            faults.append(Fault("ruleset_uneven_sides", (*path, "sides", at), detail))
        if sides in rule.sides[:at]:
            faults.append(Fault("ruleset_sides_twice", (*path, "sides", at), f"{sides} sides stand twice."))
    for name, cards in (("strip", rule.strip), ("strip_choice", rule.strip_choice)):
        for at, code in enumerate(cards):
            if code[0] in "TJQKA":
                detail = f"{code} may be an honour, so it cannot be stripped."
                faults.append(Fault("ruleset_strips_honour", (*path, name, at), detail))
            if code in cards[:at]:
                faults.append(Fault("ruleset_strip_twice", (*path, name, at), f"{code} stands twice."))
    if rule.strip_choice and not set(rule.strip) <= set(rule.strip_choice):
        detail = "strip_choice must hold the cards of strip."
        faults.append(Fault("ruleset_strip_choice", (*path, "strip_choice"), detail))
    return faults


def find_ruleset(rules: Rules) -> Ruleset:
    """Find the ruleset of an id, or pass a caller's own.

    Errors: Impossible, with paths that start at the ruleset, for an unknown id or a nonsensical ruleset.
    """
    if isinstance(rules, str):
        ruleset = RULESETS.get(rules)
        if ruleset is None:
            detail = f"There is no ruleset {rules!r}; there are {', '.join(RULESETS)}."
            raise Impossible((Fault("unknown_ruleset", (), detail),))
        return ruleset
    if faults := ruleset_faults(rules):
        raise Impossible(faults)
    return rules


def arrange(players: int, sides: int) -> Sides:
    """Seat the players in that many sides, partners evenly spaced round the table."""
    return tuple(tuple(range(side, players, sides)) for side in range(sides))


def usual_sides(rules: Rules, players: int) -> Sides:
    """Seat so many players as the ruleset seats them by itself.

    Errors: Impossible, paths relative to the request's `rules` and `players`.
    """
    ruleset = _find_at(rules)
    return arrange(players, _table_rule(ruleset, players, ("players",)).sides[0])


def _find_at(rules: Rules) -> Ruleset:
    try:
        return find_ruleset(rules)
    except Impossible as exc:
        faults = tuple(Fault(fault.code, ("rules", *fault.path), fault.detail) for fault in exc.faults)
        raise Impossible(faults) from exc


def _table_rule(ruleset: Ruleset, players: int, path: Path) -> TableRule:
    for rule in ruleset.tables:
        if rule.players == players:
            return rule
    counts = ", ".join(str(rule.players) for rule in ruleset.tables)
    detail = f"{ruleset.id} has no table for {players} players; it has tables for {counts}."
    raise Impossible((Fault("players_not_in_ruleset", path, detail),))


@lru_cache(maxsize=1024)
def lay(rules: Rules, sides: Sides) -> Table:
    """Lay a ruleset for the seats of these sides, whatever the order of the sides and of the seats in each.

    Errors: Impossible, paths relative to a state (`rules`, `sides`).
    """
    ruleset = _find_at(rules)
    seats = [seat for side in sides for seat in side]
    players = len(seats)
    if sorted(seats) != list(range(players)):
        detail = f"The sides name seats {seats}; a table has each seat from 0 on exactly once."
        raise Impossible((Fault("seats_not_once_each", ("sides",), detail),))
    rule = _table_rule(ruleset, players, ("sides",))
    allowed = [arrange(players, count) for count in rule.sides]
    if {frozenset(side) for side in sides} not in [{frozenset(side) for side in seating} for seating in allowed]:
        names = "; ".join(str([list(side) for side in seating]) for seating in allowed)
        detail = f"{ruleset.id} does not seat {players} players so; it knows {names}."
        raise Impossible((Fault("partnership_not_in_ruleset", ("sides",), detail),))
    return Table(
        rules=rules,
        ruleset=ruleset,
        sides=sides,
        players=players,
        hands=rule.hands,
        cards=rule.cards,
        tricks=rule.hands * rule.cards,
        undealt=36 - len(rule.strip) - players * rule.hands * rule.cards,
        strips=_strips(rule),
        side_of=tuple(next(i for i, side in enumerate(sides) if seat in side) for seat in range(players)),
        share=tuple(len(side) * rule.hands * rule.cards for side in sides),
    )


def _strips(rule: TableRule) -> tuple[Mask, ...]:
    choices = [rule.strip, *combinations(rule.strip_choice, len(rule.strip))]
    return tuple(dict.fromkeys(sum(BIT[code] for code in strip) for strip in choices))


def pack_after(strip: Mask) -> Mask:
    """Tell the pack that is left when these cards are stripped."""
    return FULL_PACK & ~strip
