"""The adjudication of a record: a verdict on every play, the first irregularity, and the score of every deal.

An illegal card is judged as such, and the record is then read on as it was played. Where that is not possible (a card
that the seat does not hold, a play out of turn), the reading stops.
"""

from collections.abc import Generator
from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct

from service.cards import CODES, NUMBER, CardCode
from service.faults import Fault, Impossible, NotPlaying
from service.rules import admission, follow, game, play, revoke, score
from service.rules.deal import eldest
from service.rules.record import Record
from service.rulesets import Seat, lay
from service.state import Claim, State

Result = TypeVar("Result")
IrregularityCode: TypeAlias = Literal[
    "illegal_play",
    "out_of_turn",
    "played_after_deal",
    "played_after_game",
    "deal_not_finished",
    "wrong_dealer",
    "dealt_after_game",
]


class Irregularity(Struct, frozen=True):
    """The first departure of a record from the rules; `play` is None if the deal itself is at fault."""

    deal: int
    play: int | None
    code: IrregularityCode
    detail: str
    verdict: follow.Verdict | None = None


class DealResult(Struct, frozen=True):
    """One deal of a record: every play that could be judged, with its verdict and the state before it, and the end."""

    verdicts: tuple[tuple[State, follow.Verdict], ...]
    state: State
    phase: game.Phase
    points: tuple[int, ...]
    totals: tuple[int, ...]


class Adjudication(Struct, frozen=True):
    """The adjudication of a record."""

    deals: tuple[DealResult, ...]
    irregularity: Irregularity | None
    won: game.Won | None


def finish(work: Generator[None, None, Result]) -> Result:
    """Do work that yields between its pieces all at once, and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: Result = done.value
            return result


def adjudicate(record: Record) -> Adjudication:
    """Judge a record from the first deal on.

    Errors: as for `adjudicate_by_deal`.
    """
    return finish(adjudicate_by_deal(record))


def adjudicate_by_deal(record: Record) -> Generator[None, None, Adjudication]:
    """Judge a record from the first deal on, and yield before each deal: a record of many deals is long work.

    Errors: Impossible, paths relative to the record, for rules that cannot be laid or a deal that cannot have
    been dealt; NoRevokePenalty if revokes are to be penalised under a ruleset that names no penalty.
    """
    table = lay(record.rules, record.sides)
    if record.on_revoke == "penalise":
        revoke.require_penalty(table)
    results: list[DealResult] = []
    first: Irregularity | None = None
    for index in range(len(record.deals)):
        yield
        before = results[-1] if results else None
        wrong = _wrong_before(record, index, before)
        first = first or wrong
        if wrong is not None and wrong.code != "wrong_dealer":
            break
        state = _dealt(record, index, before.totals if before else (0,) * len(table.sides))
        result, wrong, stopped = _read_deal(record, index, state)
        results.append(result)
        first = first or wrong
        if stopped:
            break
    return Adjudication(tuple(results), first, game.won(results[-1].state))


def _wrong_before(record: Record, index: int, before: DealResult | None) -> Irregularity | None:
    if before is None:
        return None
    if before.phase == "game_over":
        return Irregularity(index, None, "dealt_after_game", "The game was won in the deal before.")
    if before.phase == "playing":
        return Irregularity(index, None, "deal_not_finished", "The deal before was not played out.")
    dealer = game.next_dealer(before.state)
    if record.deals[index].dealer != dealer:
        detail = f"Seat {record.deals[index].dealer} dealt; the deal had passed to seat {dealer}."
        return Irregularity(index, None, "wrong_dealer", detail)
    return None


def _dealt(record: Record, index: int, scores: tuple[int, ...]) -> State:
    dealt = record.deals[index]
    table = lay(record.rules, record.sides)
    empty: tuple[CardCode, ...] = ()
    claim = Claim(
        record.rules,
        record.sides,
        dealt.dealer,
        index + 1,
        scores,
        dealt.turn_up,
        dealt.hands,
        dealt.later_hands,
        eldest(table, dealt.dealer),
        (),
        (empty,) * len(table.sides),
        None,
    )
    try:
        return admission.admit(claim)
    except Impossible as exc:
        faults = tuple(Fault(fault.code, ("deals", index, *fault.path), fault.detail) for fault in exc.faults)
        raise Impossible(faults) from exc


def _read_deal(record: Record, index: int, state: State) -> tuple[DealResult, Irregularity | None, bool]:
    """Judge the plays of a deal; the last value is True if the record cannot be read on from there."""
    verdicts: list[tuple[State, follow.Verdict]] = []
    first: Irregularity | None = None
    stopped = False
    for at, (seat, card) in enumerate((made.seat, NUMBER[made.card]) for made in record.deals[index].plays):
        wrong = _wrong_turn(state, index, at, seat)
        if wrong is None:
            verdict = play.judge(state, card)
            verdicts.append((state, verdict))
            if verdict.reason is not None:
                detail = f"Seat {seat} played {CODES[card]}: {verdict.reason}."
                wrong = Irregularity(index, at, "illegal_play", detail, verdict)
        first = first or wrong
        if wrong is not None and (wrong.verdict is None or wrong.verdict.reason == "not_in_hand"):
            stopped = True
            break
        penalised = wrong is not None and record.on_revoke == "penalise"
        state = revoke.let_stand(state, card) if penalised else play.play_unchecked(state, card)
    phase = game.phase(state, game.won(state))
    result = DealResult(tuple(verdicts), state, phase, score.points(state), score.totals(state))
    return result, first, stopped


def _wrong_turn(state: State, index: int, at: int, seat: Seat) -> Irregularity | None:
    phase = game.phase(state, game.won(state))
    if phase != "playing":
        code: IrregularityCode = "played_after_deal" if phase == "deal_over" else "played_after_game"
        return Irregularity(index, at, code, str(NotPlaying(phase)))
    if seat != state.seat_to_play:
        return Irregularity(index, at, "out_of_turn", f"Seat {seat} played; it was seat {state.seat_to_play}'s turn.")
    return None
