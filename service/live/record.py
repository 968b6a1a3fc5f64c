"""The record of a live game, in the form that `adjudications` takes."""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from service.game.cards import card_code
from service.game.rules.record import DealStart, Proof, Record, RecordedDeal, RecordedPlay
from service.game.state import State, to_claim
from service.live.entries import DealEntry, PlayEntry, TakeBackEntry
from service.live.log import Game, Step
from service.live.turns import game_phase
from service.live.views import write_proof


class _Deal(NamedTuple):
    """A deal: its first state, the proof of its shuffle, and its plays so far."""

    state: State
    proof: Proof | None
    plays: list[RecordedPlay]


class RecordWriter:
    """Writes the record of a live game step by step, without keeping the steps.

    In a game from a position, the first deal begins at that state.
    """

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        self._deals: list[_Deal] = []
        self._last: Game | None = None
        for step in steps:
            self.add(step)

    def add(self, step: Step) -> None:
        """Add the next step."""
        entry, state = step.entry, step.game.state
        if self._last is None and state is not None:
            self._deals.append(_Deal(state, None, []))
        self._last = step.game
        if isinstance(entry, DealEntry) and state is not None:
            self._deals.append(_Deal(state, write_proof(step.game, len(step.game.shuffles) - 1), []))
        elif isinstance(entry, PlayEntry) and self._deals:
            self._deals[-1].plays.append(RecordedPlay(entry.seat, card_code(entry.card)))
        elif isinstance(entry, TakeBackEntry) and self._deals and not step.game.take_back_agreed:
            self._deals[-1].plays.pop()

    def write(self) -> Record:
        """Write the record; of an unfinished game, only the finished deals."""
        record = self.write_whole()
        playing = self._last is not None and game_phase(self._last) == "playing"
        return replace(record, deals=record.deals[:-1]) if playing else record

    def write_whole(self) -> Record:
        """Write the record with the deal in play, whose cards nobody may see yet.

        Errors: ValueError, if there was no step.
        """
        last = self._last
        if last is None:
            raise ValueError(last)
        first = self._deals[0].state if self._deals else None
        return Record(
            last.opened.rules,
            last.opened.sides,
            tuple(map(_write_deal, self._deals)),
            last.opened.on_revoke,
            1 if first is None else first.deal,
            last.opened.scores or None,
            resigned=last.resigned,
        )


def _write_deal(deal: _Deal) -> RecordedDeal:
    """Write a deal."""
    claim = to_claim(deal.state)
    return RecordedDeal(
        dealer=claim.dealer,
        turn_up=claim.turn_up,
        hands=claim.hands,
        plays=tuple(deal.plays),
        later_hands=claim.later_hands,
        proof=deal.proof,
        start=DealStart(claim.leader, claim.trick, claim.taken) if claim.trick or any(claim.taken) else UNSET,
    )
