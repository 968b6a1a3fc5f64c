"""The record of a live game, in the form that is adjudicated."""

from service.cards import card_code
from service.games.log import CardPlayed, Dealt, Opening, Step
from service.games.views import write_proof
from service.rules.record import Record, RecordedDeal, RecordedPlay
from service.state import State, describe


def write_record(steps: list[Step]) -> Record:
    """Write the record of a game that is over, from all its steps."""
    last = steps[-1].game
    deals: list[RecordedDeal] = []
    plays: list[RecordedPlay] = []
    # From the end: the plays of a deal come before it.
    for step in reversed(steps):
        if isinstance(step.entry, CardPlayed):
            plays.append(RecordedPlay(step.entry.seat, card_code(step.entry.card)))
        elif isinstance(step.entry, Dealt) and step.game.state is not None:
            deals.append(_recorded_deal(step.game.state, step.game.openings[-1], tuple(reversed(plays))))
            plays = []
    return Record(last.opened.rules, last.opened.sides, tuple(reversed(deals)), last.opened.on_revoke)


def _recorded_deal(state: State, opening: Opening, plays: tuple[RecordedPlay, ...]) -> RecordedDeal:
    claim = describe(state)
    return RecordedDeal(
        dealer=claim.dealer,
        turn_up=claim.turn_up,
        hands=tuple(hand for hand in claim.hands if not isinstance(hand, int)),
        plays=plays,
        later_hands=tuple(tuple(hand for hand in later if not isinstance(hand, int)) for later in claim.later_hands),
        proof=write_proof(opening),
    )
