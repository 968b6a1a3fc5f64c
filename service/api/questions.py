"""The questions: nothing is stored, the answer follows from the request alone."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from secrets import token_hex
from typing import Final

from service import wire
from service.api import bodies
from service.cards import NUMBER, SUITS, Card, CardCode, Mask, card_code, mask_of, strip_pack
from service.fairness import shuffle
from service.faults import Fault, FaultCode, HandNotSeen, Impossible, NoNextDeal, NoRevokePenalty, NotPlaying
from service.http.problems import Refusal, refuse_faults
from service.metrics import plays
from service.rules import admission, deal, play, record, score, setup, trick, view
from service.rules.adjudication import adjudicate
from service.rulesets import Seat, Side, Table, choose_table, lay, seating_faults, usual_sides
from service.state import Claim, State, describe

_SOUND: Final = bodies.Diagnosis(possible=True, faults=())


def _admit(claim: Claim, field: str = "state") -> State:
    try:
        return admission.admit(claim)
    except Impossible as exc:
        raise refuse_faults(exc.faults, field) from exc


def _not_playing(exc: NotPlaying, *path: str | int) -> Refusal:
    return Refusal(exc.phase, str(exc), (wire.Error(wire.pointer(*path), exc.phase, str(exc)),))


def _hand_not_seen(exc: HandNotSeen) -> Refusal:
    error = wire.Error(wire.pointer("state", "hands", exc.seat), "hand_not_seen", str(exc))
    return Refusal("hand_not_seen", str(exc), (error,))


def positions(question: bodies.StateQuestion) -> wire.Position:
    """Tell everything that follows from a state."""
    return wire.write_position(_admit(question.state))


def legal_moves(question: bodies.StateQuestion) -> bodies.LegalMoves:
    """Tell whose turn it is, what may be played, and judge every card of the hand."""
    state = _admit(question.state)
    try:
        verdicts = play.judge_all(state)
    except NotPlaying:
        return bodies.LegalMoves(None, (), ())
    except HandNotSeen as exc:
        raise _hand_not_seen(exc) from exc
    written = wire.write_verdicts(state, verdicts)
    legal: wire.Cards = tuple([verdict.card for verdict in written if verdict.legal])
    return bodies.LegalMoves(state.seat_to_play, legal, written)


def verdicts(question: bodies.VerdictQuestion) -> wire.Verdict:
    """Judge a card without playing it."""
    state = _admit(question.state)
    try:
        verdict = play.judge(state, NUMBER[question.card])
    except NotPlaying as exc:
        raise _not_playing(exc, "state") from exc
    except HandNotSeen as exc:
        raise (_not_your_turn(question, exc.seat) or _hand_not_seen(exc)) from exc
    if refusal := _not_your_turn(question, verdict.seat):
        raise refusal
    plays.judged(state.table.rules, verdict.reason)
    return wire.write_verdict(state, verdict)


def _not_your_turn(question: bodies.VerdictQuestion, turn: Seat) -> Refusal | None:
    if question.seat is None or question.seat == turn:
        return None
    detail = f"It is seat {turn}'s turn, not seat {question.seat}'s."
    return Refusal("not_your_turn", detail, (wire.Error("/seat", "not_your_turn", detail),))


def trick_winners(question: bodies.TrickWinnerQuestion) -> bodies.TrickWinner:
    """Tell who holds a trick."""
    if question.state is not None and question.trick is None:
        return _state_trick_winner(_admit(question.state))
    if question.trick is not None and question.state is None:
        return _bare_trick_winner(question.trick)
    code: FaultCode = "fields_missing" if question.state is None else "fields_contradict"
    raise refuse_fields(code, "Give exactly one of state and trick.", "state", "trick")


def refuse_fields(code: FaultCode, detail: str, *names: str) -> Refusal:
    """Refuse fields of a request that are missing or do not go together."""
    return refuse_faults(tuple(Fault(code, (name,), detail) for name in names))


def _state_trick_winner(state: State) -> bodies.TrickWinner:
    table = state.table
    seat = trick.winner(state.trick, state.trump, state.leader, table.players, table.ruleset)
    side = None if seat is None else table.side_of[seat]
    return _trick_winner(state.trick, state.trump, seat, side, table)


def _bare_trick_winner(bare: bodies.BareTrick) -> bodies.TrickWinner:
    """Judge a trick with no state around it; the ranking of most sources unless the caller names a ruleset."""
    try:
        table = lay(bare.rules or "trebor", usual_sides(bare.rules or "trebor", bare.players))
    except Impossible as exc:
        raise refuse_faults(exc.faults, "trick") from exc
    if faults := tuple(_bare_trick_faults(bare)):
        raise refuse_faults(faults, "trick")
    cards, trump = tuple(NUMBER[code] for code in bare.cards), SUITS.index(bare.trump)
    seat = trick.winner(cards, trump, bare.leader, bare.players, table.ruleset)
    return _trick_winner(cards, trump, seat, None, table)


def _bare_trick_faults(bare: bodies.BareTrick) -> Iterator[Fault]:
    if bare.leader >= bare.players:
        detail = f"There is no seat {bare.leader} among {bare.players} players."
        yield Fault("seat_out_of_range", ("leader",), detail)
    if len(bare.cards) > bare.players:
        yield Fault("trick_too_long", ("cards",), f"{len(bare.cards)} cards from {bare.players} players.")
    for at, code in enumerate(bare.cards):
        if code in bare.cards[:at]:
            yield Fault("card_twice", ("cards", at), f"{code} stands twice.")


def _trick_winner(
    cards: tuple[Card, ...], trump: int, seat: Seat | None, side: Side | None, table: Table
) -> bodies.TrickWinner:
    mask = mask_of(cards)
    best = card_code(trick.best(mask, cards[0], trump, table.ruleset)) if cards else None
    honours = score.honour_points(mask, trump, table.ruleset)
    return bodies.TrickWinner(seat, side, best, honours, len(cards) == table.players)


def next_states(question: bodies.NextStateQuestion) -> bodies.NextState:
    """Play cards in order and tell what became of the state, and what happened on the way."""
    state = _admit(question.state)
    events: list[wire.Event] = []
    for at, code in enumerate(question.cards):
        try:
            played = play.play(state, NUMBER[code], question.on_revoke)
        except (play.IllegalPlay, NotPlaying, HandNotSeen, NoRevokePenalty) as exc:
            if isinstance(exc, play.IllegalPlay):
                plays.judged(state.table.rules, exc.verdict.reason)
            raise refuse_play(exc, state, "cards", at) from exc
        plays.played(state, played)
        events += wire.write_events(state, played)
        state = played.state
    return bodies.NextState(wire.write_position(state), tuple(events))


def refuse_play(
    exc: play.IllegalPlay | NotPlaying | HandNotSeen | NoRevokePenalty, state: State, *path: str | int
) -> Refusal:
    """Refuse a card, pointing to it in the request."""
    if isinstance(exc, NoRevokePenalty):
        return refuse_penalty(state.table)
    if isinstance(exc, NotPlaying):
        return _not_playing(exc, *path)
    pointer = wire.pointer(*path)
    if isinstance(exc, HandNotSeen):
        return Refusal("hand_not_seen", str(exc), (wire.Error(pointer, "hand_not_seen", str(exc)),))
    verdict = wire.write_verdict(state, exc.verdict)
    return Refusal("illegal_play", verdict.detail, (wire.Error(pointer, str(verdict.reason), verdict.detail),), verdict)


def refuse_penalty(table: Table) -> Refusal:
    """Refuse to penalise under a ruleset that names no penalty."""
    detail = f"{table.ruleset.id} names no penalty for a revoke, so none can be applied."
    return Refusal("no_revoke_penalty", detail, (wire.Error("/on_revoke", "no_revoke_penalty", detail),))


def scores(question: bodies.StateQuestion) -> wire.Scores:
    """Count the deal as far as it has gone, item by item."""
    return wire.write_scores(_admit(question.state))


def diagnoses(question: bodies.StateQuestion) -> bodies.Diagnosis:
    """List every fault of a state."""
    faults = admission.faults(question.state)
    if not faults:
        return _SOUND
    errors = tuple(wire.StateError(wire.pointer("state", *fault.path), fault.code, fault.detail) for fault in faults)
    return bodies.Diagnosis(possible=False, faults=errors)


def views(question: bodies.ViewQuestion) -> bodies.View:
    """Hide what a seat may not see."""
    state = _admit(question.state)
    if question.seat is not None and question.seat >= state.table.players:
        detail = f"There is no seat {question.seat} among {state.table.players} players."
        raise Refusal("impossible_request", detail, (wire.Error("/seat", "seat_out_of_range", detail),))
    return bodies.View(describe(view.view(state, question.seat)))


def adjudications(question: record.Record) -> wire.Adjudication:
    """Judge a whole game."""
    try:
        adjudication = adjudicate(question)
    except Impossible as exc:
        raise refuse_faults(exc.faults) from exc
    except NoRevokePenalty as exc:
        raise refuse_penalty(lay(question.rules, question.sides)) from exc
    plays.adjudicated(question.rules, adjudication)
    return wire.write_adjudication(adjudication)


def draws(question: bodies.DrawQuestion) -> bodies.Draw:
    """Draw cards for the first deal."""
    seed = question.seed or token_hex(16)
    rounds, dealer = shuffle.draw(question.players, seed)
    drawn = tuple(tuple(bodies.DrawnCard(seat, card_code(card)) for seat, card in cards.items()) for cards in rounds)
    return bodies.Draw(dealer, drawn, seed)


def deals(question: bodies.DealQuestion) -> bodies.Deal:
    """Deal, for the first time or after a deal that is over."""
    new = _set_up(question)
    require_threes(new.table, asked=question.three_at_a_time)
    seed = None if question.pack is not None else question.seed or token_hex(16)
    order = _order(question, new.table, new.strip, seed)
    state = deal.deal(new.table, order, new.dealer, new.deal, new.scores, threes=question.three_at_a_time)
    return bodies.Deal(wire.write_position(state), seed)


def _contradictions(question: bodies.DealQuestion) -> Iterator[Fault]:
    first = {
        "rules": question.rules,
        "players": question.players,
        "sides": question.sides,
        "dealer": question.dealer,
    }
    if question.after is not None:
        for name in (name for name, value in first.items() if value is not None):
            detail = f"The state after which to deal fixes {name}; leave it out."
            yield Fault("fields_contradict", (name,), detail)
    else:
        for name in ("rules", "dealer"):
            if first[name] is None:
                yield Fault("fields_missing", (name,), f"A first deal needs {name}; a later one needs after.")
        yield from seating_faults(question.players, question.sides)
    for name, value in (("seed", question.seed), ("strip", question.strip)):
        if question.pack is not None and value is not None:
            yield Fault("fields_contradict", (name,), f"The order of the pack is given; leave out {name}.")


def _set_up(question: bodies.DealQuestion) -> setup.Setup:
    faults = tuple(_contradictions(question))
    rules, dealer = question.rules, question.dealer
    if not faults and question.after is not None:
        return _set_up_next(_admit(question.after, "after"))
    if faults or rules is None or dealer is None:
        raise refuse_faults(faults)
    try:
        table = choose_table(rules, question.players, question.sides)
    except Impossible as exc:
        raise refuse_faults(exc.faults) from exc
    try:
        return setup.set_up_first_deal(table, dealer)
    except Impossible as exc:
        error = wire.Error("/dealer", "seat_out_of_range", str(exc))
        raise Refusal("impossible_request", str(exc), (error,)) from exc


def _set_up_next(state: State) -> setup.Setup:
    try:
        return setup.set_up_next_deal(state)
    except NoNextDeal as exc:
        raise Refusal(exc.code, str(exc), (wire.Error("/after", exc.code, str(exc)),)) from exc


def usual_strip(table: Table, before: State | None) -> Mask:
    """Tell what is stripped where the caller does not choose: what was before, where that can be told."""
    return table.strips[0] if before is None else setup.set_up_next_deal(before).strip


def require_threes(table: Table, *, asked: bool) -> None:
    """Refuse to deal three at a time where the ruleset does not.

    Errors: Refusal.
    """
    if asked:
        with _refusing():
            setup.require_threes(table)


def _order(question: bodies.DealQuestion, table: Table, usual: Mask, seed: str | None) -> Sequence[Card]:
    if question.pack is not None:
        with _refusing():
            return setup.parse_pack(table, question.pack)
    return shuffle.shuffle(strip_pack(choose_strip(question.strip, table, usual)), seed or "")


def choose_strip(codes: tuple[CardCode, ...] | None, table: Table, usual: Mask) -> Mask:
    """Take the caller's strip, where the ruleset allows it, or the usual one.

    Errors: Refusal.
    """
    with _refusing():
        return setup.choose_strip(table, usual, codes)


@contextmanager
def _refusing() -> Iterator[None]:
    """Refuse a request whose fields are at fault."""
    try:
        yield
    except Impossible as exc:
        raise refuse_faults(exc.faults) from exc
