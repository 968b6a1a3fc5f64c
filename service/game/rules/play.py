"""The play of a card, from the hand to the trick; a complete trick goes to its winner, who leads next."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.game.cards import Card, mask_of
from service.game.faults import HandNotSeen
from service.game.rules import game, revoke, score, verdicts
from service.game.rules.deal import play_unchecked
from service.game.rules.judgment import Judgment
from service.game.rulesets import Seat, Side
from service.game.state import State, side_of

OnRevoke: TypeAlias = Annotated[
    Literal["refuse", "penalise"],
    Meta(title="OnRevoke", description="Refuse a revoke, or let it stand and penalise it."),
]
OnUnseen: TypeAlias = Literal["refuse", "as_held"]


class IllegalPlay(Exception):
    """A card that its seat may not play, with its verdict and state."""

    def __init__(self, state: State, verdict: Judgment) -> None:
        super().__init__(verdict.reason)
        self.state = state
        self.verdict = verdict


class Trick(Struct, frozen=True, gc=False):
    """A trick that was taken: the winner, the cards in the order played, and the honours in points."""

    seat: Seat
    side: Side
    cards: tuple[Card, ...]
    honours: int


class Played(Struct, frozen=True, gc=False):
    """A played card, the state after it, and what it caused."""

    seat: Seat
    """The seat that played."""
    card: Card
    """The card."""
    state: State
    """The state after the card."""
    trick: Trick | None
    """The trick that the card completed; None if it completed none."""
    hand_played_out: bool
    """True if the card was the last of the hands in play."""
    revoked: Judgment | None
    """The verdict on the card if it was a revoke that stood; else None."""
    phase: game.Phase
    """The phase after the card."""
    won: game.Won | None
    """The winners, and how they won; None while the game is not won."""


def play(state: State, card: Card, on_revoke: OnRevoke = "refuse", on_unseen: OnUnseen = "refuse") -> Played:
    """Play a card for the seat whose turn it is.

    With `as_held`, a card that a hidden hand can hold is taken as held, and as legal if it can be.
    Errors: NotPlaying if the deal or the game is over; HandNotSeen if what is seen does not decide; IllegalPlay for
    a card that may not be played, unless it is a revoke and revokes are penalised; NoRevokePenalty if they are to be
    penalised and the ruleset names no penalty.

    >>> from service.game.notation.position import read_position
    >>> state = read_position("ctt1_trebor_02.13_1_0.0_0-Ad_9.8.AK9sJ9h6d876c.9_1-Th_0.0")
    >>> play(state, 23).state.trick  # the jack of hearts, after the ten
    (22, 23)
    """
    if on_revoke == "penalise":
        revoke.require_penalty(state.table)
    game.require_playing(state)
    verdict = verdicts.judge_card(state, card, as_held=on_unseen == "as_held")
    if verdict.reason is None:
        return describe_play(state, play_unchecked(state, card), card)
    if on_revoke == "refuse" or verdict.reason == "not_in_hand":
        raise IllegalPlay(state, verdict)
    if "not_in_hand" in verdict.possible:
        raise HandNotSeen(verdict.seat)
    return describe_play(state, revoke.play_revoke(state, card), card)


def replay(state: State, card: Card) -> State:
    """Repeat a card that `play` accepted in this state: a legal one, or a revoke that stood.

    Errors: total for such a card.
    """
    legal = verdicts.legal_cards(state)
    if legal is not None and legal >> card & 1:
        return play_unchecked(state, card)
    return revoke.play_revoke(state, card)


def describe_play(before: State, after: State, card: Card) -> Played:
    """Return what a card caused between two states."""
    # A played card was held, even if the hand is hidden.
    revoked = None if after.revoked is None else verdicts.judge_card(before, card, as_held=True)
    outcome = game.won(after)
    taken = None
    if not after.trick:
        cards = (*before.trick, card)
        honours = score.honour_points(mask_of(cards), after.trump, after.table)
        taken = Trick(after.leader, side_of(after, after.leader), cards, honours)
    return Played(
        seat=before.seat_to_play,
        card=card,
        state=after,
        trick=taken,
        hand_played_out=taken is not None and (after.played_out or before.later_hands != after.later_hands),
        revoked=revoked,
        phase=game.phase(after, outcome),
        won=outcome,
    )


def judge(state: State, card: Card) -> Judgment:
    """Judge a card as `play` would, without playing it.

    Errors: NotPlaying, HandNotSeen.
    """
    game.require_playing(state)
    return verdicts.judge_card(state, card)


def judge_all(state: State) -> tuple[Judgment, ...]:
    """Judge every card of the seat to play.

    Errors: NotPlaying, HandNotSeen.
    """
    game.require_playing(state)
    known = verdicts.known_hand(state)
    if known.must_hold != known.may_hold:
        raise HandNotSeen(state.seat_to_play)
    return verdicts.judge_hand(state, known.must_hold)
