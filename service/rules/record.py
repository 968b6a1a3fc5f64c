"""The record of a whole game, adjudicated: a verdict on every play, the first irregularity, every deal's score.

A card that was played against the rules and let stand is judged as what it is, and the record read on as it was
played; where that cannot be done (a card not held, a play out of turn), the reading stops there.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.cards import CODES, NUMBER, CardCode, Code
from service.faults import Fault, Impossible, NotPlaying
from service.rules import admission, follow, game, play, revoke, score
from service.rules.deal import eldest
from service.rulesets import Rules, Seat, Sides, lay
from service.state import DEALS_AT_MOST, Claim, Seed, State

ShownHand: TypeAlias = Annotated[tuple[Code, ...], Meta(max_length=18)]
IrregularityCode: TypeAlias = Literal[
    "illegal_play",
    "out_of_turn",
    "played_after_deal",
    "played_after_game",
    "deal_not_finished",
    "wrong_dealer",
    "dealt_after_game",
]


class RecordedPlay(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A card as it was played, and by whom."""

    seat: Seat
    card: Code


class Proof(Struct, frozen=True, forbid_unknown_fields=True):
    """What opens the commitment to a shuffle, so that anyone can deal the same cards again."""

    commitment: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z", description="What was shown before the deal.")]
    secret: Annotated[Seed, Meta(description="What was committed to.")]
    entropy: Annotated[
        tuple[Annotated[str, Meta(pattern=r"^[A-Za-z0-9._~-]{0,128}\Z")], ...],
        Meta(min_length=2, max_length=8, description="By seat: what it added before the deal; empty for nothing."),
    ]
    strip: Annotated[tuple[Code, ...], Meta(max_length=16, description="The cards taken out of the pack.")]
    three_at_a_time: bool


class RecordedDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """A deal as it was dealt and played."""

    dealer: Seat
    turn_up: Code
    hands: Annotated[
        tuple[ShownHand, ...], Meta(min_length=2, max_length=8, description="By seat: the first hand, as dealt.")
    ]
    plays: Annotated[tuple[RecordedPlay, ...], Meta(max_length=40, description="Every card, in the order played.")]
    later_hands: Annotated[
        tuple[Annotated[tuple[ShownHand, ...], Meta(max_length=17)], ...],
        Meta(max_length=8, description="By seat: the hands after the first, as dealt; [] where there are none."),
    ] = ()
    proof: Annotated[Proof | None, Meta(description="What proves the deal; not looked at when the play is judged.")] = (
        None
    )


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole game: the rules, the sides, and every deal with its plays."""

    rules: Annotated[Rules, Meta(title="Rules", description="A ruleset's id, or a whole ruleset (house rules).")]
    sides: Sides
    deals: Annotated[tuple[RecordedDeal, ...], Meta(min_length=1, max_length=DEALS_AT_MOST)]
    on_revoke: Annotated[
        play.OnRevoke, Meta(description="Whether a revoke was to be refused or is penalised when it stands.")
    ] = "refuse"


class Irregularity(Struct, frozen=True):
    """Where a record first departs from the rules; `play` is None where the deal itself is at fault."""

    deal: int
    play: int | None
    code: IrregularityCode
    detail: str
    verdict: follow.Verdict | None = None


class DealResult(Struct, frozen=True):
    """One deal of a record: the verdict on every play that could be judged, with the state it was judged in."""

    verdicts: tuple[tuple[State, follow.Verdict], ...]
    state: State
    phase: game.Phase
    points: tuple[int, ...]
    totals: tuple[int, ...]


class Adjudication(Struct, frozen=True):
    """A record, adjudicated."""

    deals: tuple[DealResult, ...]
    irregularity: Irregularity | None
    won: game.Won | None


def adjudicate(record: Record) -> Adjudication:
    """Read a record from the first deal on.

    Errors: Impossible, paths relative to the record, for rules that cannot be laid or a deal that cannot have
    been dealt; NoRevokePenalty when revokes are to be penalised under a ruleset that has no penalty.
    """
    table = lay(record.rules, record.sides)
    if record.on_revoke == "penalise":
        revoke.require_penalty(table)
    results: list[DealResult] = []
    first: Irregularity | None = None
    for index in range(len(record.deals)):
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
    """Read the plays of a deal; the last value tells whether the record cannot be read on from there."""
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
