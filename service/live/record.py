"""The record of a live game, in the form that can be adjudicated."""

from msgspec.structs import replace

from service.game.cards import card_code
from service.game.rules.record import Proof, Record, RecordedDeal, RecordedPlay
from service.game.state import State, describe
from service.live.entries import DealEntry, PlayEntry, TakeBackEntry
from service.live.log import Step
from service.live.turns import game_phase
from service.live.views import write_proof


def write_record(steps: list[Step]) -> Record:
    """Write the record of a game from all its steps: of one that goes on, the deals that are over."""
    record = write_whole_record(steps)
    playing = game_phase(steps[-1].game) == "playing"
    return replace(record, deals=record.deals[:-1]) if playing else record


def write_whole_record(steps: list[Step]) -> Record:
    """Write the record of a game with the deal that is being played, whose cards nobody may see yet.

    Of a deal that was taken up in its middle nobody knows the plays: the record begins with the one after it.
    """
    last, taken_up = steps[-1].game, steps[0].game.state
    deals = _write_deals(steps)
    first = deals[0][0] if deals else taken_up
    return Record(
        last.opened.rules,
        last.opened.sides,
        tuple([deal for _, deal in deals]),
        last.opened.on_revoke,
        1 if first is None else first.deal,
        last.opened.scores or None if taken_up is None or first is None else first.scores,
        resigned=last.resigned,
    )


def _write_deals(steps: list[Step]) -> list[tuple[State, RecordedDeal]]:
    """Write every deal of a game whose plays are known from its first on, with the state in which it began."""
    deals: list[tuple[State, RecordedDeal]] = []
    plays: list[RecordedPlay] = []
    taken_back = 0
    # Backward, so that the plays of a deal are known when it is reached, and what was taken back is passed over.
    for step in reversed(steps):
        if isinstance(step.entry, TakeBackEntry):
            taken_back += not step.game.asked
        elif isinstance(step.entry, PlayEntry) and taken_back:
            taken_back -= 1
        elif isinstance(step.entry, PlayEntry):
            plays.append(RecordedPlay(step.entry.seat, card_code(step.entry.card)))
        elif isinstance(step.entry, DealEntry) and step.game.state is not None:
            proof = write_proof(step.game, len(step.game.shuffles) - 1)
            deals.append((step.game.state, _write_deal(step.game.state, plays, proof)))
            plays = []
    taken_up = steps[0].game.state
    if taken_up is not None and not taken_up.trick and not any(taken_up.taken):
        deals.append((taken_up, _write_deal(taken_up, plays, None)))
    return deals[::-1]


def _write_deal(state: State, plays: list[RecordedPlay], proof: Proof | None) -> RecordedDeal:
    """Write a deal; its plays come backward."""
    claim = describe(state)
    return RecordedDeal(
        dealer=claim.dealer,
        turn_up=claim.turn_up,
        hands=claim.hands,
        plays=tuple(reversed(plays)),
        later_hands=claim.later_hands,
        proof=proof,
    )
