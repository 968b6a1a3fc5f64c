import pytest
from hypothesis import given

from service.game.cards import CODES, SUIT_MASKS, SUITS
from service.game.rules.admission import admit
from service.game.rules.knowledge import HandKnowledge, infer_hands
from service.game.rules.unseen import Constraint, HandSlot, find_hidden
from service.game.rules.view import view
from service.game.rulesets import Seat
from service.game.state import Claim, State
from tests.support.claims import claim, house, written
from tests.support.strategies import look_alikes

# Diamonds are led; seat 1 did not follow; seat 2 is to play, and seat 3 has dealt and holds the turn-up.
MIDDLE = claim(hands=("JS", "TC", "7D 8D", "KS 9H"), turn_up="9H", trick="AD QS", tricks=[7, 0, 0, 0])
TO_TRUMP = claim("take-ten", hands=("JS", "TC", "7D TH", "KS 9H"), turn_up="9H", trick="AD QS", tricks=[7, 0, 0, 0])
LATER = claim("gamerules", 2, hands=(6, 6), later=((6, 6), (6, 6)), turn_up="9H")
OPENED = claim(
    house("trebor", opening_lead="no_trump"),
    8,
    hands=("7H 8H TH", 4, 4, 4, 4, 4, 4, "9H 7C 8C 9C"),
    turn_up="9H",
    trick="AH",
)


def known_of(seen: Claim, eyes: Seat | None, place: HandSlot) -> HandKnowledge:
    """Return what is known of one hand."""
    return next(known for known in infer_hands(find_hidden(view(admit(seen), eyes)), eyes) if known.place == place)


@pytest.mark.parametrize(
    ("seen", "eyes", "place", "must_hold", "may_hold"),
    [
        pytest.param(MIDDLE, 0, (3, 0), {"9H": "turn_up"}, "TC 7D 8D 9H KS", id="the dealer has the turn-up"),
        pytest.param(MIDDLE, 0, (1, 0), {}, "TC KS", id="a seat that did not follow has no diamond"),
        pytest.param(MIDDLE, 3, (1, 0), {}, "TC JS", id="two cards can be in it"),
        pytest.param(MIDDLE, 2, (3, 0), {"9H": "turn_up"}, "TC 9H JS KS", id="the rest of its cards is open"),
        pytest.param(TO_TRUMP, 2, (1, 0), {}, "TC JS KS", id="a seat that did not trump has no trump"),
        pytest.param(LATER, 0, (1, 2), {"9H": "turn_up"}, None, id="a later hand with the turn-up"),
        pytest.param(LATER, 0, (0, 1), {}, None, id="a later hand of one's own"),
        pytest.param(
            claim(hands=("AC", "6S", "6D", "9H"), turn_up="9H", tricks=[8, 0, 0, 0]),
            None,
            (3, 0),
            {"9H": "turn_up"},
            "9H",
            id="the turn-up alone",
        ),
        pytest.param(
            claim(hands=("AC", "6S", "", "9H"), turn_up="9H", leader=2, trick="6D", tricks=[0, 0, 8, 0]),
            0,
            (1, 0),
            {"6S": "only_these_fit"},
            "6S",
            id="the last hand but the dealer's",
        ),
        pytest.param(
            claim(hands=("JS", "TC", "7D 8D", "KS 9H"), turn_up="9H", trick="AD KC", tricks=[7, 0, 0, 0]),
            0,
            (1, 0),
            {},
            "TC KS",
            id="a club or a spade",
        ),
    ],
)
def test_what_is_known_of_the_cards_of_a_hand(
    seen: Claim, eyes: Seat | None, place: HandSlot, must_hold: dict[str, str], may_hold: str | None
) -> None:
    known = known_of(seen, eyes, place)
    assert {CODES[card]: reason for card, reason in known.must_hold} == must_hold
    assert may_hold is None or written(known.may_hold) == may_hold


def test_a_card_is_known_to_be_where_it_alone_can_be() -> None:
    # Seats 1 and 2 did not follow, so both diamonds are with seat 3; its third card is open.
    seen = claim(hands=("JS", "TC", "KC", "7D 9H"), turn_up="9H", trick="AD QS KS", tricks=[7, 0, 0, 0])
    known = known_of(seen, 0, (3, 0))
    assert {CODES[card]: reason for card, reason in known.must_hold} == {"7D": "only_these_fit", "9H": "turn_up"}
    more = claim(hands=("JS 6S", "TC 6C", "KC 8C", "7D TS 9H"), turn_up="9H", trick="AD QS KS", tricks=[6, 0, 0, 0])
    known = known_of(more, 0, (3, 0))
    assert {CODES[card]: reason for card, reason in known.must_hold} == {"7D": "no_other_place", "9H": "turn_up"}


@pytest.mark.parametrize(
    ("seen", "eyes", "place", "void"),
    [
        pytest.param(MIDDLE, 0, (1, 0), {"D": "did_not_follow", "H": "all_elsewhere"}, id="it did not follow"),
        pytest.param(MIDDLE, 0, (2, 0), {"H": "all_elsewhere"}, id="the only heart is the turn-up"),
        pytest.param(TO_TRUMP, 2, (1, 0), {"D": "did_not_follow", "H": "did_not_trump"}, id="it did not trump"),
        pytest.param(MIDDLE, 2, (0, 0), {"D": "none_hidden", "H": "all_elsewhere"}, id="all diamonds are in sight"),
        pytest.param(
            claim(hands=("AC", "6S", "6D", "9H"), turn_up="9H", tricks=[8, 0, 0, 0]),
            None,
            (3, 0),
            {"C": "hand_known", "D": "hand_known", "S": "hand_known"},
            id="its last card is the turn-up",
        ),
        pytest.param(
            claim(hands=("AC", "6S", "", "9H"), turn_up="9H", leader=2, trick="6D", tricks=[0, 0, 8, 0]),
            0,
            (2, 0),
            dict.fromkeys("CDHS", "hand_empty"),
            id="it has played its last card",
        ),
        pytest.param(
            OPENED,
            None,
            (0, 0),
            dict.fromkeys("CDS", "opened_with_trump"),
            id="it opened with a trump where only a hand of trumps may",
        ),
    ],
)
def test_the_suits_in_which_a_hand_is_void(
    seen: Claim, eyes: Seat | None, place: HandSlot, void: dict[str, str]
) -> None:
    assert {SUITS[suit]: reason for suit, reason in known_of(seen, eyes, place).void} == void


@pytest.mark.parametrize(
    ("eyes", "places"),
    [
        pytest.param(None, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)], id="a spectator"),
        pytest.param(1, [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)], id="a seat, to which its later hands are hidden"),
    ],
)
def test_every_hand_is_told_of_but_one_s_own_in_play(eyes: Seat | None, places: list[HandSlot]) -> None:
    assert [known.place for known in infer_hands(find_hidden(view(admit(LATER), eyes)), eyes)] == places


@given(look_alikes())
def test_nothing_is_known_that_the_seat_may_not_see(alike: tuple[State, State, Seat | None]) -> None:
    state, other, seat = alike
    assert infer_hands(find_hidden(view(state, seat)), seat) == infer_hands(find_hidden(view(other, seat)), seat)


def test_a_void_that_an_earlier_trick_showed_says_so() -> None:
    seen = view(admit(claim(hands=("JS", "TC", "7D", "9H"), turn_up="9H", tricks=[8, 0, 0, 0])), 0)
    known = infer_hands(find_hidden(seen, {(1, 0): Constraint(lacks=SUIT_MASKS[1])}), 0)
    assert (1, "shown_earlier") in next(hand for hand in known if hand.place == (1, 0)).void
