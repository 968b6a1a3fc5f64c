"""POST /v1/trick-winners: the winner of the trick of a state, or of a bare trick."""

from collections.abc import Iterator
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from service.game.cards import NUMBER, SUITS, Card, Code, Suit, card_code, mask_of
from service.game.faults import Fault, Impossible
from service.game.rules import score, trick
from service.game.rulesets import Players, Rules, Seat, Side, Table, make_table, usual_sides
from service.game.state import State
from service.http.operation import ADMIT_PROBLEMS, question
from service.schemas.described_state import StateOrNotation, admit_described
from service.schemas.refusal import refuse, refuse_faults, refuse_missing
from service.schemas.scalars import Points, SideIndex

Trick: TypeAlias = Annotated[tuple[Code, ...], Meta(min_length=1, max_length=8)]


class BareTrick(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A trick without a state."""

    trump: Annotated[Suit, Meta(description="The trump suit.")]
    leader: Annotated[Seat, Meta(description="The seat that led.")]
    players: Annotated[Players, Meta(description="The number of players.")]
    cards: Annotated[Trick, Meta(description="In order from the leader.")]
    rules: Annotated[
        Rules | None,
        Meta(
            title="Rules",
            description="The ruleset whose ranking and honours count; if left out, the jack of trumps is the highest.",
        ),
    ] = None


class TrickWinnerQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A trick to judge: exactly one of `state` and `trick`."""

    state: Annotated[
        StateOrNotation | None, Meta(description="A state, whose current trick is judged; in place of `trick`.")
    ] = None
    trick: Annotated[BareTrick | None, Meta(description="A trick with no state around it; in place of `state`.")] = None


class TrickWinner(Struct, frozen=True, gc=False):
    """The winner of a trick so far, or of a complete one; `seat`, `side` and `card` are null before the lead."""

    seat: Annotated[Seat | None, Meta(description="The seat that wins the trick so far; null before the lead.")]
    side: Annotated[SideIndex | None, Meta(description="null for a bare trick, which has no sides.")]
    card: Annotated[Code | None, Meta(description="The card that wins it; null before the lead.")]
    honours: Annotated[Points, Meta(description="The honours in the trick, in points.")]
    complete: Annotated[bool, Meta(description="True if every seat has played to it.")]


@question(
    "/v1/trick-winners",
    operation_id="trick_winners",
    summary="Find who wins a trick",
    description="Takes a `state`, whose current trick it judges, or a bare `trick`: exactly one of the two.",
    response_description="The winner of the trick, so far or for good.",
    problems=(*ADMIT_PROBLEMS, "impossible_request"),
)
def find_trick_winner(body: TrickWinnerQuestion) -> TrickWinner:
    """Find the winner of a trick."""
    if body.state is not None and body.trick is None:
        return _judge_state(admit_described(body.state))
    if body.trick is not None and body.state is None:
        return _judge_bare_trick(body.trick)
    detail = "Give exactly one of `state` and `trick`."
    if body.state is None:
        raise refuse_missing(detail)
    raise refuse_faults(tuple(Fault("fields_contradict", (name,), detail) for name in ("state", "trick")))


def _judge_state(state: State) -> TrickWinner:
    table = state.table
    seat = trick.winner(state.trick, state.trump, state.leader, table.players, table.ruleset)
    side = None if seat is None else table.side_of[seat]
    return _write_winner(state.trick, state.trump, seat, side, table)


def _judge_bare_trick(bare: BareTrick) -> TrickWinner:
    """Judge a trick without a state, by the ranking of most sources unless the caller names a ruleset."""
    try:
        table = make_table(bare.rules or "trebor", usual_sides(bare.rules or "trebor", bare.players))
    except Impossible as exc:
        raise refuse(exc, "trick") from exc
    if faults := tuple(_find_faults(bare)):
        raise refuse_faults(faults, "trick")
    cards, trump = tuple(NUMBER[code] for code in bare.cards), SUITS.index(bare.trump)
    seat = trick.winner(cards, trump, bare.leader, bare.players, table.ruleset)
    return _write_winner(cards, trump, seat, None, table)


def _find_faults(bare: BareTrick) -> Iterator[Fault]:
    if bare.leader >= bare.players:
        detail = f"There is no seat {bare.leader} among {bare.players} players."
        yield Fault("seat_out_of_range", ("leader",), detail)
    if len(bare.cards) > bare.players:
        yield Fault("trick_too_long", ("cards",), f"{len(bare.cards)} cards from {bare.players} players.")
    for at, code in enumerate(bare.cards):
        if code in bare.cards[:at]:
            yield Fault("card_twice", ("cards", at), f"{code} is named twice.")


def _write_winner(
    cards: tuple[Card, ...], trump: int, seat: Seat | None, side: Side | None, table: Table
) -> TrickWinner:
    mask = mask_of(cards)
    best = card_code(trick.best(mask, cards[0], trump, table.ruleset)) if cards else None
    honours = score.honour_points(mask, trump, table)
    return TrickWinner(seat, side, best, honours, len(cards) == table.players)
