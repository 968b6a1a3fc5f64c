from itertools import combinations, permutations

import pytest
from hypothesis import given

from service.game.cards import BITS, NUMBER, cards_of
from service.game.rules.follow_suit import bars_trump_lead, cards_that_forbid, may_discard, playable
from service.game.rulesets import make_table, usual_sides
from service.game.state import State
from tests.support.claims import mask, numbers, written
from tests.support.strategies import states


def hearts(rules: str, *, opening: bool) -> State:
    """Lay a table for four with hearts for trumps, at which nothing is taken yet, or a trick."""
    table = make_table(rules, usual_sides(rules, 4))
    taken = [0] * len(table.sides)
    taken[0] = 0 if opening else mask("6S 7S 8S 9S")
    return State(table, 3, 1, (0,) * len(taken), NUMBER["9H"], (0,) * 4, (), 0, (), tuple(taken))


@pytest.mark.parametrize(
    ("rules", "discards", "bars"),
    [("denexa", True, False), ("take-ten", False, False), ("lots-of-kids", True, True)],
)
def test_what_a_ruleset_asks_beside_following_suit(rules: str, discards: bool, bars: bool) -> None:
    table = make_table(rules, usual_sides(rules, 4))
    assert (may_discard(table), bars_trump_lead(table)) == (discards, bars)


@pytest.mark.parametrize(
    ("rules", "led", "hand", "legal"),
    [
        pytest.param("denexa", None, "6C 9D KH AS", "6C 9D KH AS", id="the leader plays any card"),
        pytest.param("denexa", "D", "6C 9D TD KH", "9D TD", id="follow suit if able"),
        pytest.param("denexa", "H", "6C 9D KH", "KH", id="follow a trump led with a trump"),
        pytest.param("denexa", "S", "6C 9D KH", "6C 9D KH", id="a void hand plays any card"),
        pytest.param("take-ten", "D", "6C 9D KH", "9D", id="take-ten: follow suit before trumping"),
        pytest.param("take-ten", "S", "6C 9D 7H KH", "7H KH", id="take-ten: a void hand trumps if able"),
        pytest.param("take-ten", "S", "6C 9D", "6C 9D", id="take-ten: without a trump any card"),
        pytest.param("take-ten", "H", "6C 9D", "6C 9D", id="take-ten: void in trumps any card"),
        pytest.param("take-ten", None, "6C KH", "6C KH", id="take-ten: the leader plays any card"),
        pytest.param("lots-of-kids", None, "6C KH", "6C KH", id="lots-of-kids: later leads are free"),
        pytest.param("lots-of-kids", "S", "6C 9D KH", "6C 9D KH", id="lots-of-kids: a void hand plays any card"),
    ],
)
def test_the_playable_cards_of_a_hand_with_hearts_for_trumps(
    rules: str, led: str | None, hand: str, legal: str
) -> None:
    trick = () if led is None else numbers(f"7{led}")
    assert written(playable(hearts(rules, opening=False), trick, mask(hand))) == legal


HANDS = [" ".join(cards) for size in (1, 2, 3, 4) for cards in combinations(("8C", "8D", "8H", "8S"), size)]
TRICKS = [
    [led, *others] for led in ("7D", "7H") for size in (0, 1, 2) for others in permutations(("9C", "9D", "9H"), size)
]


@pytest.mark.parametrize(("rules", "must_trump"), [("denexa", False), ("take-ten", True), ("lots-of-kids", False)])
@pytest.mark.parametrize("trick", TRICKS, ids=" ".join)
def test_the_suit_led_and_the_hand_alone_decide_whatever_lies_on_the_lead(
    rules: str, must_trump: bool, trick: list[str]
) -> None:
    state = hearts(rules, opening=False)
    for hand in HANDS:
        held = hand.split()
        follows = [card for card in held if card[1] == trick[0][1]]
        trumps = [card for card in held if card[1] == "H"] if must_trump else []
        assert written(playable(state, numbers(" ".join(trick)), mask(hand))) == " ".join(follows or trumps or held)


@pytest.mark.parametrize(
    ("rules", "hand", "legal"),
    [
        pytest.param("denexa", "6C KH", "6C KH", id="any card opens a deal"),
        pytest.param("lots-of-kids", "6C 9D KH", "6C 9D", id="lots-of-kids: no trump opens a deal"),
        pytest.param("lots-of-kids", "7H KH", "7H KH", id="lots-of-kids: a hand of trumps opens with any"),
    ],
)
def test_the_cards_that_may_open_a_deal_with_hearts_for_trumps(rules: str, hand: str, legal: str) -> None:
    assert written(playable(hearts(rules, opening=True), (), mask(hand))) == legal


def test_what_opens_a_deal_does_not_bind_those_that_follow() -> None:
    cards = playable(hearts("lots-of-kids", opening=True), numbers("7S"), mask("6C KH"))
    assert written(cards) == "6C KH"


@given(states(playing=True))
def test_a_card_is_playable_exactly_if_the_hand_holds_none_that_forbid_it(state: State) -> None:
    hand = state.hands[state.seat_to_play]
    led = state.trick[0] if state.trick else None
    allowed = [card for card in cards_of(hand) if not hand & cards_that_forbid(state, led, card)]
    assert sum(BITS[card] for card in allowed) == playable(state, state.trick, hand)
