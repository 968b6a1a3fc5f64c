"""The verdict on a card: legal or not, and by which rule of which source."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.cards import SUIT_OF, CardCode, Code, card_code, mask_codes
from service.rules import follow
from service.rulesets import Ruleset, Seat, cite
from service.state import State
from service.wire.scalars import Cards

RuleField: TypeAlias = Literal["opening_lead", "following", "void", "revoke", "winning", "deals", "ties"]

_FIELD_OF: dict[follow.Reason, RuleField] = {
    "must_follow_suit": "following",
    "must_trump": "void",
    "no_trump_lead": "opening_lead",
}
_SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")


class Rule(Struct, frozen=True, gc=False):
    """The rule that decided: a field of the ruleset, and its source."""

    ruleset: Annotated[str, Meta(description="The id of the ruleset.")]
    field: Annotated[RuleField, Meta(description="The field of the ruleset that decided.")]
    source: Annotated[str, Meta(description="The source and its section.")]
    says: Annotated[str, Meta(description="What the source says, in the words of this service.")]
    reading: Annotated[bool, Meta(description="True if the source is silent and this project decides.")]


class Verdict(Struct, frozen=True, gc=False):
    """The verdict on a card: legal or not, and why not."""

    seat: Annotated[Seat, Meta(description="The seat that was to play the card.")]
    card: Annotated[Code, Meta(description="The card.")]
    legal: Annotated[bool, Meta(description="True if the card may be played.")]
    reason: Annotated[follow.Reason | None, Meta(description="Why the card may not be played; null for a legal card.")]
    rule: Annotated[
        Rule | None,
        Meta(description="The rule that forbids the card; null for a legal card, and for one that is not in the hand."),
    ]
    detail: Annotated[str, Meta(description="The verdict as a sentence, with the facts used.")]
    legal_cards: Annotated[
        Cards | None, Meta(description="The cards that may be played; null if a hidden hand decides.")
    ]


def write_rule(ruleset: Ruleset, field: RuleField) -> Rule:
    """Write a rule with its source."""
    source = cite(ruleset, field)
    return Rule(ruleset.id, field, source.where, source.says, source.reading)


def write_verdict(state: State, verdict: follow.Verdict) -> Verdict:
    """Write a verdict on a card in the state that it was judged in."""
    legal = verdict.legal_cards
    return _write_verdict(state, verdict, None if legal is None else mask_codes(legal))


def write_verdicts(state: State, verdicts: tuple[follow.Verdict, ...]) -> tuple[Verdict, ...]:
    """Write the verdicts on the cards of one hand: the same cards of it are legal in each."""
    legal = verdicts[0].legal_cards
    codes = None if legal is None else mask_codes(legal)
    return tuple([_write_verdict(state, verdict, codes) for verdict in verdicts])


def _write_verdict(state: State, verdict: follow.Verdict, legal: tuple[CardCode, ...] | None) -> Verdict:
    reason = verdict.reason
    return Verdict(
        verdict.seat,
        card_code(verdict.card),
        reason is None,
        reason,
        write_rule(state.table.ruleset, _FIELD_OF[reason]) if reason in _FIELD_OF else None,
        _detail(state, verdict),
        legal,
    )


def _detail(state: State, verdict: follow.Verdict) -> str:
    card, seat = card_code(verdict.card), verdict.seat
    if verdict.reason is None:
        return f"Seat {seat} may play {card}."
    if verdict.reason == "not_in_hand":
        return f"Seat {seat} does not hold {card}."
    trumps = _SUIT_NAMES[state.trump]
    if verdict.reason == "no_trump_lead":
        return f"Seat {seat} opens the deal and holds a plain suit, so it may not lead {card}: {trumps} are trumps."
    led = card_code(state.trick[0])
    suit = _SUIT_NAMES[SUIT_OF[state.trick[0]]]
    if verdict.reason == "must_follow_suit":
        return f"{led} was led and seat {seat} holds {suit}, so it may not play {card}."
    return f"{led} was led, seat {seat} is void in {suit} and holds {trumps}, so it must trump and may not play {card}."
