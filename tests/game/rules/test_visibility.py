from service.game.rules.admission import admit
from service.game.rules.visibility import find_hidden_seat, possible_strips, visible_cards
from service.game.rulesets import arrange, make_table
from tests.support.claims import claim, mask, written


def test_in_sight_are_the_hands_shown_the_trick_and_the_tricks_taken() -> None:
    state = admit(
        claim(
            "gamerules",
            2,
            hands=("7D 8D", 1),
            later=((6, 6), (6, "6H 7H 8H 9H TH JH")),
            turn_up="9H",
            trick="AD",
            leader=1,
            took=["", "AC KC QC JC TC 9C 8C 7C"],
        )
    )
    assert written(visible_cards(state)) == "7C 8C 9C TC JC QC KC AC 7D 8D AD 6H 7H 8H 9H TH JH"
    lowest = claim("denexa", hands=("6C", 1, 1, 1), turn_up="9H", tricks=[8, 0, 0, 0])
    assert visible_cards(admit(lowest)) & mask("6C")


def test_the_first_seat_with_a_hand_that_is_not_shown_is_found_in_its_later_hands_too() -> None:
    shown = "AC KC QC JC TC 9C", "7D 8D 9D TD JD QD"
    later = (("AH KH QH JH TH 9H", "AS KS QS JS TS 9S"), ("KD AD 6H 7H 8H 6S", "6C 7C 8C 7S 8S 6D"))
    for at, hands in ((None, later), (0, ((6, later[0][1]), later[1])), (1, (later[0], (later[1][0], 6)))):
        assert find_hidden_seat(admit(claim("gamerules", 2, hands=shown, later=hands, turn_up="6D"))) == at
    assert find_hidden_seat(admit(claim("denexa", hands=(9, 9, 9, 9), turn_up="6D"))) == 0
    empty = claim("denexa", hands=("", 1, "6H", "9H"), turn_up="9H", trick="6D", tricks=[8, 0, 0, 0])
    assert find_hidden_seat(admit(empty)) == 1


def test_the_strips_that_are_possible_are_those_not_in_sight() -> None:
    table = make_table("lots-of-kids", arrange(5, 5))
    assert [written(strip) for strip in possible_strips(table, mask("6D 7C"))] == ["6C", "6H", "6S"]
    assert possible_strips(table, mask("6C 6D 6H 6S")) == []
