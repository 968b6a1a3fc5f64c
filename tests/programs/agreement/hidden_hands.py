"""With hidden hands, every answer is given exactly where all fillings of them give the same, and it is that answer.

`python -m tests.programs.agreement.hidden_hands 20000` compares 20,000 random endings.
"""

import sys
from collections.abc import Callable
from random import Random

import msgspec

from service.game.cards import mask_codes
from service.game.rules import unseen
from service.game.rules.admission import admit
from service.game.state import Claim
from service.schemas.refusal import Refusal
from tests.programs.agreement.asking import Json, ask
from tests.programs.agreement.endings import MAX_FILLINGS, any_ending, fillings_about
from tests.programs.agreement.expected import PACK, as_held, in_pack_order, position, tidy, view
from tests.reference import engine
from tests.reference.engine import State
from tests.reference.fillings import Place, cards_at, cards_not_in_sight, chance_of, fillings, hidden_places


def compare_ending(state: State, chance: Random) -> bool:
    """Compare all answers about a state with those of its fillings, one by one; return True if it can be."""
    full = list(fillings(state))
    diagnosis = ask("diagnoses", state=state)
    assert diagnosis["possible"] is bool(full), diagnosis
    if not full:
        return False
    compare_hands(state, full)
    compare_knowledge(chance.choice(full), chance)
    if state["revoked"] is None:
        compare_moves(state, full)
        hidden = cards_not_in_sight(state)
        for card in [*hidden, *chance.sample(PACK, 2)]:
            compare_verdict(state, full, card)
            compare_play(state, full, card)
    return True


def compare_hands(state: State, full: list[State]) -> None:
    """Compare what is known of each hidden hand with the fillings."""
    known = unseen.find_hidden(admit(msgspec.convert(state, Claim)))
    for place in hidden_places(state):
        must_hold, may_hold = in_all_and_in_some(full, place)
        held = unseen.bound_hand(known, place)
        assert [*mask_codes(held.must_hold)] == must_hold
        assert [*mask_codes(held.may_hold)] == may_hold


def in_all_and_in_some(full: list[State], place: Place) -> tuple[list[str], list[str]]:
    """Return the cards that a hand has in all of these states, and those that it has in some."""
    held = [cards_at(one, place) for one in full]
    may_hold = in_pack_order([*{card for cards in held for card in cards}])
    return [card for card in may_hold if all(card in cards for cards in held)], may_hold


def compare_knowledge(state: State, chance: Random) -> None:
    """Compare what a spectator or a seat can know of a state with the fillings of its view, if they are few."""
    eyes = chance.choice([None, *range(len(state["hands"]))])
    seen = view(state, eyes)
    if fillings_about(seen) > MAX_FILLINGS:
        return
    full = list(fillings(seen))
    told = ask("knowledge", state=state, seat=eyes, fillings=3)
    known = told["hands"]
    later = len(state["later_hands"][0]) if state["later_hands"] else 0
    places = [Place(seat, at) for seat in range(len(state["hands"])) for at in range(later + 1)]
    places = [place for place in places if place != (eyes, 0)]
    assert [(hand["seat"], hand["hand_index"]) for hand in known] == places
    for hand, place in zip(known, places, strict=True):
        must_hold, may_hold = in_all_and_in_some(full, place)
        assert hand["size"] == len(cards_at(full[0], place))
        assert [sure["card"] for sure in hand["must_hold"]] == as_held(state, must_hold)
        assert hand["may_hold"] == as_held(state, may_hold)
        void = [suit for suit in engine.SUITS if not any(card[1] == suit for card in may_hold)]
        assert [found["suit"] for found in hand["void"]] == void
    if state["revoked"] is None:
        compare_chances(told, full)


def compare_chances(told: Json, full: list[State]) -> None:
    """Compare the chance of each card in each hand, and the fillings drawn, with all fillings."""
    for hand in told["hands"]:
        place = Place(hand["seat"], hand["hand_index"])
        assert hand["chances"] == [chance_of(full, place, card) for card in hand["may_hold"]]
    hands = [(tidy(one)["hands"], tidy(one)["later_hands"]) for one in full]
    assert all((drawn["hands"], drawn["later_hands"]) in hands for drawn in told["fillings"])


def compare_moves(state: State, full: list[State]) -> None:
    turn = engine.turn(full[0])
    assert turn is not None
    hands = {frozenset(one["hands"][turn]) for one in full}
    legal = {frozenset(engine.legal_cards(one)) for one in full}
    position = ask("positions", state=state)
    assert position["turn"] == turn
    assert position["legal_cards"] == (as_held(state, list(*legal)) if len(legal) == 1 else None)
    moves = refusable(lambda: ask("legal_moves", state=state))
    if len(hands) > 1:
        assert moves == "hand_not_seen"
    else:
        assert not isinstance(moves, str)
        assert moves["legal_cards"] == position["legal_cards"]
        reasons = {card: engine.verdict(full[0], card) for card in as_held(state, list(*hands))}
        assert {verdict["card"]: verdict["reason"] for verdict in moves["verdicts"]} == reasons


def compare_verdict(state: State, full: list[State], card: str) -> None:
    reasons = {engine.verdict(one, card) for one in full}
    verdict = refusable(lambda: ask("verdicts", state=state, card=card))
    if None in reasons and len(reasons) > 1:
        assert verdict == "hand_not_seen"
        return
    assert not isinstance(verdict, str)
    assert verdict["legal"] is (reasons == {None})
    if len(reasons) == 1:
        assert {verdict["reason"]} == reasons
        assert verdict["possible"] is None
    else:
        assert (verdict["reason"], verdict["rule"]) == ("depends_on_hand", None)
        assert {possible["reason"] for possible in verdict["possible"]} == reasons


def compare_play(state: State, full: list[State], card: str) -> None:
    """Compare a card taken as held with its play in the first filling where it is legal."""
    legal = [one for one in full if engine.verdict(one, card) is None]
    played = refusable(lambda: ask("next_states", state=state, cards=[card], unseen="as_held"))
    if not legal:
        assert played == "illegal_play"
        return
    assert not isinstance(played, str)
    after = engine.play(legal[0], card)
    should_be = {**position(after), "state": None, "legal_cards": None}
    assert {**played["position"], "state": None, "legal_cards": None} == should_be
    assert fill_as(played["position"]["state"], after) == tidy(after)


def fill_as(seen: State, full: State) -> State:
    """Fill the hidden hands of a state with those of another one, where they have as many cards."""
    hands = [fill_in(hand, other) for hand, other in zip(seen["hands"], full["hands"], strict=True)]
    later = [
        [fill_in(hand, other) for hand, other in zip(hands, others, strict=True)]
        for hands, others in zip(seen["later_hands"], full["later_hands"], strict=True)
    ]
    return tidy({**seen, "hands": hands, "later_hands": later})


def fill_in(hand: list[str] | int, other: list[str]) -> list[str]:
    return other if hand == len(other) else list(hand) if isinstance(hand, list) else []


def refusable(question: Callable[[], Json]) -> Json | str:
    """Return an answer, or the code of the problem."""
    try:
        return question()
    except Refusal as refusal:
        return refusal.code


def compare_endings(count: int, seed: str) -> tuple[int, int]:
    """Compare endings; return how many can be and how many cannot."""
    possible = 0
    for number in range(count):
        chance = Random(f"{seed}-{number}")
        possible += compare_ending(any_ending(chance), chance)
    return possible, count - possible


if __name__ == "__main__":
    possible, impossible = compare_endings(int(sys.argv[1]), "-".join(sys.argv[2:]) or "endings")
    print(f"{possible + impossible} endings agree: {possible} can be, {impossible} cannot")
