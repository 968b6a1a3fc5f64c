"""POST /v1/analyses: the worth of a position, or where a recorded deal was lost."""

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct

from service.api.reasoning.analysis_answer import AnalyzedDeal, AnalyzedPosition, write_analyzed_position, write_deal
from service.api.reasoning.thinking import NODES_PER_REQUEST
from service.game.cards import Card
from service.game.faults import Fault, HandNotSeen, Impossible, NoRevokePenalty
from service.game.generators import Sliced
from service.game.rules.record import Record
from service.game.rules.record.adjudication import adjudicate_by_deal
from service.game.rules.visibility import find_hidden_seat
from service.game.rulesets import MAX_DEALS
from service.game.state import State
from service.http.operation import ADMIT_PROBLEMS, RECORD_BYTES, question
from service.players.analysis import (
    MAX_DEAL_NODES,
    MAX_POSITION_NODES,
    PLAYOUTS,
    RECORD_SEARCH_NODES,
    SEARCH_NODES,
    Analyzer,
    judge_plays,
)
from service.schemas.described_state import StateOrNotation, admit_described, refuse_state, require_playing
from service.schemas.refusal import refuse, refuse_at, refuse_faults, refuse_missing

_POSITION_COST: Final = MAX_POSITION_NODES // NODES_PER_REQUEST
_DEAL_COST: Final = MAX_DEAL_NODES // NODES_PER_REQUEST


class AnalysisQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A position in play with all hands shown, or the record of a game and the deal of it to analyze."""

    state: Annotated[
        StateOrNotation | None, Meta(description="The state; every hand is shown. Either this or `record`.")
    ] = None
    record: Annotated[
        Record | None, Meta(description="The record; the hands of the deal are shown. Either this or `state`.")
    ] = None
    deal_index: Annotated[
        Annotated[int, Meta(ge=0, le=MAX_DEALS - 1)] | None,
        Meta(description="The deal of the record, counted from 0; the last one if left out."),
    ] = None


class Analysis(Struct, frozen=True, gc=False):
    """The worth of a position, or where a deal was lost."""

    position: Annotated[AnalyzedPosition | None, Meta(description="Of a state: what it is worth; else null.")]
    deal: Annotated[AnalyzedDeal | None, Meta(description="Of a record: where the deal was lost; else null.")]
    nodes: Annotated[int, Meta(ge=0, description="The cards played to find this; a quota is charged by it.")]


def _price(asked: object) -> int:
    """Return the highest cost of an analysis, in requests beyond the first."""
    is_position = isinstance(asked, AnalysisQuestion) and asked.record is None
    return _POSITION_COST if is_position else _DEAL_COST


@question(
    "/v1/analyses",
    operation_id="analyses",
    tag="Reasoning",
    summary="Find out what a deal was worth, and where it was lost",
    description="Of a `state` with all hands shown: for every legal card, what each side makes of the deal with best "
    "play by all, seeing all hands; the best line; and the par, which it comes to. Of a `record`: what each play of "
    "one deal lost, once seeing all hands, and once seeing only what its seat saw, with reasons in card words; the "
    "turning points; and what each side lost in all. Sides play for the points of the deal, not for the scores of the "
    "game: each for what it makes beyond all others together. More than two sides each play for themselves (max-n). Of "
    "equally good cards they play the first: clubs, diamonds, hearts, spades, the lowest first. "
    f"A search plays at most {SEARCH_NODES:,} cards, and {RECORD_SEARCH_NODES:,} for a record, from its last play "
    f"back. Beyond that, figures are averages over {PLAYOUTS} playouts of each card, with their standard error. The "
    "same request gets the same answer on every machine. A quota is charged one request, and one more for "
    f"every {NODES_PER_REQUEST:,} `nodes`; in a batch a state counts for {_POSITION_COST + 1} requests, a record for "
    f"{_DEAL_COST + 1}.",
    response_description="What the position is worth, or where the deal was lost.",
    problems=(*ADMIT_PROBLEMS, "impossible_request", "no_revoke_penalty", "hand_not_seen", "deal_over", "game_over"),
    max_body_bytes=RECORD_BYTES,
    is_long_running=lambda _: True,
    batch_cost=_price,
    actual_cost=lambda answer: answer.nodes // NODES_PER_REQUEST,
)
def analyze(body: AnalysisQuestion) -> Sliced[Analysis]:
    """Analyze a position or a deal, and yield between pieces of work.

    Errors: Refusal.
    """
    if body.record is not None and body.state is None:
        return (yield from _analyze_deal(body.record, body.deal_index))
    if body.state is None:
        raise refuse_missing("Give a `state` or a `record`.")
    for field in ("record", "deal_index"):
        if getattr(body, field) is not None:
            raise refuse_faults((Fault("fields_contradict", (field,), f"`{field}` is not for a state."),))
    state = _admit_shown(body.state)
    analyzer = Analyzer(state, SEARCH_NODES)
    worth = yield from analyzer.weigh(state)
    return Analysis(write_analyzed_position(state, worth), None, analyzer.nodes)


def _admit_shown(described: StateOrNotation) -> State:
    """Admit the state.

    Errors: Refusal, also if the deal is over, or a hand is not shown.
    """
    state = admit_described(described)
    require_playing(state, described)
    if (hidden := find_hidden_seat(state)) is not None:
        raise refuse_state(HandNotSeen(hidden), described, path=("hands", hidden))
    return state


def _analyze_deal(record: Record, deal_index: int | None) -> Sliced[Analysis]:
    """Analyze a deal of a record, the last one unless another is named.

    Errors: Refusal.
    """
    at = len(record.deals) - 1 if deal_index is None else deal_index
    turns = yield from _read_turns(record, at)
    if not turns:
        raise refuse_faults((Fault("fields_contradict", ("deal_index",), f"Deal {at} of the record has no plays."),))
    if (hidden := find_hidden_seat(turns[0][0])) is not None:
        raise refuse(HandNotSeen(hidden), "record", "deals", at, "hands", hidden)
    worths, nodes = yield from judge_plays(turns)
    return Analysis(None, (yield from write_deal(at, turns, worths)), nodes)


def _read_turns(record: Record, at: int) -> Sliced[Sequence[tuple[State, Card]]]:
    """Return each state of a deal with the card played in it, up to the first illegal card.

    Errors: Refusal.
    """
    try:
        judged = yield from adjudicate_by_deal(record)
    except Impossible as exc:
        raise refuse(exc, "record") from exc
    except NoRevokePenalty as exc:
        raise refuse_at("no_revoke_penalty", str(exc), "record", "on_revoke") from exc
    turns = list[tuple[State, Card]]()
    for state, verdict in judged.deals[at].verdicts if 0 <= at < len(judged.deals) else ():
        if verdict.reason is not None:
            break
        turns.append((state, verdict.card))
    return turns
