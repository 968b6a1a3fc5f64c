"""A question about the hand to play: of a state, or a bare hand."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from service.game.cards import Code, Suit
from service.game.faults import Fault, Impossible
from service.game.rules.bare import BareHand, read_bare_hand
from service.game.rules.judgment import Judgment
from service.game.rulesets import Players, Rules
from service.game.state import State
from service.schemas.described_state import StateOrNotation, admit_described
from service.schemas.refusal import refuse, refuse_faults
from service.schemas.verdict import Verdict, write_bare_verdict


class HandQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """The hand to play: of a `state`, or bare, by `rules`, `trump`, `trick` and `hand`."""

    state: Annotated[
        StateOrNotation | None, Meta(description="A state, whose seat to play has the hand; in place of all else.")
    ] = None
    rules: Annotated[
        Rules | None,
        Meta(title="Rules", description="Of a bare hand: a ruleset's id, or a whole ruleset."),
    ] = None
    players: Annotated[
        Players | None,
        Meta(description="Of a bare hand: the number of players. It decides only where no trump may open a deal."),
    ] = None
    trump: Annotated[Suit | None, Meta(description="Of a bare hand: the trump suit.")] = None
    trick: Annotated[
        Annotated[tuple[Code, ...], Meta(max_length=8)] | None,
        Meta(description="Of a bare hand: the cards of the trick so far, in order; [] if the hand leads."),
    ] = None
    hand: Annotated[
        Annotated[tuple[Code, ...], Meta(min_length=1, max_length=18)] | None,
        Meta(description="Of a bare hand: all its cards, in any order."),
    ] = None


_FACTS: Final = ("rules", "trump", "trick", "hand")
"""The fields that every bare hand needs."""


def admit_without_hand_fields(described: StateOrNotation, body: HandQuestion) -> State:
    """Admit the state of a question without any field of a bare hand.

    Errors: Refusal, with every fault found.
    """
    beside = [name for name in (*_FACTS, "players") if getattr(body, name) is not None]
    if beside:
        detail = "A state fixes this already; leave it out, or `state`."
        raise refuse_faults(tuple([Fault("fields_contradict", (name,), detail) for name in beside]))
    return admit_described(described)


def read_bare(body: HandQuestion) -> BareHand:
    """Return the bare hand of a question without a state.

    Errors: Refusal, with every fault found.
    """
    if body.rules is None or body.trump is None or body.trick is None or body.hand is None:
        missing = [name for name in _FACTS if getattr(body, name) is None]
        detail = "Without a `state`, a bare hand needs `{}`."
        raise refuse_faults(tuple([Fault("missing_field", (), detail.format(name)) for name in missing]))
    try:
        return read_bare_hand(body.rules, body.players, body.trump, body.trick, body.hand)
    except Impossible as exc:
        raise refuse(exc) from exc


def write_bare(held: BareHand, judged: Judgment) -> Verdict:
    """Write the verdict on a card of a bare hand; the number of players decides between fitting tables."""
    return write_bare_verdict(held.cases[0], judged, "players" if len(held.tables) > 1 else "state")
