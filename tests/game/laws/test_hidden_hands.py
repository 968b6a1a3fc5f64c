"""Laws of hidden hands of any size: what is concluded about them is so in every filling, and all that is so is."""

from random import Random

import pytest
from hypothesis import assume, given, settings
from msgspec.structs import replace

from service.game.cards import Card, cards_of
from service.game.faults import HandNotSeen
from service.game.rules import unseen, verdicts
from service.game.rules.admission import faults
from service.game.rules.follow_suit import cards_that_forbid, duties
from service.game.rules.judgment import Reason
from service.game.rules.view import view
from service.game.state import State, to_claim
from tests.support.matching import has_filling
from tests.support.strategies import chances, half_hidden, hands_of_seats, states


def hidden_hands(state: State) -> list[unseen.HandSlot]:
    return [(seat, at) for seat, hands in enumerate(hands_of_seats(state)) for at, hand in enumerate(hands) if hand < 0]


@settings(max_examples=50)
@given(half_hidden())
def test_what_is_known_of_a_hidden_hand_is_what_every_filling_has(pair: tuple[State, State]) -> None:
    _, seen = pair
    known = unseen.find_hidden(seen)
    for place in hidden_hands(seen)[:2]:
        held = unseen.bound_hand(known, place)
        unsure = held.may_hold & ~held.must_hold
        assert not held.must_hold & ~held.may_hold
        for card in cards_of(known.cards | known.turn_up):
            assert has_filling(seen, place, has=1 << card) is bool(held.may_hold >> card & 1)
            if held.may_hold >> card & 1:
                assert has_filling(seen, place, lacks=1 << card) is bool(unsure >> card & 1)


@given(half_hidden(), chances())
def test_a_verdict_on_a_card_of_a_hidden_hand_is_open_exactly_if_fillings_disagree(
    pair: tuple[State, State], chance: Random
) -> None:
    _, seen = pair
    place = (seen.seat_to_play, 0)
    assume(seen.hands[seen.seat_to_play] < 0)
    known = unseen.find_hidden(seen)
    hidden = cards_of(known.cards | known.turn_up)
    for card in chance.sample(hidden, min(4, len(hidden))):
        found = possible_reasons(seen, place, card)
        if None in found and len(found) > 1:
            with pytest.raises(HandNotSeen):
                verdicts.judge_card(seen, card)
        else:
            verdict = verdicts.judge_card(seen, card)
            assert set(verdict.possible or (verdict.reason,)) == found


def possible_reasons(seen: State, place: unseen.HandSlot, card: Card) -> set[Reason | None]:
    """Return what the verdict on a card is in one filling or another."""
    bit, kept = 1 << card, 0
    found: set[Reason | None] = {"not_in_hand"} if has_filling(seen, place, lacks=bit) else set()
    led = seen.trick[0] if seen.trick else None
    for reason, cards in duties(led, cards_that_forbid(seen, led, card)):
        if cards and has_filling(seen, place, has=bit, lacks=kept, some=cards):
            found.add(reason)
        kept |= cards
    if has_filling(seen, place, has=bit, lacks=kept):
        found.add(None)
    return found


@given(states(playing=True), chances())
def test_a_trick_over_hidden_hands_is_possible_exactly_if_they_have_a_filling(state: State, chance: Random) -> None:
    seen = view(state, None)
    assume(len(seen.trick) > 1)
    others = cards_of(unseen.find_hidden(seen).cards)
    trick = list(seen.trick)
    for at, card in enumerate(chance.sample(others, min(len(trick), len(others)))):
        if trick[at] != seen.turn_up and chance.random() < 0.6:
            trick[at] = card
    shaken = replace(seen, trick=tuple(trick))
    found = {fault.code for fault in faults(to_claim(shaken))}
    # The last is for a strip of choice, none of whose cards are left to be out.
    assert found <= {"illegal_card_in_trick", "hands_cannot_be_filled", "card_not_in_pack"}
    assert bool(found) is not has_filling(shaken)
