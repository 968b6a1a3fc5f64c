"""The reading of one deal of a record: a verdict on every play, and every irregularity, as far as it can be read.

An illegal card is judged as such, and the deal is read on as it was played. A card that its seat cannot hold and a play
out of turn end the reading, as nobody knows what lay on the table after them.
"""

from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from service.cards import BITS, CODES, NUMBER, Card, CardCode, Mask
from service.faults import NotPlaying
from service.rules import follow, game, play, revoke, score
from service.rules.duty import broken_duty, playable
from service.rules.record import RecordedDeal, RecordedPlay
from service.rulesets import Table
from service.state import Claim, HandClaim, State

PlayCode: TypeAlias = Literal["illegal_play", "out_of_turn", "played_after_deal", "played_after_game", "no_revoke"]


class WrongPlay(Struct, frozen=True):
    """A departure from the rules; `found` is its index in `revokes_found` if it is a play that was no revoke."""

    play: int
    code: PlayCode
    detail: str
    verdict: follow.Verdict | None = None
    found: int | None = None


class DealResult(Struct, frozen=True):
    """One deal of a record: every play that could be judged, with its verdict and the state before it, and the end.

    Shape: `read` is False if the deal could not be read to its end.
    """

    verdicts: tuple[tuple[State, follow.Verdict], ...]
    wrong: tuple[WrongPlay, ...]
    state: State
    phase: game.Phase
    points: tuple[int, ...]
    totals: tuple[int, ...]
    read: bool


def fill_hands(claim: Claim, dealt: RecordedDeal, table: Table) -> Claim:
    """Fill the hidden hands of a deal that its seats played out: all their cards are known from the plays."""

    def fill(seat: int, at: int, hand: HandClaim) -> HandClaim:
        if not isinstance(hand, int):
            return hand
        played: list[CardCode] = [made.card for made in dealt.plays if made.seat == seat]
        cards = tuple(played[at * table.cards :][: table.cards])
        return cards if hand == len(cards) == len(set(cards)) else hand

    hands = tuple(fill(seat, 0, hand) for seat, hand in enumerate(claim.hands))
    later = tuple(
        tuple(fill(seat, at, hand) for at, hand in enumerate(hands_of_seat, 1))
        for seat, hands_of_seat in enumerate(claim.later_hands)
    )
    return replace(claim, hands=hands, later_hands=later)


def read_deal(dealt: RecordedDeal, state: State, on_revoke: play.OnRevoke) -> DealResult:
    """Judge the plays of a deal, from its first state on."""
    reading = _Reading(dealt, state, penalise=on_revoke == "penalise")
    read = all(reading.take(at, made) for at, made in enumerate(dealt.plays))
    state = reading.state
    phase = game.phase(state, game.won(state))
    return DealResult(
        tuple(reading.verdicts),
        tuple(reading.wrong),
        state,
        phase,
        score.points(state),
        score.totals(state),
        read,
    )


class _Reading:
    """A deal as far as it is read."""

    def __init__(self, dealt: RecordedDeal, state: State, *, penalise: bool) -> None:
        self.state = state
        self.verdicts: list[tuple[State, follow.Verdict]] = []
        self.wrong: list[WrongPlay] = []
        self._dealt = dealt
        self._penalise = penalise
        self._late = {found.play for found in dealt.revokes_found}

    def take(self, at: int, made: RecordedPlay) -> bool:
        """Judge a play and make it; return False if the deal cannot be read on from there."""
        state, card = self.state, NUMBER[made.card]
        phase = game.phase(state, game.won(state))
        if phase != "playing":
            code: PlayCode = "played_after_deal" if phase == "deal_over" else "played_after_game"
            self.wrong.append(WrongPlay(at, code, str(NotPlaying(phase))))
            return True
        if made.seat != state.seat_to_play:
            detail = f"Seat {made.seat} played; it was seat {state.seat_to_play}'s turn."
            self.wrong.append(WrongPlay(at, "out_of_turn", detail))
            return False
        verdict = self._judge(at, card)
        self.verdicts.append((state, verdict))
        if verdict.reason is not None:
            detail = f"Seat {made.seat} played {CODES[card]}: {verdict.reason}."
            self.wrong.append(WrongPlay(at, "illegal_play", detail, verdict))
        if verdict.reason == "not_in_hand":
            return False
        ends = verdict.reason is not None and self._penalise and at not in self._late
        self.state = revoke.let_stand(state, card) if ends else play.play_unchecked(state, card)
        self._find_revokes(at)
        return True

    def _judge(self, at: int, card: Card) -> follow.Verdict:
        """Judge a card; a hidden hand holds at least what its seat plays from it later."""
        state = self.state
        seat, verdict = state.seat_to_play, follow.verdict(state, card, as_held=True)
        if verdict.reason is not None or state.hands[seat] >= 0:
            return verdict
        held = self._played_from(seat, at, -state.hands[seat])
        # What is illegal for a part of a hand is so for the whole.
        illegal = not playable(state, state.trick, held) & BITS[card]
        return follow.Verdict(seat, card, broken_duty(state, held), None) if illegal else verdict

    def _played_from(self, seat: int, at: int, count: int) -> Mask:
        played = [BITS[NUMBER[made.card]] for made in self._dealt.plays[at:] if made.seat == seat][:count]
        held = 0
        for bit in played:
            held |= bit
        return held

    def _find_revokes(self, at: int) -> None:
        """Find the revokes that were found after a play; if they are penalised, the first ends the deal there."""
        illegal = {wrong.play for wrong in self.wrong if wrong.code == "illegal_play"}
        for index, found in enumerate(self._dealt.revokes_found):
            if found.after != at:
                continue
            if found.play not in illegal:
                detail = f"Play {found.play} was legal: it was no revoke."
                self.wrong.append(WrongPlay(found.play, "no_revoke", detail, found=index))
            elif self._penalise and self.state.revoked is None:
                self.state = replace(self.state, revoked=self._dealt.plays[found.play].seat)
