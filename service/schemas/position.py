"""The position: a state, and everything that follows from it."""

from operator import add
from typing import Annotated

from msgspec import Meta, Struct

from service.game.cards import SUITS, Suit
from service.game.notation.position import Notation, format_position
from service.game.rules import game, score, trick, verdicts
from service.game.rulesets import Seat
from service.game.state import Claim, State, hand_codes, to_claim
from service.schemas.scalars import Cards, DealPoints, PointsBySide, SideIndex


class Position(Struct, frozen=True, gc=False):
    """A state, and everything that follows from it."""

    state: Annotated[Claim, Meta(description="The state itself, which can be sent back unchanged.")]
    notation: Annotated[
        Notation | None, Meta(description="The state in one line; null under house rules, which no line holds.")
    ]
    phase: Annotated[game.Phase, Meta(description="The phase of the deal.")]
    trump: Annotated[Suit, Meta(description="The trump suit: the suit of the turn-up.")]
    turn: Annotated[Seat | None, Meta(description="The seat to play; null when none is.")]
    legal_cards: Annotated[
        Cards | None,
        Meta(description="The cards that it may play, in the order of its hand; null if its hidden hand decides."),
    ]
    trick_winner: Annotated[Seat | None, Meta(description="The seat that holds the current trick so far.")]
    points: Annotated[tuple[DealPoints, ...], Meta(description="By side: the points of this deal so far.")]
    totals: Annotated[PointsBySide, Meta(description="By side: the game score with the points of this deal.")]
    winners: Annotated[tuple[SideIndex, ...], Meta(description="The sides that have won the game; [] until then.")]


def write_position(state: State, notation: str | None = None) -> Position:
    """Write a state with everything that follows from it; its notation is made unless it is given."""
    made = score.points(state)
    totals = tuple(map(add, state.scores, made))
    outcome = game.won(state, totals)
    phase = game.phase(state, outcome)
    playing = phase == "playing"
    legal = verdicts.legal_cards(state) if playing else 0
    return Position(
        to_claim(state),
        notation or format_position(state),
        phase,
        SUITS[state.trump],
        state.seat_to_play if playing else None,
        None if legal is None else hand_codes(state, legal),
        trick.winner(state.trick, state.trump, state.leader, state.table.players, state.table.ruleset),
        made,
        totals,
        outcome.winners if outcome else (),
    )
