"""The reading of one deal of a record: a verdict on every play, and every irregularity, as far as it can be read.

An illegal card is judged as such, and the deal is read on as it was played. At a card that its seat cannot hold and at
a play out of turn a slip is assumed, if one makes sense of what follows; else the reading stops there.

A card that lay on the table was held. A play proves nothing else, because any play may have been illegal. A play is
legal, or illegal, if it is so in every filling of the hidden hands that has all these cards. Otherwise it is undecided.
An undecided play counts as legal, unless the table found a revoke.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct, UnsetType
from msgspec.structs import replace

from service.game.cards import NUMBER, Card, mask_of
from service.game.generators import Sliced
from service.game.rules import game, play, revoke, score, verdicts
from service.game.rules.judgment import Judgment
from service.game.rules.record import DealEnd, FoundRevoke, RecordedDeal, RecordedPlay
from service.game.rules.record.ending import find_taker, give_cards_left
from service.game.rules.record.reading_order import Laid, SlipCode, lay_plays
from service.game.rules.unseen import find_hidden_before
from service.game.state import State

PlayCode: TypeAlias = Literal[
    SlipCode,
    "illegal_play",
    "played_after_deal",
    "played_after_game",
    "no_revoke",
    "reading_stopped",
    "deal_claimed",
    "deal_conceded",
    "claim_not_counted",
]


class WrongPlay(Struct, frozen=True):
    """A departure from the rules within a deal."""

    play: int | None
    """The play, counted from 0; None for the end of the deal."""
    code: PlayCode
    """The way in which it departs."""
    detail: str
    """The departure as a sentence."""
    verdict: Judgment | None = None
    """The verdict on an illegal play; None for any other departure."""
    found: int | None = None
    """The index in `revokes_found` of a play that was no revoke; else None."""
    assumed: RecordedPlay | None = None
    """The play that is assumed, if one is missing or was mistyped; else None."""


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
    order: tuple[int, ...]
    """By verdict, the play that it is on, counted from 0 as written."""
    unread: int | None
    """The plays after the one at which the reading stopped; None if the deal was read to its end."""


def read_deal(dealt: RecordedDeal, state: State, on_revoke: play.OnRevoke) -> Sliced[DealResult]:
    """Judge the plays of a deal, from its first state on."""
    laid = yield from lay_plays(dealt.plays, state)
    reading = _Reading(dealt, state, laid, penalise=on_revoke == "penalise")
    stop = next((at for at in range(len(reading.order)) if not reading.take(at)), None)
    reading.tell_slips(len(reading.order))
    unread = None if stop is None else len(reading.order) - stop - 1
    if stop is not None:
        reading.tell_stop(stop)
    if not isinstance(dealt.ended_by, UnsetType):
        reading.end(dealt.ended_by, stopped=stop is not None)
    state = reading.state
    phase = game.phase(state, game.won(state))
    return DealResult(
        tuple(reading.verdicts),
        tuple(reading.wrong),
        state,
        phase,
        score.points(state),
        score.totals(state),
        tuple(reading.judged),
        unread,
    )


def _by_play(numbered: tuple[int, FoundRevoke]) -> int:
    return numbered[1].play_index


_VERBS: Final = {"claim": "claimed", "concession": "conceded"}


class _Reading:
    """A deal as far as it is read."""

    def __init__(self, dealt: RecordedDeal, state: State, laid: Laid, *, penalise: bool) -> None:
        self.state = state
        self.verdicts: list[tuple[State, Judgment]] = []
        self.judged: list[int] = []
        self.wrong: list[WrongPlay] = []
        self._dealt = dealt
        self._penalise = penalise
        self._found = {found.play_index for found in dealt.revokes_found}
        self.order, self._laid, self._slips = laid.order, laid.states, laid.slips
        self._plays, self._missing = laid.plays, laid.missing

    def take(self, at: int) -> bool:
        """Judge and make a play, counted in reading order; return False if reading stops there."""
        state, made, index = self.state, self._plays[at], self.order[at]
        phase = game.phase(state, game.won(state))
        self.tell_slips(at)
        if at == self._missing:
            self.state = self._laid[at + 1] if phase == "playing" else state
            return True
        if phase != "playing":
            self._tell_late(index, phase)
            return True
        if made.seat != state.seat_to_play:
            detail = f"Seat {made.seat} played; it was seat {state.seat_to_play}'s turn."
            self.wrong.append(WrongPlay(index, "out_of_turn", detail))
            return False
        verdict = self._judge(at, NUMBER[made.card])
        self.verdicts.append((state, verdict))
        self.judged.append(index)
        if verdict.reason is not None:
            detail = f"Seat {made.seat} played {made.card}: {verdict.reason}."
            self.wrong.append(WrongPlay(index, "illegal_play", detail, verdict))
        if verdict.reason == "not_in_hand":
            return False
        ends = verdict.reason is not None and self._penalise and index not in self._found
        self.state = revoke.play_revoke(state, NUMBER[made.card]) if ends else self._laid[at + 1]
        self._find_revokes(at)
        return True

    def tell_stop(self, at: int) -> None:
        """Note where the reading stopped, and how much was left."""
        left = len(self.order) - at - 1
        detail = (
            f"The reading stopped at play {self.order[at]}, and {left} plays after it were left: how the deal ended "
        )
        self.wrong.append(WrongPlay(self.order[at], "reading_stopped", detail + "is not known."))

    def end(self, end: DealEnd, *, stopped: bool) -> None:
        """Give the remaining cards to a side by a claim or a concession; note it, or why it does not count."""
        state, table = self.state, self.state.table
        side = find_taker(table, end)
        playing = not stopped and game.phase(state, game.won(state)) == "playing"
        after = give_cards_left(state, side) if side is not None and playing else None
        if side is None or after is None:
            why = "nobody knows which cards were left" if playing else "the deal was not in play after what was read"
            self.wrong.append(WrongPlay(None, "claim_not_counted", f"The {end.how} of seat {end.seat}: {why}."))
            return
        self.state = after
        left, verb = after.taken[side].bit_count() - state.taken[side].bit_count(), _VERBS[end.how]
        detail = (
            f"Seat {end.seat} {verb}: side {side} takes the {left} cards that were left. No source has a rule for it."
        )
        self.wrong.append(WrongPlay(None, "deal_claimed" if end.how == "claim" else "deal_conceded", detail))

    def tell_slips(self, at: int) -> None:
        """Note the slips before a play; after the end of the deal they are only late plays."""
        phase = game.phase(self.state, game.won(self.state))
        for slip in self._slips:
            if slip.before == at and phase == "playing":
                self.wrong.append(WrongPlay(slip.play, slip.code, slip.detail, assumed=slip.assumed))
            elif slip.before == at and slip.play not in self.order:
                self._tell_late(slip.play, phase)

    def _tell_late(self, index: int, phase: game.Phase) -> None:
        code: PlayCode = "played_after_game" if phase == "game_over" else "played_after_deal"
        self.wrong.append(WrongPlay(index, code, "The game is over." if phase == "game_over" else "The deal is over."))

    def _judge(self, at: int, card: Card) -> Judgment:
        """Judge a card by all cards played in the deal: the seat also held its later ones."""
        state, seat = self.state, self.state.seat_to_play
        size, laid = -state.hands[seat], self._plays[at : len(self._laid) - 1]
        if size < 0:
            return verdicts.judge_card(state, card)
        played = mask_of(tuple([NUMBER[made.card] for made in laid if made.seat == seat][:size]))
        if played.bit_count() == size:
            hands = (*state.hands[:seat], played, *state.hands[seat + 1 :])
            return verdicts.judge_card(replace(state, hands=hands), card)
        return verdicts.judge_hidden(
            state, card, find_hidden_before(state, played, self._laid[-1]), revoked=self.order[at] in self._found
        )

    def _find_revokes(self, at: int) -> None:
        """Find the revokes that were found after a play; if they are penalised, the earliest ends the deal there."""
        illegal = {wrong.play for wrong in self.wrong if wrong.code == "illegal_play"}
        for index, found in sorted(enumerate(self._dealt.revokes_found), key=_by_play):
            if not self.order[at] <= found.after_index < min(self.order[at + 1 :], default=len(self._dealt.plays)):
                continue
            if found.play_index not in illegal:
                detail = f"Play {found.play_index} was legal: it was no revoke."
                self.wrong.append(WrongPlay(found.play_index, "no_revoke", detail, found=index))
            elif self._penalise and self.state.revoked is None:
                self.state = replace(self.state, revoked=self._dealt.plays[found.play_index].seat)
