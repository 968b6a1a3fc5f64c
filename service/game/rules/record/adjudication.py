"""The adjudication of a record: a verdict on every play, every irregularity, and the score of every deal.

A deal that was not played out or not read to its end adds nothing to the scores. Later deals are still read. The
winner of the game is then unknown, unless a side resigned.
"""

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import astuple

from service.game.cards import CardCode
from service.game.faults import Fault, Impossible, Path
from service.game.generators import Sliced
from service.game.rules import admission, game, revoke
from service.game.rules.deal import eldest
from service.game.rules.judgment import Judgment
from service.game.rules.record import DealEnd, DealStart, Record, RecordedPlay
from service.game.rules.record.deal import DealResult, PlayCode, read_deal
from service.game.rules.record.ending import find_taker
from service.game.rulesets import Seat, Table, make_table
from service.game.state import Claim, State

IrregularityCode: TypeAlias = Annotated[
    Literal[PlayCode, "deal_not_finished", "wrong_dealer", "dealt_after_game"],
    Meta(title="IrregularityCode", description="The way in which a record departs from the rules."),
]


class FoundIrregularity(Struct, frozen=True):
    """A departure of a record from the rules."""

    deal: int
    """The deal of the record, counted from 0."""
    play: int | None
    """The play of the deal, counted from 0; None if the deal itself is at fault."""
    code: IrregularityCode
    """The way in which it departs."""
    detail: str
    """The departure as a sentence."""
    verdict: Judgment | None = None
    """The verdict on an illegal play; None for any other departure."""
    found: int | None = None
    """The index in `revokes_found` of a revoke that was none; else None."""
    assumed: RecordedPlay | None = None
    """The play that is assumed, if one is missing or was mistyped; else None."""


class JudgedRecord(Struct, frozen=True):
    """The adjudication of a record."""

    table: Table
    deals: tuple[DealResult, ...]
    irregularities: tuple[FoundIrregularity, ...]
    won: game.Won | None


def adjudicate_by_deal(record: Record) -> Sliced[JudgedRecord]:
    """Judge a record from the first deal on; yield before each deal and each guess at a slip.

    Errors: Impossible, paths relative to the record, for rules that do not fit or an impossible deal; NoRevokePenalty
    if revokes are to be penalised under a ruleset without a penalty.
    """
    table = make_table(record.rules, record.sides)
    if record.on_revoke == "penalise":
        revoke.require_penalty(table)
    if faults := tuple(_find_faults(record, table)):
        raise Impossible(faults)
    results: list[DealResult] = []
    wrong: list[FoundIrregularity] = []
    for index, dealt in enumerate(record.deals):
        yield
        before, unsure = results[-1] if results else None, any(map(_is_open, results))
        scores = _scores_before(record, table, results)
        if unsure and not game.continues_to(table, record.deal + index, scores):
            wrong.append(FoundIrregularity(index, None, "dealt_after_game", "The game has no deal with this number."))
            continue
        wrong += _wrong_before(record, index, before)
        if before is not None and before.phase == "game_over" and not unsure:
            continue
        result = yield from read_deal(dealt, _dealt(record, index, table, scores), record.on_revoke)
        results.append(result)
        wrong += [FoundIrregularity(index, *astuple(found)) for found in result.wrong]
    return JudgedRecord(table, tuple(results), tuple(wrong), _won(record, table, results))


def _is_open(result: DealResult) -> bool:
    """Return True if the end of a deal is unknown."""
    return result.unread is not None or result.phase == "playing"


def _scores_before(record: Record, table: Table, results: list[DealResult]) -> tuple[int, ...]:
    """Return the scores before the next deal; an open deal, or one after the game was won, adds nothing."""
    if not results:
        return record.scores or (0,) * len(table.sides)
    before = results[-1]
    if any(map(_is_open, results)) and (_is_open(before) or before.phase == "game_over"):
        return before.state.scores
    return game.next_scores(before.state)


def _find_faults(record: Record, table: Table) -> Iterator[Fault]:
    """Find impossible parts of a record; paths start at the record."""
    for index, dealt in enumerate(record.deals):
        for at, found in enumerate(dealt.revokes_found):
            play, after = found.play_index, found.after_index
            if not play <= after < len(dealt.plays):
                detail = f"Play {play} cannot be found after play {after} of {len(dealt.plays)}."
                yield Fault("revoke_found_nowhere", ("deals", index, "revokes_found", at), detail)
        if not isinstance(dealt.ended_by, UnsetType):
            yield from _find_end_faults(dealt.ended_by, table, ("deals", index, "ended_by"))
    if record.resigned is not None and record.resigned >= table.players:
        detail = f"There is no seat {record.resigned} among {table.players} players."
        yield Fault("seat_out_of_range", ("resigned",), detail)


def _find_end_faults(end: DealEnd, table: Table, path: Path) -> Iterator[Fault]:
    """Find impossible claims and concessions."""
    if end.seat >= table.players:
        detail = f"There is no seat {end.seat} among {table.players} players."
        yield Fault("seat_out_of_range", (*path, "seat"), detail)
    elif find_taker(table, end) is None:
        detail = f"A concession gives the cards to the other side, and there are {len(table.sides)}: write a claim."
        yield Fault("fields_contradict", (*path, "how"), detail)


def _won(record: Record, table: Table, results: list[DealResult]) -> game.Won | None:
    won = game.won(results[-1].state) if results and not any(map(_is_open, results)) else None
    if won is not None or record.resigned is None:
        return won
    return game.won_from(table, table.side_of[record.resigned], "resignation")


def _wrong_before(record: Record, index: int, before: DealResult | None) -> Iterator[FoundIrregularity]:
    if before is None:
        return
    dealer, right = record.deals[index].dealer, game.next_dealer(before.state)
    if before.phase == "game_over":
        yield FoundIrregularity(index, None, "dealt_after_game", "The game was won in a deal before.")
    elif before.phase == "playing":
        detail = "The deal before was not played out: it counts nothing here, and who won the game is not known."
        yield FoundIrregularity(index, None, "deal_not_finished", detail)
    elif dealer != right:
        yield FoundIrregularity(
            index, None, "wrong_dealer", f"Seat {dealer} dealt; the deal had passed to seat {right}."
        )


def _dealt(record: Record, index: int, table: Table, scores: tuple[int, ...]) -> State:
    """Return the state in which a deal was dealt."""
    dealt = record.deals[index]
    start = _first_lead(table, dealt.dealer) if isinstance(dealt.start, UnsetType) else dealt.start
    claim = Claim(
        record.rules,
        record.sides,
        dealt.dealer,
        record.deal + index,
        scores,
        dealt.turn_up,
        dealt.hands,
        dealt.later_hands,
        start.leader,
        start.trick,
        start.taken,
        None,
    )
    try:
        return admission.admit(claim)
    except Impossible as exc:
        faults = tuple(Fault(fault.code, _path(record, index, fault.path), fault.detail) for fault in exc.faults)
        raise Impossible(faults) from exc


def _first_lead(table: Table, dealer: Seat) -> DealStart:
    """Return the table at the first lead of a deal: eldest hand leads, and no card is played."""
    nothing: tuple[CardCode, ...] = ()
    return DealStart(eldest(table, dealer), (), (nothing,) * len(table.sides))


def _path(record: Record, index: int, path: Path) -> Path:
    """Return the path in the record for a fault of a dealt state; scores and deal numbers stand there only once."""
    if path[0] in {"scores", "deal"}:
        return path
    start = ("start",) if path[0] in DealStart.__struct_fields__ and record.deals[index].start is not UNSET else ()
    return ("deals", index, *start, *path)
