"""The verdict on a card: legal or not, with the rule and its source."""

from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from service.game.cards import CODES, SUIT_OF, CardCode, Code, card_code
from service.game.rules.judgment import Judgment, Reason, ReasonOfHand
from service.game.rulesets import RULESETS, Ruleset, Seat, cite
from service.game.state import State, hand_codes
from service.schemas.scalars import Cards

RuleField: TypeAlias = Annotated[
    Literal["opening_lead", "following", "void", "revoke", "winning", "deals", "ties"],
    Meta(title="RuleField", description="The field of the ruleset that decided."),
]

_FIELD_OF: dict[ReasonOfHand, RuleField] = {
    "must_follow_suit": "following",
    "must_trump": "void",
    "no_trump_lead": "opening_lead",
}
Missing: TypeAlias = Annotated[
    Literal["hand", "players", "state"],
    Meta(title="MissingFact", description="What decides, and is not known: a hidden hand, or a field left out."),
]
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")


class Rule(Struct, frozen=True, gc=False):
    """The rule that decided: a field of the ruleset, and its source."""

    ruleset: Annotated[str, Meta(description="The id of the ruleset.")]
    field: Annotated[
        RuleField | None,
        Meta(description="The field that decided; null for what no ruleset can change: a seat plays its own cards."),
    ]
    source: Annotated[str, Meta(description="The source and its section.")]
    says: Annotated[str, Meta(description="What the source says, in the words of this service.")]
    reading: Annotated[bool, Meta(description="True if the source is silent and this project decides.")]


class PossibleReason(Struct, frozen=True, gc=False):
    """A possible reason why a card is illegal, and the rule behind it."""

    reason: Annotated[ReasonOfHand, Meta(description="The reason, as in a verdict.")]
    rule: Annotated[Rule, Meta(description="The rule that forbids the card then.")]


class Verdict(Struct, frozen=True, gc=False):
    """The verdict on a card: legal or not, and why not."""

    seat: Annotated[
        Seat | None, Meta(description="The seat that was to play the card; null for a bare hand, which has no seat.")
    ]
    card: Annotated[Code, Meta(description="The card.")]
    legal: Annotated[bool, Meta(description="True if the card may be played; also if it is `undecided`.")]
    reason: Annotated[Reason | None, Meta(description="Why the card may not be played; null for a legal card.")]
    rule: Annotated[
        Rule | None,
        Meta(
            description="The rule that forbids the card, or may forbid it if it is `undecided` of a bare hand; null "
            "for a legal card and for `depends_on_hand`."
        ),
    ]
    detail: Annotated[str, Meta(description="The verdict as a sentence, with the facts used.")]
    legal_cards: Annotated[
        Cards | None,
        Meta(description="The cards that may be played, in the order of the hand; null if what is not known decides."),
    ]
    possible: Annotated[
        Annotated[tuple[PossibleReason, ...], Meta(min_length=2)] | None,
        Meta(
            description="With `depends_on_hand`, the reasons between which the hidden hand decides, else null. One of "
            "them applies in every case.",
        ),
    ] = None
    undecided: Annotated[
        bool,
        Meta(
            description="True only in an adjudication and for a bare hand: what is `missing` decides if the card is "
            "legal. It counts as legal."
        ),
    ] = False
    missing: Annotated[
        Missing | None,
        Meta(
            description="Of a card that is `undecided`, what decides: a hidden `hand`; for a bare hand the field to "
            "send, too, or in place of it. Else null."
        ),
    ] = None


def _cite(ruleset: Ruleset, field: RuleField) -> Rule:
    source = cite(ruleset, field)
    return Rule(ruleset.id, field, source.where, source.says, source.reading)


_PRINTED: Final = {
    (name, field): _cite(ruleset, field)
    for name, ruleset in RULESETS.items()
    for field in get_args(get_args(RuleField)[0])
}
"""The rules of the printed rulesets, whose ids are reserved."""


def write_rule(ruleset: Ruleset, field: RuleField) -> Rule:
    """Write a rule with its source."""
    return _PRINTED.get((ruleset.id, field)) or _cite(ruleset, field)


def write_verdict(state: State, verdict: Judgment) -> Verdict:
    """Write a verdict on a card in its state."""
    return _write_verdict(state, verdict, _write_legal(state, verdict), verdict.seat)


def write_verdicts(state: State, verdicts: tuple[Judgment, ...]) -> tuple[Verdict, ...]:
    """Write the verdicts on all cards of one hand; they share the list of legal cards."""
    codes = _write_legal(state, verdicts[0])
    return tuple([_write_verdict(state, verdict, codes, verdict.seat) for verdict in verdicts])


def write_bare_verdict(state: State, verdict: Judgment, missing: Missing) -> Verdict:
    """Write a verdict on a card of a bare hand; `missing` decides if nothing else does."""
    legal = _write_legal(state, verdict)
    if not verdict.undecided:
        return _write_verdict(state, verdict, legal, None)
    code, rule = CODES[verdict.card], _write_rule_of(state.table.ruleset, verdict.possible[0])
    detail = f"The hand may lead {code}, unless it opens the deal: send `{missing}`, which decides."
    return Verdict(None, code, True, None, rule, detail, legal, undecided=True, missing=missing)  # noqa: FBT003 # by place


def _write_legal(state: State, verdict: Judgment) -> tuple[CardCode, ...] | None:
    return None if verdict.legal_cards is None else hand_codes(state, verdict.legal_cards)


def _write_verdict(state: State, verdict: Judgment, legal: tuple[CardCode, ...] | None, seat: Seat | None) -> Verdict:
    reason, code, who = verdict.reason, CODES[verdict.card], "The hand" if seat is None else f"Seat {seat}"
    if verdict.undecided:
        detail = f"The hand of seat {seat}, which is not seen, decides if it may play {code}."
        return Verdict(seat, code, True, None, None, detail, legal, undecided=True, missing="hand")  # noqa: FBT003 # by place
    if reason is None:
        return Verdict(seat, code, True, None, None, f"{who} may play {code}.", legal)  # noqa: FBT003 # by place
    if reason == "depends_on_hand":
        return _write_open_verdict(state, verdict, legal)
    rule = _write_rule_of(state.table.ruleset, reason)
    return Verdict(seat, code, False, reason, rule, _detail(state, verdict, reason, who), legal)  # noqa: FBT003 # by place


def _write_rule_of(ruleset: Ruleset, reason: ReasonOfHand) -> Rule:
    if reason == "not_in_hand":
        return Rule(ruleset.id, None, "all sources", "A player plays only cards of the hand in play.", reading=False)
    return write_rule(ruleset, _FIELD_OF[reason])


def _write_open_verdict(state: State, verdict: Judgment, legal: tuple[CardCode, ...] | None) -> Verdict:
    """Write the verdict on a card that is illegal in any case, with every possible reason."""
    ruleset, code, who = state.table.ruleset, card_code(verdict.card), f"Seat {verdict.seat}"
    possible = tuple([PossibleReason(reason, _write_rule_of(ruleset, reason)) for reason in verdict.possible])
    cases = " Or: ".join(_detail(state, verdict, reason, who) for reason in verdict.possible)
    detail = f"{who} may not play {code}: no hidden hand makes it legal. {cases}"
    return Verdict(verdict.seat, code, False, verdict.reason, None, detail, legal, possible)  # noqa: FBT003 # by place


def _detail(state: State, verdict: Judgment, reason: ReasonOfHand, who: str) -> str:
    card = card_code(verdict.card)
    if reason == "not_in_hand":
        return f"{who} does not hold {card}."
    trumps = SUIT_NAMES[state.trump]
    if reason == "no_trump_lead":
        return f"{who} opens the deal and holds a plain suit, so it may not lead {card}: {trumps} are trumps."
    led = card_code(state.trick[0])
    suit, who = SUIT_NAMES[SUIT_OF[state.trick[0]]], who[0].lower() + who[1:]
    if reason == "must_follow_suit":
        return f"{led} was led and {who} holds {suit}, so it may not play {card}."
    return f"{led} was led, {who} is void in {suit} and holds {trumps}, so it must trump and may not play {card}."
