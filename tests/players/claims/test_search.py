"""Claims whose outcome a player sees at once."""

import pytest

from service.game.cards import CODES
from service.game.generators import run_to_end
from service.game.rules.admission import admit
from service.game.rules.past import find_hidden_after
from service.game.rules.view import view
from service.game.rulesets import Seat
from service.game.state import Claim
from service.players.claims.search import MAX_NODES, ClaimResult, judge_claim
from tests.support.claims import claim

# Hearts are trumps; each of four has two or three cards left; seat 0 is to lead.
TOP = claim(hands=("JH AH KH", 3, 3, 3), turn_up="9H", tricks=[6, 0, 0, 0])
TOP_BUT_ONE = claim(hands=("JH KH QH", 3, 3, 3), turn_up="9H", tricks=[6, 0, 0, 0], hidden="AH")
SIDE_SUIT = claim(hands=("AC KC", 2, 2, 2), turn_up="9H", tricks=[7, 0, 0, 0])


def judged(said: Claim, seat: Seat, tricks: int | None = None, points: int | None = None) -> ClaimResult:
    """Judge a claim in a state as the seat sees it."""
    return run_to_end(judge_claim(find_hidden_after(view(admit(said), seat), ()), seat, tricks, points))


@pytest.mark.parametrize(
    ("said", "tricks", "points", "outcome"),
    [
        pytest.param(TOP, None, None, "holds", id="the three best trumps take all"),
        pytest.param(TOP, 3, None, "holds", id="and so three tricks"),
        pytest.param(TOP, None, 18, "holds", id="and their own honours"),
        pytest.param(TOP_BUT_ONE, None, None, "refuted", id="the ace of trumps is out"),
        pytest.param(TOP_BUT_ONE, 2, None, "holds", id="it takes one trick at most"),
        pytest.param(SIDE_SUIT, 1, None, "refuted", id="others may hold trumps"),
    ],
)
def test_what_becomes_of_a_claim(said: Claim, tricks: int | None, points: int | None, outcome: str) -> None:
    assert judged(said, 0, tricks, points).outcome == outcome


def test_a_claim_that_cannot_be_made_from_the_start_is_refuted_without_a_play() -> None:
    result = judged(TOP, 0, tricks=4)
    assert (result.outcome, result.plays, result.nodes) == ("refuted", (), 0)
    assert result.deal is not None


def test_a_line_ends_with_the_trick_that_defeats_the_claim() -> None:
    result = judged(SIDE_SUIT, 0)
    played = [(seat, CODES[card]) for seat, card in result.plays]
    assert [seat for seat, _ in played] == [0, 1, 2, 3]
    assert any(card[1] == "H" for _, card in played)


def test_a_partner_s_trick_counts_for_the_side() -> None:
    # The partner of seat 0 has the turn-up, the best trump; nobody else can have one that beats it.
    said = claim(
        "trebor", sides=((0, 2), (1, 3)), dealer=2, leader=2, hands=("6C", 1, "JH", 1), turn_up="JH", tricks=[8, 0]
    )
    assert judged(said, 0).outcome == "holds"


def test_a_claim_holds_where_the_game_is_won_before_all_of_it_could_be_made() -> None:
    # The side has 39 points; with the ace of trumps it stands at game, though 30 points more are not left.
    said = claim("french-whist", 2, hands=("AH KH", 2), turn_up="9H", tricks=[16, 0])
    assert judged(said, 0, points=30).outcome == "holds"


def test_a_claim_that_takes_too_long_is_undecided_and_never_wrong() -> None:
    said = claim(hands=("JH AH KH QC AC 9D AD AS 6S", 9, 9, 9), turn_up="9H")
    result = judged(said, 0, tricks=4)
    assert (result.outcome, result.deal, result.nodes) == ("undecided", None, MAX_NODES)


def test_the_same_claim_gets_the_same_answer() -> None:
    assert judged(TOP_BUT_ONE, 0) == judged(TOP_BUT_ONE, 0)
