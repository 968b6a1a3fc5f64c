"""The reading of one deal of a record: a verdict on every play, and every irregularity, as far as it can be read.

An illegal card is judged as such, and the deal is read on as it was played. A card that its seat cannot hold and a play
out of turn end the reading, as nobody knows what lay on the table after them.

A card that lay on the table was held. Nothing else is concluded from a play, as any of them may have been illegal: a
play is legal or illegal if it is so in every filling of the hidden hands from which all these cards can have come, and
else undecided. It counts as legal then, unless the table found it to be a revoke.
"""

from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from service.game.cards import BITS, CODES, NUMBER, Card, Mask, mask_of
from service.game.faults import NotPlaying
from service.game.rules import follow, game, play, revoke, score
from service.game.rules.deal import play_unchecked
from service.game.rules.judgment import Judgment
from service.game.rules.record import FoundRevoke, RecordedDeal, RecordedPlay
from service.game.rules.unseen import Constraint, find_hidden, find_hidden_before, is_feasible
from service.game.state import State

PlayCode: TypeAlias = Literal["illegal_play", "out_of_turn", "played_after_deal", "played_after_game", "no_revoke"]


class WrongPlay(Struct, frozen=True):
    """A departure from the rules within a deal."""

    play: int
    """The play, counted from 0."""
    code: PlayCode
    """The way in which it departs."""
    detail: str
    """The departure as a sentence."""
    verdict: Judgment | None = None
    """The verdict on an illegal play; None for any other departure."""
    found: int | None = None
    """The index in `revokes_found` of a play that was no revoke; else None."""


class DealResult(Struct, frozen=True):
    """One deal of a record: every play that could be judged, and the end."""

    verdicts: tuple[tuple[State, Judgment], ...]
    """By play that could be judged: the state before it, and its verdict."""
    wrong: tuple[WrongPlay, ...]
    """The departures from the rules, in the order in which they were found."""
    state: State
    """The state at the end, or where the reading stopped."""
    phase: game.Phase
    """The phase of that state."""
    points: tuple[int, ...]
    """By side: the points of this deal."""
    totals: tuple[int, ...]
    """By side: the game score with the points of this deal."""
    read: bool
    """False if the deal could not be read to its end."""


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


def _lay_cards(dealt: RecordedDeal, state: State) -> list[State]:
    """Return the state before each play, and the last, up to a play out of turn or a card that its seat cannot hold.

    Illegal cards, and those after a revoke or a game that was won, were held all the same.
    """
    states = [state]
    for made in dealt.plays:
        state, card = states[-1], NUMBER[made.card]
        if state.played_out or made.seat != state.seat_to_play or not _can_hold(state, BITS[card]):
            break
        states.append(play_unchecked(state, card))
    return states


def _can_hold(state: State, bit: Mask) -> bool:
    """Return True if the seat to play can hold a card; no card of the trick shows anything, as it may be illegal."""
    seat = state.seat_to_play
    hand = state.hands[seat]
    return bool(hand & bit) if hand >= 0 else is_feasible(find_hidden(state, {}), (seat, 0), Constraint(has=bit))


def _by_play(numbered: tuple[int, FoundRevoke]) -> int:
    return numbered[1].play_index


class _Reading:
    """A deal as far as it is read."""

    def __init__(self, dealt: RecordedDeal, state: State, *, penalise: bool) -> None:
        self.state = state
        self.verdicts: list[tuple[State, Judgment]] = []
        self.wrong: list[WrongPlay] = []
        self._dealt = dealt
        self._penalise = penalise
        self._found = {found.play_index for found in dealt.revokes_found}
        self._laid = _lay_cards(dealt, state)

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
        ends = verdict.reason is not None and self._penalise and at not in self._found
        self.state = revoke.play_revoke(state, card) if ends else self._laid[at + 1]
        self._find_revokes(at)
        return True

    def _judge(self, at: int, card: Card) -> Judgment:
        """Judge a card by all the cards that were laid in the deal: the seat held what it played later, too."""
        state, seat = self.state, self.state.seat_to_play
        size, laid = -state.hands[seat], self._dealt.plays[at : len(self._laid) - 1]
        if size < 0:
            return follow.verdict(state, card)
        played = mask_of(tuple([NUMBER[made.card] for made in laid if made.seat == seat][:size]))
        if played.bit_count() == size:
            hands = (*state.hands[:seat], played, *state.hands[seat + 1 :])
            return follow.verdict(replace(state, hands=hands), card)
        return follow.judge_hidden(
            state, card, find_hidden_before(state, played, self._laid[-1]), revoked=at in self._found
        )

    def _find_revokes(self, at: int) -> None:
        """Find the revokes that were found after a play; if they are penalised, the earliest ends the deal there."""
        illegal = {wrong.play for wrong in self.wrong if wrong.code == "illegal_play"}
        for index, found in sorted(enumerate(self._dealt.revokes_found), key=_by_play):
            if found.after_index != at:
                continue
            if found.play_index not in illegal:
                detail = f"Play {found.play_index} was legal: it was no revoke."
                self.wrong.append(WrongPlay(found.play_index, "no_revoke", detail, found=index))
            elif self._penalise and self.state.revoked is None:
                self.state = replace(self.state, revoked=self._dealt.plays[found.play_index].seat)
