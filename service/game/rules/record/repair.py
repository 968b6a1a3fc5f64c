"""The repair of a deal: a missing play, or a mistyped card, if all other plays settle it.

One play is added or changed, and every play of the deal has to be legal then. If exactly one such change is found, it
is assumed. Source: none; this project's reading of records.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from service.game.cards import BITS, CODES, FULL_PACK, NUMBER, Card, CardCode, cards_of, parse_mask
from service.game.generators import Sliced
from service.game.rules.deal import play_unchecked
from service.game.rules.follow_suit import playable
from service.game.rules.record import RecordedPlay
from service.game.rules.record.laying import can_hold, lay
from service.game.rules.visibility import visible_cards
from service.game.state import State


class Repair(Struct, frozen=True):
    """A play that is assumed."""

    before: int
    """The play that it comes before, or replaces."""
    assumed: RecordedPlay
    """The play."""
    is_missing: bool
    """True if it was not written; False if it was written with another card."""


def find_repair(plays: Sequence[RecordedPlay], states: Sequence[State]) -> Sliced[Repair | None]:
    """Return the repair that makes all plays legal, if there is just one, and yield before each place.

    Shape: `states` are the states before each play that fits, and before the first play that does not.
    """
    last = next(at for at, state in enumerate(states) if not _are_legal(state, plays[at : at + 1]))
    found = list[Repair]()
    for before, state in enumerate(states[: last + 1]):
        yield
        found += _list_repairs(plays, before, state, plays[len(states) - 1].card)
    return found[0] if len(found) == 1 else None


def _list_repairs(plays: Sequence[RecordedPlay], before: int, state: State, misfit: CardCode) -> Iterator[Repair]:
    """List the repairs at a place: add a play or, if the card does not fit, change it."""
    yield from (Repair(before, play, is_missing=True) for play in _list_assumed(state, plays[before:]))
    if plays[before].seat == state.seat_to_play and plays[before].card == misfit:
        yield from (Repair(before, play, is_missing=False) for play in _list_assumed(state, plays[before + 1 :]))


def _list_assumed(state: State, following: Sequence[RecordedPlay]) -> Iterator[RecordedPlay]:
    """List the plays of the seat to play after which all later plays are legal."""
    for card in _list_guesses(state, following):
        if _are_legal(play_unchecked(state, card), following):
            yield RecordedPlay(state.seat_to_play, CODES[card])


def _list_guesses(state: State, following: Sequence[RecordedPlay]) -> tuple[Card, ...]:
    """List the cards that may be assumed: the last one of a hidden hand, or each legal one of a shown hand."""
    hand, later = state.hands[state.seat_to_play], parse_mask(tuple([made.card for made in following]))
    if hand >= 0:
        return cards_of(playable(state, state.trick, hand) & ~later)
    unseen = [card for card in cards_of(FULL_PACK & ~(visible_cards(state) | later)) if can_hold(state, BITS[card])]
    return tuple(unseen) if len(unseen) == 1 else ()


def _are_legal(state: State, plays: Sequence[RecordedPlay]) -> bool:
    """Return True if plays are legal, one after the other; of a hidden hand, if it can hold each of them."""
    for made in plays:
        after = lay(state, made)
        hand = state.hands[made.seat] if after is not None else 0
        if after is None or (hand >= 0 and not playable(state, state.trick, hand) & BITS[NUMBER[made.card]]):
            return False
        state = after
    return True
