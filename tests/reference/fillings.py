"""Every way to fill the hands that are not seen, listed one by one.

Written from what a state shows, with strings and lists, to check the main engine against: nothing is concluded here,
all is tried.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import NamedTuple

from tests.reference import engine
from tests.reference.engine import State


class Place(NamedTuple):
    """A hand of a seat: 0 is the one in play, 1 the next."""

    seat: int
    at: int


def hidden_places(state: State) -> list[Place]:
    """The hidden hands: only their number of cards is told."""
    places = [
        Place(seat, at)
        for seat in range(len(state["hands"]))
        for at in range(1 + (len(state["later_hands"][seat]) if state["later_hands"] else 0))
    ]
    return [place for place in places if isinstance(hand_at(state, place), int)]


def hand_at(state: State, place: Place) -> list[str] | int:
    """The hand at a place."""
    hands = [state["hands"][place.seat]]
    if state["later_hands"]:
        hands += state["later_hands"][place.seat]
    found: list[str] | int = hands[place.at]
    return found


def cards_at(state: State, place: Place) -> list[str]:
    """The cards of a hand that is filled or shown."""
    hand = hand_at(state, place)
    assert isinstance(hand, list)
    return hand


def cards_not_in_sight(state: State) -> list[str]:
    """All cards outside shown hands, trick and piles."""
    seen = [*state["trick"]]
    for pile in [*state["taken"], *state["hands"], *(hand for hands in state["later_hands"] for hand in hands)]:
        seen += pile if isinstance(pile, list) else []
    return [rank + suit for suit in engine.SUITS for rank in engine.RANKS if rank + suit not in seen]


def fillings(state: State) -> Iterator[State]:
    """Every state that looks like this one and can be: the hands filled, the turn-up in its place, the trick legal."""
    yield from _fill(state, hidden_places(state), cards_not_in_sight(state))


def _fill(state: State, places: list[Place], cards: list[str]) -> Iterator[State]:
    if not places:
        if _can_be_left_over(state, cards) and _trick_can_be(state):
            yield state
        return
    first = places[0]
    size = hand_at(state, first)
    assert isinstance(size, int)
    for hand in combinations(cards, size):
        if _has_turn_up_in_place(state, first, hand, cards):
            yield from _fill(_with_hand(state, first, list(hand)), places[1:], [c for c in cards if c not in hand])


def _has_turn_up_in_place(state: State, place: Place, hand: tuple[str, ...], cards: list[str]) -> bool:
    """The turn-up, if not in sight, is in the dealer's last hand and in no other."""
    wanted = place == last_place(state) and state["turn_up"] in cards
    return (state["turn_up"] in hand) == wanted


def last_place(state: State) -> Place:
    """The dealer's last hand."""
    return Place(state["dealer"], len(state["later_hands"][state["dealer"]]) if state["later_hands"] else 0)


def _with_hand(state: State, place: Place, hand: list[str]) -> State:
    if place.at == 0:
        return {**state, "hands": [hand if seat == place.seat else old for seat, old in enumerate(state["hands"])]}
    later = [list(hands) for hands in state["later_hands"]]
    later[place.seat][place.at - 1] = hand
    return {**state, "later_hands": later}


def _can_be_left_over(state: State, cards: list[str]) -> bool:
    """The cards in no hand hold a strip that the table allows, and not the turn-up."""
    out, choice = strips_of(state)
    return state["turn_up"] not in cards and len(choice & set(cards)) >= out


def strips_of(state: State) -> tuple[int, set[str]]:
    """How many cards are out of the pack, and the cards that they are chosen from."""
    table = next(table for table in _rules(state)["tables"] if table["players"] == len(state["hands"]))
    return len(table["strip"]), set(table.get("strip_choice") or table["strip"])


def chance_of(full: list[State], place: Place, card: str) -> float:
    """The part of all deals in which a hand holds a card: which cards are out of the pack makes another deal, too."""
    return sum(_ways(one) for one in full if card in cards_at(one, place)) / sum(map(_ways, full))


def _ways(full: State) -> int:
    """How many choices of the cards that are out of the pack the cards in no hand allow."""
    out, choice = strips_of(full)
    return comb(len(choice & set(cards_not_in_sight(full))), out)


def _trick_can_be(state: State) -> bool:
    """Every card of the trick was legal, except a revoke, which is the last card."""
    broken = [engine.broken_rule_in_trick(state, place) is not None for place in range(len(state["trick"]))]
    revoked = state["revoked"] is not None
    return broken == [revoked and place == len(broken) - 1 for place in range(len(broken))]


def _rules(state: State) -> engine.Rules:
    rules: str | engine.Rules = state["rules"]
    return engine.RULESETS[rules] if isinstance(rules, str) else rules
