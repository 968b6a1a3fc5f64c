"""An analysis: the worth of each card in a position, or the loss by each play of a deal, and why."""

from collections.abc import Iterator, Sequence
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from service.api.reasoning.suggestion_answer import CardReason, ExpectedPoints, round_figure, write_cards
from service.game.cards import CODES, Card, Code
from service.game.generators import Sliced
from service.game.rules import score
from service.game.rules.record import MAX_PLAYS, PlayIndex, RecordedPlay
from service.game.rules.view import view
from service.game.rulesets import Seat
from service.game.state import State, side_of
from service.players.analysis import EFFORT, LARGE, PLAYOUTS, SMALL, Loss, PlayWorth, PositionWorth, Size
from service.schemas.scalars import SideIndex

_Exact: TypeAlias = Annotated[
    bool,
    Meta(
        description="True if every line of play was searched, and all sides play their best; else the figures are "
        f"averages, over {PLAYOUTS} playouts of each card by sound players that are not perfect."
    ),
]
_PointsBySide: TypeAlias = Annotated[tuple[ExpectedPoints, ...], Meta(min_length=2, max_length=8)]
_LostPoints: TypeAlias = Annotated[
    float,
    Meta(
        ge=0,
        description="How many points less its side makes beyond all others together than with the best card.",
    ),
]
_Error: TypeAlias = Annotated[float, Meta(ge=0, description="The standard error of that; 0 if it is exact.")]


class AnalyzedCard(Struct, frozen=True, gc=False):
    """A legal card, and what the deal comes to after it if all hands are seen."""

    card: Annotated[Code, Meta(description="The card.")]
    points: Annotated[_PointsBySide, Meta(description="By side: the points of the whole deal.")]
    gained: Annotated[_PointsBySide, Meta(description="By side: those beyond what it has made in the deal so far.")]
    loss: _LostPoints
    """Points that the card loses."""
    standard_error: Annotated[
        float, Meta(ge=0, description="The standard error of its side's points less all others'; 0 if exact.")
    ]


class AnalyzedPosition(Struct, frozen=True, gc=False):
    """The worth of a position, all hands seen."""

    turn: Annotated[Seat, Meta(description="The seat to play.")]
    side: Annotated[SideIndex, Meta(description="Its side.")]
    par: Annotated[_PointsBySide, Meta(description="By side: the points of the whole deal after the best card.")]
    exact: _Exact
    """True if every line of play was searched."""
    cards: Annotated[
        tuple[AnalyzedCard, ...], Meta(min_length=1, max_length=18, description="Each legal card, the best first.")
    ]
    line: Annotated[
        tuple[RecordedPlay, ...],
        Meta(max_length=36, description="The best line of play to the end of the deal; [] unless all is exact."),
    ]


class CardLoss(Struct, frozen=True, gc=False):
    """The loss of a play."""

    best: Annotated[Code, Meta(description="The best card, which is the one played if that lost nothing.")]
    points: _LostPoints
    """Points that the card loses."""
    standard_error: _Error
    """Of `points`; 0 if exact."""
    exact: Annotated[bool, Meta(description="True if all was searched that may be played, else it is an estimate.")]
    size: Annotated[
        Size,
        Meta(
            description=f"none: less than {SMALL} point, or than twice the standard error; large: from {LARGE} points "
            "on; small: between these."
        ),
    ]


class AnalyzedPlay(Struct, frozen=True, gc=False):
    """A play of a deal, and what it lost."""

    seat: Annotated[Seat, Meta(description="The seat that played.")]
    card: Annotated[Code, Meta(description="The card that it played.")]
    all_hands: Annotated[CardLoss, Meta(description="What it lost, seeing all hands.")]
    own_hand: Annotated[
        CardLoss,
        Meta(
            description="What it lost, seeing only what its seat saw: its own hand and every play before, as "
            f"`/v1/suggestions` weighs cards, in {EFFORT.fillings} deals."
        ),
    ]
    reasons: Annotated[
        tuple[CardReason, ...],
        Meta(description="The reasons for and against the card, as its seat saw it; [] if no other was legal."),
    ]


class SideLosses(Struct, frozen=True, gc=False):
    """A side's loss in a deal, in points, over all plays with a known loss."""

    all_hands: Annotated[float, Meta(ge=0, description="Seeing all hands.")]
    own_hand: Annotated[float, Meta(ge=0, description="Seeing only what its seats saw.")]


class AnalyzedDeal(Struct, frozen=True, gc=False):
    """Where a deal was lost."""

    deal_index: Annotated[int, Meta(ge=0, description="The deal of the record, counted from 0.")]
    par: Annotated[_PointsBySide, Meta(description="By side: the points of the deal if all play as well as they can.")]
    exact: Annotated[bool, Meta(description="True if the par is exact, else it is an estimate.")]
    plays: Annotated[
        tuple[AnalyzedPlay, ...],
        Meta(max_length=MAX_PLAYS, description="Every play in order, up to one that the rules do not allow."),
    ]
    turning_points: Annotated[
        tuple[PlayIndex, ...],
        Meta(
            max_length=MAX_PLAYS,
            description="The plays, counted from 0, that lost something, seeing all hands, and after which other sides "
            "than before make the most points of the deal.",
        ),
    ]
    losses: Annotated[tuple[SideLosses, ...], Meta(min_length=2, max_length=8, description="By side: its losses.")]


def write_analyzed_position(state: State, worth: PositionWorth) -> AnalyzedPosition:
    """Write what a position is worth."""
    made, best = score.points(state), worth.cards[0]
    cards = [
        AnalyzedCard(
            CODES[each.card],
            _round(each.points),
            _round([points - before for points, before in zip(each.points, made, strict=True)]),
            round_figure(best.balance - each.balance),
            round_figure(each.standard_error),
        )
        for each in worth.cards
    ]
    seat = state.seat_to_play
    line = tuple([RecordedPlay(at, CODES[card]) for at, card in worth.line])
    return AnalyzedPosition(seat, side_of(state, seat), cards[0].points, worth.exact, tuple(cards), line)


def write_deal(
    deal_index: int, turns: Sequence[tuple[State, Card]], worths: Sequence[PlayWorth]
) -> Sliced[AnalyzedDeal]:
    """Write what the plays of a deal lost, and yield after each play."""
    plays = list[AnalyzedPlay]()
    for turn, worth in zip(turns, worths, strict=True):
        plays.append(_write_play(*turn, worth))
        yield
    first, sides = worths[0].position, turns[0][0].table.sides
    seats = [state.seat_to_play for state, _ in turns]
    losses = [
        SideLosses(
            *[round_figure(sum(lost)) for lost in zip(*_losses_of(side, seats, worths), strict=True)] or (0.0, 0.0)
        )
        for side in sides
    ]
    return AnalyzedDeal(
        deal_index,
        _round(first.cards[0].points),
        first.exact,
        tuple(plays),
        tuple([at for at, worth in enumerate(worths) if worth.is_turning_point]),
        tuple(losses),
    )


def _losses_of(side: Sequence[Seat], seats: Sequence[Seat], worths: Sequence[PlayWorth]) -> Iterator[tuple[float, ...]]:
    for seat, worth in zip(seats, worths, strict=True):
        if seat in side:
            yield tuple([loss.points if loss.size != "none" else 0.0 for loss in (worth.all_hands, worth.own_hand)])


def _write_play(state: State, card: Card, worth: PlayWorth) -> AnalyzedPlay:
    reasons: tuple[CardReason, ...] = ()
    seat = state.seat_to_play
    if worth.found is not None:
        weighed = write_cards(view(state, seat), worth.found)
        reasons = next(each.reasons for each in weighed if each.card == CODES[card])
    return AnalyzedPlay(
        seat, CODES[card], _write_loss(card, worth.all_hands), _write_loss(card, worth.own_hand), reasons
    )


def _write_loss(card: Card, loss: Loss) -> CardLoss:
    points, error = round_figure(loss.points), round_figure(loss.standard_error)
    return CardLoss(CODES[loss.best if points else card], points, error, loss.exact, loss.size)


def _round(points: Sequence[float]) -> tuple[float, ...]:
    return tuple([round_figure(each) for each in points])
