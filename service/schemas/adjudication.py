"""The adjudication of a record."""

from typing import Annotated

from msgspec import Meta, Struct

from service.game.cards import Code
from service.game.generators import Sliced
from service.game.rules import game
from service.game.rules.record import adjudication as adjudications
from service.game.rulesets import Seat
from service.schemas.events import WonBy, write_won_by
from service.schemas.faults import pointer
from service.schemas.scalars import DealPoints, PointsBySide, SideIndex
from service.schemas.verdict import Verdict, write_verdict


class AssumedPlay(Struct, frozen=True, gc=False):
    """A play that is assumed where the record has none, or another card."""

    seat: Annotated[Seat, Meta(description="The seat.")]
    card: Annotated[Code, Meta(description="The card.")]


class Irregularity(Struct, frozen=True, gc=False):
    """A place where a record departs from the rules."""

    pointer: Annotated[str, Meta(description="JSON Pointer into the request, to the deal or the play.")]
    deal_index: Annotated[int, Meta(ge=0, description="The deal, counted from 0.")]
    play_index: Annotated[int | None, Meta(description="The play in it, counted from 0; null: the deal itself.")]
    code: Annotated[
        adjudications.IrregularityCode, Meta(description="The way in which the record departs from the rules.")
    ]
    detail: Annotated[str, Meta(description="The irregularity as a sentence.")]
    verdict: Annotated[Verdict | None, Meta(description="The verdict on the play, if it was illegal, else null.")]
    assumed: Annotated[
        AssumedPlay | None,
        Meta(
            description="With `play_missing`, the play that was made before that one; with `card_mistyped`, the play "
            "that was made in its place; else null."
        ),
    ]


class AdjudicatedDeal(Struct, frozen=True, gc=False):
    """A deal of a record: the verdict on each play in order, as far as they can be judged, and the score after it."""

    verdicts: Annotated[tuple[Verdict, ...], Meta(description="The verdict on each play, in order.")]
    phase: Annotated[game.Phase, Meta(description="The phase after the last play.")]
    points: Annotated[tuple[DealPoints, ...], Meta(description="By side: the points of this deal.")]
    totals: Annotated[PointsBySide, Meta(description="By side: the game score after this deal.")]
    play_indexes: Annotated[
        tuple[int, ...] | None,
        Meta(
            description="By verdict: the play that it is on, counted from 0; null if the plays were read one by one, "
            "as they stand in the record."
        ),
    ]
    unread: Annotated[
        int | None,
        Meta(
            description="The number of plays after the one at which the reading of the deal stopped; null if it did "
            "not."
        ),
    ]


class Adjudication(Struct, frozen=True, gc=False):
    """The adjudication of a whole record."""

    deals: Annotated[tuple[AdjudicatedDeal, ...], Meta(description="The deals, in order.")]
    irregularities: Annotated[
        tuple[Irregularity, ...], Meta(description="Every departure from the rules, in the order of the record.")
    ]
    winners: Annotated[tuple[SideIndex, ...], Meta(description="The sides that have won the game; [] if none.")]
    won_by: Annotated[WonBy | None, Meta(description="How the game was won; null if it was not.")]


def write_adjudication(adjudication: adjudications.JudgedRecord) -> Sliced[Adjudication]:
    """Write the adjudication of a record, and yield after each deal."""
    deals: list[AdjudicatedDeal] = []
    for result in adjudication.deals:
        verdicts = tuple([write_verdict(state, verdict) for state, verdict in result.verdicts])
        deals.append(
            AdjudicatedDeal(
                verdicts,
                result.phase,
                result.points,
                result.totals,
                None if result.order == tuple(range(len(verdicts))) else result.order,
                result.unread,
            )
        )
        yield
    outcome = adjudication.won
    return Adjudication(
        tuple(deals),
        tuple(_write_irregularity(adjudication, found) for found in adjudication.irregularities),
        outcome.winners if outcome else (),
        write_won_by(adjudication.table.ruleset, outcome) if outcome else None,
    )


def _write_irregularity(
    adjudication: adjudications.JudgedRecord, found: adjudications.FoundIrregularity
) -> Irregularity:
    path: tuple[str | int, ...] = ("deals", found.deal)
    if found.found is not None:
        path += ("revokes_found", found.found)
    elif found.play is not None:
        path += ("plays", found.play)
    verdict: Verdict | None = None
    if found.verdict is not None and found.play is not None:
        deal = adjudication.deals[found.deal]
        verdict = write_verdict(*deal.verdicts[deal.order.index(found.play)])
    assumed = AssumedPlay(found.assumed.seat, found.assumed.card) if found.assumed else None
    return Irregularity(pointer(*path), found.deal, found.play, found.code, found.detail, verdict, assumed)
