"""A bare hand: what is refused of it, and where it takes more than the trick and the trump to judge its cards."""

import pytest

from service.game.cards import CardCode, SuitCode, card_code, mask_codes
from service.game.faults import FaultCode, Impossible, Path
from service.game.rules import bare
from service.game.rules.judgment import Reason
from service.game.rulesets import Rules, TableRule
from tests.support.claims import codes, house

SUIT: SuitCode = "H"


def held(rules: Rules, trick: str, hand: str, players: int | None = None) -> bare.BareHand:
    """Return a bare hand with hearts for trumps."""
    return bare.read_bare_hand(rules, players, SUIT, codes(trick), codes(hand))


@pytest.mark.parametrize(
    ("rules", "trick", "card", "reason", "legal"),
    [
        ("trebor", "AS", "7D", None, "7D QH KH"),
        ("take-ten", "AS", "7D", "must_trump", "QH KH"),
        ("take-ten", "AS", "QH", None, "QH KH"),
        ("trebor", "AD 6D", "KH", "must_follow_suit", "7D"),
        ("trebor", "6H", "7D", "must_follow_suit", "QH KH"),
        ("trebor", "AS", "7S", "not_in_hand", "7D QH KH"),
        ("trebor", "", "KH", None, "7D QH KH"),
        ("lots-of-kids", "", "KH", None, "7D QH KH"),
    ],
)
def test_a_card_of_a_bare_hand(rules: Rules, trick: str, card: CardCode, reason: Reason | None, legal: str) -> None:
    judged = bare.judge(held(rules, trick, "QH KH 7D"), card)
    assert (judged.reason, judged.undecided) == (reason, False)
    assert mask_codes(judged.legal_cards or 0) == codes(legal)


SEVEN = "KH QH 6C 7C 8C 9C TC"


@pytest.mark.parametrize(
    ("players", "card", "reason", "undecided", "legal"),
    [
        (5, "KH", "no_trump_lead", False, "6C 7C 8C 9C TC"),
        (5, "6C", None, False, "6C 7C 8C 9C TC"),
        (4, "KH", None, False, "6C 7C 8C 9C TC QH KH"),
        (None, "KH", None, True, None),
        (None, "6C", None, False, None),
        (None, "AS", "not_in_hand", False, None),
    ],
)
def test_a_full_hand_may_be_about_to_open_the_deal(
    players: int | None, card: CardCode, reason: Reason | None, *, undecided: bool, legal: str | None
) -> None:
    judged = bare.judge(held("lots-of-kids", "", SEVEN, players), card)
    assert (judged.reason, judged.undecided) == (reason, undecided)
    assert judged.legal_cards is None if legal is None else mask_codes(judged.legal_cards or 0) == codes(legal)


def test_a_full_hand_may_be_the_second_of_two() -> None:
    two_hands = house("lots-of-kids", tables=(TableRule(2, 2, 7, (2,)),))
    assert bare.judge(held(two_hands, "", SEVEN), "KH").undecided


def test_each_card_of_a_hand_is_judged_as_it_is_alone() -> None:
    seven = held("lots-of-kids", "", SEVEN)
    every = bare.judge_all(seven)
    assert {card_code(judged.card) for judged in every} == {*codes(SEVEN)}
    assert list(every) == [bare.judge(seven, card_code(judged.card)) for judged in every]


@pytest.mark.parametrize(
    ("rules", "trick", "hand", "players", "faults"),
    [
        ("trebor", "AS AS", "AS KH", None, [("card_twice", ("trick", 1)), ("card_twice", ("hand", 0))]),
        ("trebor", "AS", "KH KH", None, [("card_twice", ("hand", 1))]),
        ("trebor", "AS 7S", "KH", 2, [("trick_too_long", ("trick",))]),
        ("lots-of-kids", "7C 8C 9C TC JC QC", "KH", None, [("trick_too_long", ("trick",))]),
        ("trebor", "", "6D 7D 8D 9D TD", 8, [("wrong_hand_size", ("hand",)), ("card_not_in_pack", ("hand", 0))]),
        ("trebor", "6S", "KH", 5, [("card_not_in_pack", ("trick", 0))]),
        ("lots-of-kids", "6S 6D", "6H 6C", 5, [("card_not_in_pack", ("hand", 1))]),
        (
            "trebor",
            "7S 8S 9S TS JS QS KS AS",
            "6D 7D 8D 9D TD",
            8,
            [("trick_too_long", ("trick",)), ("wrong_hand_size", ("hand",)), ("card_not_in_pack", ("hand", 0))],
        ),
        ("whist", "AS", "AS", None, [("unknown_ruleset", ("rules",)), ("card_twice", ("hand", 0))]),
        ("lots-of-kids", "AS", "KH", 2, [("players_not_in_ruleset", ("players",))]),
    ],
)
def test_what_cannot_be_is_refused_all_at_once(
    rules: Rules, trick: str, hand: str, players: int | None, faults: list[tuple[FaultCode, Path]]
) -> None:
    with pytest.raises(Impossible) as refused:
        held(rules, trick, hand, players)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == faults


TRUMPS = "6H 7H 8H 9H TH JH QH KH AH"
PLAIN = "6C 7C 8C 9C TC JC QC KC AC"


@pytest.mark.parametrize(
    ("rules", "trick", "hand", "players"),
    [
        pytest.param("lots-of-kids", "", TRUMPS, None, id="eldest hand holds every trump"),
        pytest.param("denexa", "", f"{TRUMPS} {PLAIN}", 2, id="eldest hand of two holds every trump"),
        pytest.param("trebor", "6H", f"{TRUMPS[3:]} 6C", None, id="the others lie in the trick"),
        pytest.param("trebor", "AS KS QS", PLAIN, None, id="the dealer holds no trump"),
        pytest.param("take-ten", "AS", f"{PLAIN} 6D", 2, id="the dealer of two holds no trump"),
    ],
)
def test_the_first_trick_leaves_the_dealer_a_trump(rules: Rules, trick: str, hand: str, players: int | None) -> None:
    with pytest.raises(Impossible) as refused:
        held(rules, trick, hand, players)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [("turn_up_misplaced", ("hand",))]


@pytest.mark.parametrize(
    ("rules", "trick", "hand", "players"),
    [
        pytest.param("lots-of-kids", "", f"{TRUMPS[:-3]} 6C", 4, id="one trump is left"),
        pytest.param("denexa", "6S", f"{TRUMPS} {PLAIN}", 2, id="the dealer holds every trump"),
        pytest.param("trebor", "AS KS QS", f"{PLAIN[3:]} 6H", 4, id="the dealer holds one trump"),
        pytest.param("trebor", "AS KS QS", PLAIN[3:], 4, id="a trick was played before"),
        pytest.param("trebor", "AS", PLAIN[-17:], 2, id="the turn-up lies in a later hand"),
        pytest.param("gamerules", "AS KS", PLAIN[-17:], 3, id="the turn-up lies in the second hand of two"),
        pytest.param("denexa", "", TRUMPS, 3, id="the hand is not full"),
    ],
)
def test_a_hand_that_leaves_room_for_the_turn_up_is_judged(
    rules: Rules, trick: str, hand: str, players: int | None
) -> None:
    assert held(rules, trick, hand, players).cases


@pytest.mark.parametrize(("trick", "players"), [("", {4, 5, 6}), ("7C 8C 9C TC", {5, 6}), ("7C 8C 9C TC JC", {6})])
def test_a_hand_fits_the_tables_at_which_a_seat_is_still_to_play(trick: str, players: set[int]) -> None:
    assert {table.players for table in held("lots-of-kids", trick, "KH").tables} == players


@pytest.mark.parametrize(
    ("rules", "players", "trick", "hand", "said"),
    [
        ("take-ten", None, "AS KS QS JS TS 9S", "QH", "at most 6 play take-ten"),
        ("take-ten", 6, "AS KS QS JS TS 9S", "QH", "at most 6 play take-ten"),
        ("lots-of-kids", None, "AS KS QS JS", TRUMPS, "4 play lots-of-kids"),
    ],
)
def test_a_trick_that_is_too_long_is_told_who_may_play(
    rules: Rules, players: int | None, trick: str, hand: str, said: str
) -> None:
    with pytest.raises(Impossible) as raised:
        held(rules, trick, hand, players)
    told = f"The trick has {len(codes(trick))} cards, so the hand is not to play to it: {said}."
    assert [fault.detail for fault in raised.value.faults] == [told]
