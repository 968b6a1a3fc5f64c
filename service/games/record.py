"""The record of a live game, in the form that can be adjudicated."""

from service.cards import card_code
from service.games.log import CardPlayed, Dealt, Game, Step
from service.games.views import write_proof
from service.rules.record import Record, RecordedDeal, RecordedPlay
from service.state import State, describe


def write_record(steps: list[Step]) -> Record:
    """Write the record of a game that is over, from all its steps."""
    last = steps[-1].game
    deals: list[RecordedDeal] = []
    plays: list[RecordedPlay] = []
    # Backward, so that the plays of a deal are known when it is reached.
    for step in reversed(steps):
        if isinstance(step.entry, CardPlayed):
            plays.append(RecordedPlay(step.entry.seat, card_code(step.entry.card)))
        elif isinstance(step.entry, Dealt) and step.game.state is not None:
            deals.append(_write_deal(step.game, step.game.state, tuple(reversed(plays))))
            plays = []
    return Record(last.opened.rules, last.opened.sides, tuple(reversed(deals)), last.opened.on_revoke)


def _write_deal(dealt: Game, state: State, plays: tuple[RecordedPlay, ...]) -> RecordedDeal:
    claim = describe(state)
    return RecordedDeal(
        dealer=claim.dealer,
        turn_up=claim.turn_up,
        hands=tuple(hand for hand in claim.hands if not isinstance(hand, int)),
        plays=plays,
        later_hands=tuple(tuple(hand for hand in later if not isinstance(hand, int)) for later in claim.later_hands),
        proof=write_proof(dealt, len(dealt.openings) - 1),
    )
