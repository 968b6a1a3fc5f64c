import pytest
from msgspec.structs import replace

from service.game.cards import CODES, FULL_PACK, SUITS
from service.game.rules.admission import admit
from service.game.rules.score import (
    NOTHING,
    DealScore,
    deal_scores,
    honour_points,
    honours_among,
    points,
    running_count,
    ten_of,
    totals,
)
from service.game.rulesets import RULESETS, Fine, Honours, RevokePenalty, Rules, Sides, arrange, make_table, usual_sides
from service.game.state import State
from tests.support.claims import claim, house, mask

PAIRS: Sides = ((0, 2), (1, 3))


@pytest.mark.parametrize(
    ("cards", "worth"),
    [("JH", 11), ("TH", 10), ("AH", 4), ("KH", 3), ("QH", 2), ("6H 7H 8H 9H", 0), ("JC TD AS KS QD", 0)],
)
def test_each_honour_has_its_worth_and_no_other_card_has_any(cards: str, worth: int) -> None:
    assert honour_points(mask(cards), SUITS.index("H"), make_table("denexa", arrange(4, 4))) == worth


@pytest.mark.parametrize("trump", range(4))
@pytest.mark.parametrize("rules", RULESETS)
def test_the_honours_make_thirty_in_all(trump: int, rules: str) -> None:
    assert honour_points(FULL_PACK, trump, make_table(rules, usual_sides(rules, 4))) == 30


@pytest.mark.parametrize(
    ("trump", "cards", "worth"), [("H", "TD", 10), ("H", "TH", 0), ("D", "TD", 10), ("S", "TD JS", 21), ("S", "JD", 0)]
)
def test_the_ten_of_diamonds_scores_in_french_whist_under_every_trump(trump: str, cards: str, worth: int) -> None:
    assert honour_points(mask(cards), SUITS.index(trump), make_table("french-whist", PAIRS)) == worth


@pytest.mark.parametrize(
    ("rules", "cards", "names"),
    [
        ("trebor", "JH 9H TH AS TD", "jack ten"),
        ("french-whist", "JH TH TD", "jack ten"),
        ("french-whist", "TH", ""),
    ],
)
def test_the_honours_among_some_cards_are_named(rules: Rules, cards: str, names: str) -> None:
    assert sorted(honours_among(mask(cards), SUITS.index("H"), make_table(rules, PAIRS))) == names.split()


@pytest.mark.parametrize(("rules", "ten"), [("trebor", "TH"), ("french-whist", "TD")])
def test_the_ten_that_is_an_honour_is_the_trump_or_the_one_of_diamonds(rules: Rules, ten: str) -> None:
    assert CODES[ten_of(SUITS.index("H"), make_table(rules, PAIRS))] == ten


def taken(
    rules: Rules = "denexa",
    sides: Sides | int = 4,
    *,
    tricks: list[int],
    took: list[str],
    scores: tuple[int, ...] | None = None,
) -> State:
    """Let the sides have taken these tricks with these cards among them; spades are trumps."""
    left = 9 - sum(tricks)
    leader = next(side for side, count in enumerate(tricks) if count)
    return admit(
        claim(rules, sides, hands=[left] * 4, turn_up="6S", leader=leader, tricks=tricks, took=took, scores=scores)
    )


def test_denexas_example_five_tricks_of_four_players_make_eleven_card_points() -> None:
    state = taken(tricks=[5, 0, 0, 4], took=["", "", "", "JS TS AS KS QS"])
    assert points(state) == (11, 0, 0, 30 + 7)


def test_trebors_example_eight_tricks_of_partners_with_jack_and_ace() -> None:
    state = taken("trebor", PAIRS, tricks=[8, 1], took=["JS AS", "TS KS QS"])
    assert points(state) == (14 + 11 + 4, 10 + 3 + 2)
    assert deal_scores(state)[0] == DealScore(0, 0, 14, 4, 0, 0, 11)


def test_trebors_example_goes_on_with_the_ten_and_the_queen() -> None:
    state = taken("trebor", PAIRS, tricks=[2, 0], took=["TS QS", ""], scores=(29, 15))
    assert points(state) == (12, 0)
    assert totals(state) == (41, 15)


@pytest.mark.parametrize(
    ("tricks", "card_points"),
    [
        ([1, 1, 0, 0], (0, 0, 0, 0)),
        ([2, 3, 0, 0], (0, 3, 0, 0)),
        ([9, 0, 0, 0], (27, 0, 0, 0)),
        ([3, 3, 3, 0], (3, 3, 3, 0)),
    ],
)
def test_card_points_are_the_cards_above_the_share_and_never_below_zero(
    tricks: list[int], card_points: tuple[int, ...]
) -> None:
    assert tuple(tally.card_points for tally in deal_scores(taken(tricks=tricks, took=[""] * 4))) == card_points


def test_the_share_counts_every_hand_of_every_seat_of_a_side() -> None:
    three_hands = admit(claim("trebor", 2, hands=(6, 6), turn_up="6S", tricks=[12, 0]))
    assert deal_scores(three_hands)[0].card_points == 24 - 18
    pairs = admit(claim("trebor", ((0, 3), (1, 4), (2, 5)), hands=[2] * 6, turn_up="6S", tricks=[4, 0, 0]))
    assert deal_scores(pairs)[0].card_points == 24 - 12


def test_one_card_above_the_share_counts_one() -> None:
    eight = house(tables=(replace(RULESETS["trebor"].tables[1], cards=8),))
    state = admit(claim(eight, 3, hands=(4, 4, 4), turn_up="6S", tricks=[3, 1, 0]))
    assert [tally.card_points for tally in deal_scores(state)] == [9 - 8, 0, 0]


def test_french_whist_counts_tricks() -> None:
    state = taken("french-whist", PAIRS, tricks=[2, 4], took=["TD", "JS TS"])
    assert deal_scores(state) == (DealScore(0, 10, 2, 0, 0, 0, 0), DealScore(0, 0, 4, 0, 0, 0, 11))


@pytest.mark.parametrize("tricks", [[3, 2, 0], [4, 1, 0, 1, 0]])
def test_a_trick_counts_one_for_any_number_of_players(tricks: list[int]) -> None:
    players = len(tricks)
    state = admit(claim("french-whist", players, hands=(1,) * players, turn_up="7S", tricks=tricks))
    assert [str(score.card_points) for score in deal_scores(state)] == [str(each) for each in tricks]


def test_totals_add_the_game_scores() -> None:
    state = taken(tricks=[1, 1, 0, 0], took=["JS", "AS", "", ""], scores=(5, 6, 7, 8))
    assert totals(state) == (16, 10, 7, 8)


def test_the_running_count_goes_fine_ten_card_points_ace_king_queen_jack() -> None:
    state = taken(tricks=[3, 1, 1, 1], took=["AS QS", "TS", "KS", "JS"], scores=(1, 2, 3, 4))
    assert list(running_count(state)) == [
        ("fine", [1, 2, 3, 4]),
        ("ten", [1, 12, 3, 4]),
        ("card_points", [4, 12, 3, 4]),
        ("ace", [8, 12, 3, 4]),
        ("king", [8, 12, 6, 4]),
        ("queen", [10, 12, 6, 4]),
        ("jack", [10, 12, 6, 15]),
    ]


@pytest.mark.parametrize(
    ("penalty", "scores", "made"),
    [
        ("loss_of_game", (0, 0), (16, 14)),
        ("loss_of_deal", (0, 0), (16, 0)),
        (Fine(10, "nobody"), (0, 0), (16, 4)),
        (Fine(10, "others"), (0, 0), (26, 4)),
        (Fine(20, "nobody"), (0, 0), (16, 0)),
        (Fine(20, "others"), (0, 4), (36, -4)),
        (Fine(20, "others"), (0, 8), (36, -6)),
    ],
)
def test_a_revoke_may_cost_a_side_its_points(
    penalty: RevokePenalty, scores: tuple[int, int], made: tuple[int, int]
) -> None:
    state = admit(
        claim(
            house(revoke=penalty),
            PAIRS,
            hands=("7D", "JD", "QD", "7C"),
            turn_up="6S",
            trick="AC 6C TC 9S",
            tricks=[4, 3],
            took=["JS QS KS", "TS AS"],
            revoked=3,
            scores=scores,
        )
    )
    assert points(state) == made
    assert [sum(tally) for tally in deal_scores(state)] == list(made)
    assert totals(state) == (scores[0] + made[0], scores[1] + made[1])
    assert (deal_scores(state)[1] == NOTHING) is (penalty == "loss_of_deal")


def test_cards_may_count_nothing() -> None:
    state = taken(house(card_points="none"), PAIRS, tricks=[8, 1], took=["JS AS", "TS KS QS"])
    assert points(state) == (15, 15)


def test_honours_are_worth_what_the_house_says() -> None:
    rules = house(honours=Honours(jack=20, ten=30, ace=0), card_points="none")
    state = taken(rules, PAIRS, tricks=[8, 1], took=["JS AS KS", "TS QS"])
    assert points(state) == (23, 32)
    assert honour_points(mask("JS TS"), SUITS.index("S"), state.table) == 50
