import pytest

from service.rules.admission import admit
from service.rules.deal import deal
from service.rules.game import How, Won, next_dealer, phase, won
from service.rules.score import Item
from service.rulesets import Rules, Sides, arrange, lay
from service.state import State
from tests.support.claims import claim, house

PAIRS: Sides = ((0, 2), (1, 3))


def played_out(rules: Rules, scores: tuple[int, ...], tricks: list[int], took: list[str]) -> State:
    """End a deal of four players, each alone, with these tricks and honours; spades are trumps."""
    return admit(claim(rules, hands=("", "", "", ""), turn_up="6S", tricks=tricks, took=took, scores=scores))


def in_play(rules: Rules, scores: tuple[int, int], tricks: list[int], took: list[str]) -> State:
    """Stop between two tricks of two pairs."""
    left = 9 - sum(tricks)
    return admit(claim(rules, PAIRS, hands=[left] * 4, turn_up="6S", tricks=tricks, took=took, scores=scores))


ALL = "TS AS KS QS JS"
COUNTED = [
    pytest.param((10, 10, 10, 10), [3, 2, 2, 2], ["JS", "TS", "AS", "KS QS"], None, None, id="nobody has 41"),
    pytest.param((31, 0, 0, 0), [3, 2, 2, 2], ["TS", "JS", "AS", "KS QS"], (0,), "ten", id="by the ten"),
    pytest.param((38, 0, 0, 0), [3, 2, 2, 2], ["", ALL, "", ""], (0,), "card_points", id="by card points"),
    pytest.param((38, 0, 0, 0), [2, 3, 2, 2], ["AS", "TS JS KS QS", "", ""], (0,), "ace", id="by the ace"),
    pytest.param((38, 0, 0, 0), [2, 3, 2, 2], ["KS", "TS JS AS QS", "", ""], (0,), "king", id="by the king"),
    pytest.param((39, 0, 0, 0), [2, 3, 2, 2], ["QS", "TS JS AS KS", "", ""], (0,), "queen", id="by the queen"),
    pytest.param((30, 0, 0, 0), [2, 3, 2, 2], ["JS", "TS QS AS KS", "", ""], (0,), "jack", id="by the jack"),
    pytest.param((40, 31, 0, 0), [2, 3, 2, 2], ["JS AS", "TS", "KS QS", ""], (1,), "ten", id="the ten before the jack"),
    pytest.param(
        (36, 38, 0, 0), [4, 3, 1, 1], ["", "JS", "TS AS KS QS", ""], (0,), "card_points", id="higher at the step"
    ),
    pytest.param(
        (34, 38, 0, 0), [4, 3, 1, 1], ["", "JS", "TS AS KS QS", ""], (1,), "card_points", id="level, then higher"
    ),
    pytest.param(
        (34, 38, 0, 0), [4, 3, 1, 1], ["", "", "TS AS KS QS", "JS"], (0, 1), "card_points", id="level to the end"
    ),
]


@pytest.mark.parametrize("rules", ["denexa", "gamerules", "take-ten"])
@pytest.mark.parametrize(("scores", "tricks", "took", "winners", "item"), COUNTED)
def test_in_counting_order_the_first_side_to_stand_at_41_wins(
    rules: str,
    scores: tuple[int, ...],
    tricks: list[int],
    took: list[str],
    winners: tuple[int, ...] | None,
    item: Item | None,
) -> None:
    state = played_out(rules, scores, tricks, took)
    assert won(state) == (None if winners is None else Won(winners, "counting_order", item))


@pytest.mark.parametrize(
    ("scores", "tricks", "took", "winners"),
    [
        pytest.param((10, 10, 10, 10), [3, 2, 2, 2], ["JS", "TS", "AS", "KS QS"], None, id="nobody has 41"),
        pytest.param(
            (40, 31, 0, 0), [2, 3, 2, 2], ["JS AS", "TS", "KS QS", ""], (0,), id="the highest of two above 40"
        ),
        pytest.param((27, 27, 0, 0), [4, 3, 1, 1], ["AS", "TS", "JS QS KS", ""], None, id="38 and 40 are not 41"),
        pytest.param((34, 31, 0, 0), [4, 2, 2, 1], ["", "TS", "JS AS KS QS", ""], (0, 1), id="level at the top"),
    ],
)
def test_by_the_highest_score_the_side_with_most_above_40_wins(
    scores: tuple[int, ...], tricks: list[int], took: list[str], winners: tuple[int, ...] | None
) -> None:
    state = played_out("lots-of-kids", scores, tricks, took)
    assert won(state) == (None if winners is None else Won(winners, "highest_score"))


@pytest.mark.parametrize("rules", ["denexa", "gamerules", "lots-of-kids", "take-ten"])
def test_41_does_not_count_before_the_deal_is_over(rules: str) -> None:
    state = admit(
        claim(
            rules, hands=(1, 1, 1, 1), turn_up="6S", tricks=[8, 0, 0, 0], took=["TS", "", "", ""], scores=(40, 0, 0, 0)
        )
    )
    assert won(state) is None
    assert phase(state, None) == "playing"


@pytest.mark.parametrize(
    ("rules", "scores", "tricks", "took", "winners"),
    [
        pytest.param("trebor", (29, 15), [2, 0], ["TS QS", ""], (0,), id="by honours in the second trick"),
        pytest.param("trebor", (29, 15), [2, 0], ["TS", ""], None, id="39 are not 41"),
        pytest.param("trebor", (30, 15), [2, 1], ["QS", "JS"], None, id="cards up to the share count nothing"),
        pytest.param("trebor", (39, 15), [5, 1], ["", "JS"], (0,), id="by cards above the share"),
        pytest.param("french-whist", (29, 15), [2, 0], ["TD", ""], (0,), id="by tricks and the ten of diamonds"),
        pytest.param("french-whist", (29, 15), [2, 0], ["TS", ""], None, id="not by the ten of trumps"),
    ],
)
def test_at_once_41_counts_in_the_middle_of_a_hand(
    rules: str, scores: tuple[int, int], tricks: list[int], took: list[str], winners: tuple[int, ...] | None
) -> None:
    state = in_play(rules, scores, tricks, took)
    assert won(state) == (None if winners is None else Won(winners, "at_once"))


@pytest.mark.parametrize("how", ["counting_order", "highest_score"])
@pytest.mark.parametrize("revoke", ["loss_of_game", "loss_of_deal"])
def test_a_deal_ended_by_a_revoke_is_counted_or_lost(how: How, revoke: str) -> None:
    rules = house(winning=how, revoke=revoke)
    state = admit(
        claim(
            rules,
            PAIRS,
            hands=("7D", "JD", "QD", "7C"),
            turn_up="6S",
            trick="AC 6C TC 9S",
            tricks=[4, 3],
            took=["JS", "TS AS"],
            scores=(30, 30),
            revoked=3,
        )
    )
    outcome = won(state)
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ((0,), "revoke" if revoke == "loss_of_game" else how)


@pytest.mark.parametrize(
    ("tricks", "scores", "now"),
    [([2, 2, 2, 2], None, "playing"), ([3, 2, 2, 2], None, "deal_over"), ([3, 2, 2, 2], (40, 0, 0, 0), "game_over")],
)
def test_the_phase_of_a_game(tricks: list[int], scores: tuple[int, ...] | None, now: str) -> None:
    left = 9 - sum(tricks)
    took = ["QS", "TS AS", "JS", "KS"]
    state = admit(claim(hands=[left] * 4, turn_up="6S", tricks=tricks, took=took, scores=scores))
    assert phase(state, won(state)) == now


@pytest.mark.parametrize(("players", "dealer", "following"), [(4, 0, 1), (4, 3, 0), (2, 1, 0), (7, 5, 6)])
def test_the_deal_passes_to_the_left(players: int, dealer: int, following: int) -> None:
    state = deal(lay("gamerules", arrange(players, players)), range(36), dealer, 1, (0,) * players)
    assert next_dealer(state) == following
