import pytest

from service.game.cards import NUMBER, CardCode, card_code
from service.game.faults import HandNotSeen
from service.game.rules.admission import admit
from service.game.rules.judgment import Judgment, Reason, ReasonOfHand
from service.game.rules.verdicts import judge_card, judge_hand, known_hand, legal_cards, was_legal
from service.game.rulesets import Rules
from service.game.state import State, hand_cards
from tests.support.claims import claim, written


def middle(rules: Rules, cards: str, trick: str = "") -> State:
    """Put these cards into the hand of seat 1 of four, whose turn it is, with hearts for trumps."""
    left = len(cards.split())
    leader = 0 if trick else 1
    tricks = [0, 0, 0, 0]
    tricks[leader] = 9 - left
    hands = (left - bool(trick), cards, left, left)
    dealer = (leader - 1) % 4
    return admit(claim(rules, hands=hands, turn_up="9H", trick=trick, leader=leader, dealer=dealer, tricks=tricks))


@pytest.mark.parametrize(
    ("rules", "trick", "cards", "card", "reason"),
    [
        pytest.param("denexa", "AD", "7D KS", "7D", None, id="following suit"),
        pytest.param("denexa", "AD", "7D KS", "KS", "must_follow_suit", id="a discard by a hand that can follow"),
        pytest.param("denexa", "AD", "7D KH", "KH", "must_follow_suit", id="a ruff by a hand that can follow"),
        pytest.param("denexa", "AD", "7S KH", "7S", None, id="a discard by a void hand"),
        pytest.param("denexa", "AD", "7S KH", "KH", None, id="a ruff by a void hand"),
        pytest.param("denexa", "AD", "7S KH", "AS", "not_in_hand", id="a card of another hand"),
        pytest.param("denexa", "AD", "7S KH", "AD", "not_in_hand", id="a card already played"),
        pytest.param("denexa", "", "7S KH", "KH", None, id="a lead"),
        pytest.param("take-ten", "AD", "7S KH", "7S", "must_trump", id="a discard by a hand that can trump"),
        pytest.param("take-ten", "AD", "7S KH", "KH", None, id="a ruff by a hand that must trump"),
        pytest.param("take-ten", "AD", "7S 8D KH", "KH", "must_follow_suit", id="a ruff by a hand that must follow"),
        pytest.param("take-ten", "AH", "7S KH", "7S", "must_follow_suit", id="no trump on a trump led"),
        pytest.param("lots-of-kids", "", "6D 7D 8D 9D TD JD QD KD KH", "KH", "no_trump_lead", id="a trump opens"),
        pytest.param("lots-of-kids", "", "6D 7D 8D 9D TD JD QD KD KH", "6D", None, id="a plain suit opens"),
        pytest.param("lots-of-kids", "", "6H 7H 8H TH JH QH KH AH 6S", "6S", None, id="the only plain card opens"),
        pytest.param("lots-of-kids", "", "6D KH", "KH", None, id="a trump leads a later trick"),
    ],
)
def test_the_verdict_on_a_card(rules: str, trick: str, cards: str, card: CardCode, reason: Reason | None) -> None:
    state = middle(rules, cards, trick)
    judged = judge_card(state, NUMBER[card])
    assert (judged.seat, card_code(judged.card), judged.reason) == (1, card, reason)
    assert judged.legal_cards == legal_cards(state)


def test_a_hand_of_trumps_alone_opens_with_any_of_them() -> None:
    state = admit(claim("lots-of-kids", 6, hands=("6H 7H 8H TH JH QH", 6, 6, 6, 6, 6), turn_up="9H"))
    assert written(legal_cards(state)) == "6H 7H 8H TH JH QH"


def test_a_verdict_tells_what_would_be_accepted() -> None:
    assert written(judge_card(middle("denexa", "7D 8D KH", "AD"), NUMBER["KH"]).legal_cards) == "7D 8D"


def test_the_legal_cards_of_a_hand_that_is_not_seen_are_not_known() -> None:
    state = admit(claim(hands=(9, 9, 9, 9), turn_up="9H"))
    assert legal_cards(state) is None


def test_a_card_of_a_hand_that_is_not_seen_is_not_judged() -> None:
    state = admit(claim(hands=(9, 9, 9, 9), turn_up="9H"))
    with pytest.raises(HandNotSeen) as refused:
        judge_card(state, NUMBER["AC"])
    assert refused.value.seat == 0


def test_a_card_in_sight_elsewhere_is_not_in_a_hand_that_is_not_seen() -> None:
    state = admit(claim(hands=(8, 9, 9, "9H 6C 7C 8C 9C TC JC QC KC"), turn_up="9H", trick="AC"))
    judged = judge_card(state, NUMBER["6C"])
    assert (judged.reason, judged.legal_cards) == ("not_in_hand", None)


def unseen_dealer(lead: str, hidden: str, rules: str = "denexa") -> State:
    """Let the dealer play last to the last trick but one: of its two cards only the turn-up is known.

    The other is one of the two that are hidden; the leader has the other one.
    """
    trick = f"A{lead} 6{lead} T{lead}"
    return admit(claim(rules, hands=(1, "JS", "QS", 2), turn_up="9H", trick=trick, tricks=[7, 0, 0, 0], hidden=hidden))


@pytest.mark.parametrize(
    ("lead", "hidden", "reason"),
    [
        pytest.param("H", "7D 8C", None, id="the turn-up follows a trump led"),
        pytest.param("D", "7C 8C", None, id="a hand that must be void may ruff"),
        pytest.param("D", "7D 8D", "must_follow_suit", id="a hand that must hold the suit must follow"),
    ],
)
@pytest.mark.parametrize("rules", ["denexa", "take-ten"])
def test_the_turn_up_is_judged_in_a_hand_that_is_not_seen(
    rules: str, lead: str, hidden: str, reason: Reason | None
) -> None:
    judged = judge_card(unseen_dealer(lead, hidden, rules), NUMBER["9H"])
    state = unseen_dealer(lead, hidden, rules)
    assert judged == Judgment(3, NUMBER["9H"], reason, legal_cards(state))


@pytest.mark.parametrize(
    ("rules", "lead", "hidden", "legal"),
    [
        pytest.param("denexa", "H", "7D 8C", "9H", id="it follows with the turn-up, with any other cards"),
        pytest.param("take-ten", "D", "7C 8C", "9H", id="it is void and must trump with the turn-up"),
        pytest.param("denexa", "D", "7C 8C", None, id="it is void and may play either card"),
        pytest.param("denexa", "D", "7D 8D", None, id="it must follow with a card that is not known"),
    ],
)
def test_the_legal_cards_of_an_unseen_dealer_are_told_where_all_that_it_may_hold_agrees(
    rules: str, lead: str, hidden: str, legal: str | None
) -> None:
    found = legal_cards(unseen_dealer(lead, hidden, rules))
    assert (None if found is None else written(found)) == legal


@pytest.mark.parametrize(
    ("rules", "lead", "hidden", "card", "possible"),
    [
        pytest.param("denexa", "H", "7D 8C", "7D", ("not_in_hand", "must_follow_suit"), id="held or not"),
        pytest.param("take-ten", "D", "7C 8C", "7C", ("not_in_hand", "must_trump"), id="held or not, void for sure"),
        pytest.param("denexa", "H", "7D 8C", "JS", (), id="surely not held"),
    ],
)
def test_an_illegal_card_is_judged_where_only_the_reason_is_open(
    rules: str, lead: str, hidden: str, card: CardCode, possible: tuple[ReasonOfHand, ...]
) -> None:
    state = unseen_dealer(lead, hidden, rules)
    reason: Reason = "depends_on_hand" if possible else "not_in_hand"
    assert judge_card(state, NUMBER[card]) == Judgment(3, NUMBER[card], reason, legal_cards(state), possible)


@pytest.mark.parametrize(
    ("lead", "hidden", "card", "reason"),
    [
        pytest.param("D", "7D 8C", "9H", None, id="a ruff, legal if the other card is no diamond"),
        pytest.param("D", "7D 8C", "8C", None, id="a discard, legal if it is held"),
        pytest.param("H", "7D 8C", "8C", "must_follow_suit", id="a discard by a hand that can follow"),
        pytest.param("D", "7D 8C", "JS", "not_in_hand", id="a card that it cannot hold"),
    ],
)
def test_a_card_taken_as_held_is_legal_if_it_can_be(
    lead: str, hidden: str, card: CardCode, reason: Reason | None
) -> None:
    assert judge_card(unseen_dealer(lead, hidden), NUMBER[card], as_held=True).reason == reason


@pytest.mark.parametrize(
    ("hidden", "card", "reason", "possible"),
    [
        pytest.param(
            "TH 6C 7C 8C 9C TC 6S 7S 8S TS 9S",
            "TH",
            "depends_on_hand",
            ("must_follow_suit", "must_trump"),
            id="the other card is a club or a spade",
        ),
        pytest.param(
            "TH 6C 7H 8H 9H 6D 7D 8D 9D TD 9S", "TH", None, ("must_follow_suit",), id="the other card may be a club"
        ),
        pytest.param(
            "TH QH 6C 7C 8C 9C TC JC QC AC 7D 6S 7S 9S",
            "TH",
            None,
            ("must_follow_suit", "must_trump"),
            id="of three cards none may be a club",
        ),
        pytest.param(
            "TH 6C 7C 8C 9C TC JC QC AC 6D 6H 7S 8D 9S",
            "TH",
            None,
            ("must_follow_suit", "must_trump"),
            id="three cards",
        ),
    ],
)
def test_the_reasons_against_a_card_taken_as_held_are_those_of_some_hand(
    hidden: str, card: CardCode, reason: Reason | None, possible: tuple[ReasonOfHand, ...]
) -> None:
    """The king of clubs was led to a hidden hand of `take-ten`, and the dealer behind it holds the nine of trumps."""
    left = (len(hidden.split()) - 5) // 3
    tricks = [10 - left, 0, 0]
    hands = (left - 1, left, left)
    state = admit(claim("take-ten", 3, hands=hands, turn_up="9S", trick="KC", tricks=tricks, hidden=hidden))
    judged = judge_card(state, NUMBER[card], as_held=True)
    assert judged == Judgment(1, NUMBER[card], reason, None, possible)


def test_a_suit_that_a_hidden_hand_must_hold_leaves_no_other_reason() -> None:
    # Beside the ten, the hand holds two of one spade and seven clubs: a club at least.
    clubs = "6C 7C 8C 9C TC JC QC"
    hands = ("AD KD", 3, "QD JD 9S")
    state = admit(
        claim("take-ten", 3, hands=hands, turn_up="9S", trick="KC", tricks=[7, 0, 0], hidden=f"TH 6S {clubs}")
    )
    assert judge_card(state, NUMBER["TH"], as_held=True) == Judgment(1, NUMBER["TH"], "must_follow_suit", None)


def test_a_card_that_another_hidden_hand_must_hold_is_not_taken_as_held() -> None:
    state = admit(claim("take-ten", 3, hands=(1, 2, 2), turn_up="9S", trick="KC", tricks=[8, 0, 0]))
    assert judge_card(state, NUMBER["9S"], as_held=True) == Judgment(1, NUMBER["9S"], "not_in_hand", None)


def test_all_cards_of_a_hand_are_judged_as_each_by_itself() -> None:
    state = middle("take-ten", "7S 8D KH", "AD")
    hand = state.hands[1]
    assert judge_hand(state, hand) == tuple(judge_card(state, card) for card in hand_cards(state, hand))
    assert known_hand(state) == (hand, hand, 3)


def test_a_void_in_the_current_trick_decides_who_holds_the_suit_led() -> None:
    # Seats 1 and 2 hold three cards between them, and seat 1 did not follow: it has the club.
    hands = ("JS", 1, 2, "KS 9H")
    state = admit(claim(hands=hands, turn_up="9H", trick="AD QS", tricks=[7, 0, 0, 0], hidden="7D 8D TC"))
    assert written(legal_cards(state)) == "7D 8D"
    assert judge_card(state, NUMBER["TC"]).reason == "not_in_hand"


def test_what_the_rest_of_the_trick_shows_does_not_count_where_one_card_of_it_is_judged() -> None:
    state = admit(claim(hands=(1, 1, 1, 2), turn_up="9H", trick="AD QS QC", tricks=[7, 0, 0, 0], hidden="7D 8C TC TS"))
    assert [was_legal(state, at) for at in range(3)] == [True, None, None]


def test_the_turn_up_is_not_judged_where_the_hand_may_hold_the_suit_led() -> None:
    with pytest.raises(HandNotSeen) as refused:
        judge_card(unseen_dealer("D", "7D 8C"), NUMBER["9H"])
    assert refused.value.seat == 3


def test_a_dealer_that_is_not_seen_may_lead_the_turn_up() -> None:
    state = admit(claim(hands=(2, 2, 2, 2), turn_up="9H", leader=3, tricks=[0, 0, 0, 7]))
    assert judge_card(state, NUMBER["9H"]).reason is None


def test_the_turn_up_alone_is_a_hand_that_is_known() -> None:
    state = admit(claim(hands=(1, 1, 1, 1), turn_up="9H", leader=3, tricks=[0, 0, 0, 8], hidden="AS KS QS"))
    assert written(legal_cards(state)) == "9H"
    assert judge_card(state, NUMBER["9H"]).reason is None
    assert judge_card(state, NUMBER["AS"]).reason == "not_in_hand"


def test_the_only_hand_that_is_not_seen_is_known() -> None:
    state = admit(claim(hands=(2, "6S 7S", "8S 9S", "9H"), turn_up="9H", trick="AD", tricks=[0, 0, 0, 7], leader=3))
    assert written(legal_cards(state)) == "KS AS"


def test_the_only_hand_that_is_not_seen_follows_suit_with_what_it_must_hold() -> None:
    hands = (2, "6S 7S", "8S 9S", "9H")
    state = admit(claim(hands=hands, turn_up="9H", trick="AD", tricks=[0, 0, 0, 7], leader=3, hidden="7D KS"))
    assert written(legal_cards(state)) == "7D"
