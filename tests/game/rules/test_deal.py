import pytest

from service.game.cards import cards_of, mask_of, strip_pack
from service.game.rules.deal import deal, eldest
from service.game.rulesets import Rules, Sides, Table, TableRule, arrange, make_table
from service.game.state import hand_size
from tests.support.claims import house, numbers, written
from tests.support.strategies import ARRANGEMENTS, hands_of_seats, visible_cards

every_arrangement = pytest.mark.parametrize(
    ("rules", "sides"), ARRANGEMENTS, ids=[f"{rules}-{sides}" for rules, sides in ARRANGEMENTS]
)


def in_order(table: Table) -> tuple[int, ...]:
    return cards_of(strip_pack(table.strips[0]))


@every_arrangement
def test_cards_go_round_the_piles_one_by_one_from_the_dealers_left(rules: Rules, sides: Sides) -> None:
    table = make_table(rules, sides)
    order = in_order(table)
    hands = hands_of_seats(deal(table, order, 1, 1, (0,) * len(sides)))
    piles = table.players * table.hands
    for pile in range(piles):
        seat, place = (1 + 1 + pile) % table.players, pile // table.players
        assert hands[seat][place] == mask_of(order[pile::piles][: table.cards])


@every_arrangement
@pytest.mark.parametrize("threes", [False, True])
def test_the_last_card_dealt_is_turned_up_and_lies_in_the_dealers_last_hand(
    rules: Rules, sides: Sides, threes: bool
) -> None:
    table = make_table(rules, sides)
    order = in_order(table)
    for dealer in range(table.players):
        state = deal(table, order, dealer, 1, (0,) * len(sides), threes=threes)
        assert state.turn_up == order[table.players * table.tricks - 1]
        assert hands_of_seats(state)[dealer][-1] >> state.turn_up & 1


@every_arrangement
@pytest.mark.parametrize("threes", [False, True])
def test_every_hand_has_its_size_and_what_is_left_over_stays_out(rules: Rules, sides: Sides, threes: bool) -> None:
    table = make_table(rules, sides)
    order = in_order(table)
    state = deal(table, order, 0, 1, (0,) * len(sides), threes=threes)
    sizes = [[hand_size(hand) for hand in hands] for hands in hands_of_seats(state)]
    assert sizes == [[table.cards] * table.hands] * table.players
    assert visible_cards(state) == mask_of(order[: len(order) - table.undealt])


@pytest.mark.parametrize(
    ("cards", "threes", "eldest_hand"),
    [
        (6, False, "6C 8C TC QC AC 7D"),
        (6, True, "6C 7C 8C QC KC AC"),
        (7, True, "6C 7C 8C QC KC AC 9D"),
        (8, True, "6C 7C 8C QC KC AC 9D TD"),
        (2, True, "6C 7C"),
    ],
)
def test_packets_of_three_end_with_a_smaller_one_where_the_hands_do_not_divide(
    cards: int, threes: bool, eldest_hand: str
) -> None:
    ruleset = house(tables=(TableRule(2, 1, cards, (2,)),))
    table = make_table(ruleset, arrange(2, 2))
    state = deal(table, range(36), 1, 1, (0, 0), threes=threes)
    assert written(state.hands[0]) == eldest_hand


def test_a_deal_starts_with_an_empty_trick_led_by_eldest_hand() -> None:
    state = deal(make_table("trebor", arrange(4, 2)), range(36), 2, 5, (14, 20))
    assert (state.dealer, state.leader, state.seat_to_play) == (2, 3, 3)
    assert (state.deal, state.scores, state.trick, state.taken, state.revoked) == (5, (14, 20), (), (0, 0), None)
    assert state.in_last_hands


def test_later_hands_lie_in_the_order_dealt() -> None:
    order = numbers("6C 7C 8C 9C TC JC QC KC AC 6D 7D 8D")
    ruleset = house(tables=(TableRule(2, 3, 2, (2,)),))
    state = deal(make_table(ruleset, arrange(2, 2)), order, 1, 1, (0, 0))
    assert [[written(hand) for hand in hands] for hands in hands_of_seats(state)] == [
        ["6C QC", "8C AC", "TC 7D"],
        ["7C KC", "9C 6D", "JC 8D"],
    ]
    assert not state.in_last_hands


@pytest.mark.parametrize(("players", "dealer", "first"), [(2, 0, 1), (2, 1, 0), (4, 3, 0), (7, 4, 5), (8, 7, 0)])
def test_eldest_hand_sits_on_the_dealers_left(players: int, dealer: int, first: int) -> None:
    assert eldest(make_table("gamerules", arrange(players, players)), dealer) == first
