import pytest
from msgspec.structs import replace

from service.game.rules.admission import admit
from service.game.rules.deal import deal
from service.game.rules.game import How, Won, ends_at_limit, next_dealer, phase, won
from service.game.rules.score import Item
from service.game.rules.setup import set_up_next_deal
from service.game.rulesets import MAX_DEALS, Fine, Rules, Sides, arrange, make_table
from service.game.state import State
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
    state = deal(make_table("gamerules", arrange(players, players)), range(36), dealer, 1, (0,) * players)
    assert next_dealer(state) == following


# ── House rules ──────────────────────────────────────────────────────────────────────────────────────────────

TOOK = ["JS", "TS", "AS", "KS QS"]
"""Of the tricks 3, 2, 2, 2: points 14, 10, 4, 5."""


def after(deal: int, scores: tuple[int, ...], **changes: object) -> Won | None:
    """Return who has won after a deal of these points under denexa with these changes."""
    dealt = claim(
        house("denexa", **changes), hands=[""] * 4, turn_up="6S", tricks=[3, 2, 2, 2], took=TOOK, scores=scores
    )
    return won(admit(replace(dealt, deal=deal)))


@pytest.mark.parametrize(("target", "winners"), [(14, (0,)), (15, None), (1000, None)])
def test_the_house_may_play_to_another_target(target: int, winners: tuple[int, ...] | None) -> None:
    outcome = after(1, (0, 0, 0, 0), target=target)
    assert (outcome and outcome.winners) == winners


@pytest.mark.parametrize(
    ("deal", "scores", "ties", "outcome"),
    [
        pytest.param(2, (0, 0, 0, 0), "shared", None, id="before the last deal"),
        pytest.param(3, (0, 0, 0, 0), "shared", Won((0,), "last_deal"), id="the highest score wins"),
        pytest.param(3, (0, 4, 0, 9), "shared", Won((0, 1, 3), "last_deal"), id="level sides win together"),
        pytest.param(3, (0, 4, 0, 9), "play_on", None, id="level sides play on"),
        pytest.param(4, (7, 7, 0, 0), "play_on", Won((0,), "tie_broken"), id="another deal decides"),
        pytest.param(2, (30, 31, 0, 0), "shared", Won((1,), "counting_order", "ten"), id="41 before the last deal"),
        pytest.param(3, (30, 31, 0, 0), "shared", Won((1,), "counting_order", "ten"), id="41 in the last deal"),
    ],
)
def test_the_house_may_end_the_game_after_some_deals(
    deal: int, scores: tuple[int, ...], ties: str, outcome: Won | None
) -> None:
    assert after(deal, scores, deals=3, ties=ties) == outcome


@pytest.mark.parametrize(
    ("scores", "outcome"),
    [
        pytest.param((41, 41, 0, 0), Won((0,), "tie_broken"), id="the higher after another deal"),
        pytest.param((41, 41, 52, 0), Won((0,), "tie_broken"), id="not another side above them"),
        pytest.param((41, 41, 0, 40), Won((0,), "tie_broken"), id="not another side below them"),
        pytest.param((0, 0, 50, 50), Won((3,), "tie_broken"), id="by a point"),
    ],
)
def test_sides_level_in_counting_order_play_on_among_themselves(scores: tuple[int, ...], outcome: Won | None) -> None:
    assert after(2, scores, ties="play_on") == outcome


def test_sides_level_in_counting_order_play_on_until_one_of_them_is_ahead() -> None:
    rules = house("denexa", ties="play_on")
    state = played_out(rules, (41, 41, 60, 0), [3, 3, 2, 1], ["", "", ALL, ""])
    assert won(state) is None
    assert set_up_next_deal(state).scores == (44, 44, 43, 0)


@pytest.mark.parametrize(
    ("scores", "took", "begun"),
    [
        pytest.param((38, 38, 0, 36), ["TS AS KS QS", "JS"], (41, 41, 19, 40), id="a side that ends above them"),
        pytest.param((38, 38, 0, 39), ["TS AS KS JS", "QS"], (41, 41, 28, 40), id="a side that ends level with them"),
        pytest.param((38, 38, 28, 26), ["TS AS", "KS QS JS"], (41, 41, 40, 40), id="a pair that ends above them"),
    ],
)
def test_no_side_that_lost_the_race_begins_the_play_off_ahead(
    scores: tuple[int, ...], took: list[str], begun: tuple[int, ...]
) -> None:
    state = played_out(house("denexa", ties="play_on"), scores, [3, 3, 2, 1], ["", "", *took])
    assert won(state) is None
    assert set_up_next_deal(state).scores == begun


@pytest.mark.parametrize("scores", [(45, 45, 44, 44), (45, 45, 60, 44)])
def test_of_two_pairs_only_that_at_the_deciding_score_plays_off_the_tie(scores: tuple[int, ...]) -> None:
    state = played_out(house("denexa", ties="play_on"), scores, [2, 3, 2, 2], ["QS", "", "JS TS", "AS KS"])
    assert won(state) == Won((1,), "tie_broken")


def test_sides_level_at_the_highest_score_play_on_against_all() -> None:
    assert after(2, (40, 0, 43, 43), winning="highest_score", ties="play_on") == Won((0,), "tie_broken")


@pytest.mark.parametrize(
    ("scores", "ties", "outcome"),
    [
        pytest.param((0, 0, 0, 0), "shared", Won((0,), "last_deal"), id="the highest score wins"),
        pytest.param((0, 4, 0, 9), "shared", Won((0, 1, 3), "last_deal"), id="level sides win together"),
        pytest.param((0, 4, 0, 9), "play_on", Won((0, 1, 3), "last_deal"), id="even if they would play on"),
    ],
)
def test_a_game_ends_with_the_last_deal_that_a_record_holds(scores: tuple[int, ...], ties: str, outcome: Won) -> None:
    assert after(MAX_DEALS, scores, ties=ties) == outcome
    assert ends_at_limit(house("denexa", ties=ties), outcome)
    assert not ends_at_limit(house("denexa", ties=ties, deals=MAX_DEALS), outcome)
    assert after(MAX_DEALS - 1, scores, ties=ties) is None


def test_a_tie_that_is_played_off_ends_with_the_last_deal_that_a_record_holds() -> None:
    rules = house("denexa", deals=3, ties="play_on")
    last = replace(played_out(rules, (5, 5, 0, 0), [3, 3, 2, 1], ["", "", ALL, ""]), deal=MAX_DEALS)
    assert won(last) == Won((2,), "tie_broken")
    level = replace(played_out(rules, (27, 27, 0, 0), [3, 3, 2, 1], ["", "", ALL, ""]), deal=MAX_DEALS)
    assert won(level) == Won((0, 1, 2), "tie_broken")


@pytest.mark.parametrize(
    ("tricks", "took", "winners"),
    [
        pytest.param([1, 1], ["", ""], None, id="still level"),
        pytest.param([1, 1], ["QS", ""], (0,), id="one honour ahead"),
        pytest.param([1, 1], ["", "TS"], (1,), id="the other side ahead"),
    ],
)
def test_level_sides_that_play_on_at_once_are_parted_by_the_first_point(
    tricks: list[int], took: list[str], winners: tuple[int, ...] | None
) -> None:
    leader = 1 if winners == (1,) else 0
    rules = house(ties="play_on")
    dealt = claim(rules, PAIRS, hands=[7] * 4, turn_up="6S", tricks=tricks, took=took, scores=(43, 43), leader=leader)
    outcome = won(admit(dealt))
    assert (outcome and outcome.winners) == winners
    assert outcome is None or outcome.how == "tie_broken"


def test_a_fine_may_bring_others_to_the_target() -> None:
    revoked = claim(
        house(revoke=Fine(10, "others")),
        3,
        hands=(3, 3, "7C 9C 6S"),
        turn_up="6S",
        trick="AC KC 7D",
        tricks=[1, 1, 0],
        revoked=2,
        scores=(31, 31, 40),
    )
    assert won(admit(revoked)) == Won((0, 1), "at_once")
