import pytest

from service.game.cards import NUMBER
from service.game.faults import HandNotSeen, NoRevokePenalty
from service.game.rules.admission import admit
from service.game.rules.game import Won
from service.game.rules.play import IllegalPlay, play
from service.game.rules.revoke import play_revoke, require_penalty
from service.game.rules.score import points, totals
from service.game.rulesets import RULESETS, Rules, TableRule, arrange, make_table
from service.game.state import State
from tests.support.claims import Cards, claim, house, numbers, written

MILD = house(revoke="loss_of_deal")


def about_to_revoke(rules: Rules = "trebor", *, hand: Cards = "7D 9H", scores: tuple[int, int] = (10, 12)) -> State:
    """Let the dealer of two pairs, seat 3, play last to the last trick but one, where it has to follow suit."""
    return admit(
        claim(
            rules,
            ((0, 2), (1, 3)),
            hands=("7S", "JS", "QS", hand),
            turn_up="9H",
            trick="AD 6D TD",
            took=["JH KH QH", "TH AH"],
            tricks=[4, 3],
            hidden="7D",
            scores=scores,
        )
    )


@pytest.mark.parametrize("rules", [name for name, ruleset in RULESETS.items() if ruleset.revoke == "not_allowed"])
def test_no_penalty_is_applied_where_the_source_names_none(rules: str) -> None:
    with pytest.raises(NoRevokePenalty):
        require_penalty(make_table(rules, arrange(4, 4)))


@pytest.mark.parametrize("rules", ["trebor", "french-whist", MILD])
def test_a_penalty_may_be_applied_where_the_source_names_one(rules: Rules) -> None:
    require_penalty(make_table(rules, arrange(4, 4)))


def test_a_legal_card_is_not_played_either_where_no_penalty_is_known() -> None:
    with pytest.raises(NoRevokePenalty):
        play(admit(claim(hands=("7D", 1, 1, 1), turn_up="9H", tricks=[8, 0, 0, 0])), NUMBER["7D"], "penalise")


def test_a_revoke_is_refused_unless_it_is_to_be_penalised() -> None:
    with pytest.raises(IllegalPlay):
        play(about_to_revoke(), NUMBER["9H"])


def test_a_card_that_is_not_held_is_no_revoke() -> None:
    with pytest.raises(IllegalPlay, match="not_in_hand"):
        play(about_to_revoke(), NUMBER["8D"], "penalise")


def test_a_legal_card_is_played_as_ever_when_revokes_are_penalised() -> None:
    assert play(about_to_revoke(), NUMBER["7D"], "penalise") == play(about_to_revoke(), NUMBER["7D"])


def test_a_revoke_lies_last_in_a_trick_that_nobody_takes() -> None:
    before = about_to_revoke()
    played = play(before, NUMBER["9H"], "penalise")
    assert played.state.trick == numbers("AD 6D TD 9H")
    assert played.state.taken == before.taken
    assert (played.state.revoked, written(played.state.hands[3])) == (3, "7D")
    assert (played.trick, played.hand_played_out) == (None, False)
    assert played.revoked is not None
    assert played.revoked.reason == "must_follow_suit"


def test_by_loss_of_the_game_every_other_side_wins_at_once() -> None:
    played = play(about_to_revoke(), NUMBER["9H"], "penalise")
    assert (played.phase, played.won) == ("game_over", Won((0,), "revoke"))
    alone = admit(
        claim("trebor", hands=("7S", "JS", "QS", "7D 9H"), turn_up="9H", trick="AD 6D TD", tricks=[1, 2, 2, 2])
    )
    assert play(alone, NUMBER["9H"], "penalise").won == Won((0, 1, 2), "revoke")


def test_by_loss_of_the_deal_the_side_counts_nothing_and_the_others_what_they_have_taken() -> None:
    before = about_to_revoke(MILD)
    assert points(before) == (16, 14)
    played = play(before, NUMBER["9H"], "penalise")
    assert (played.phase, played.won) == ("deal_over", None)
    assert points(played.state) == (16, 0)
    assert totals(played.state) == (26, 12)


@pytest.mark.parametrize("winning", ["counting_order", "highest_score"])
def test_a_deal_that_ends_by_a_revoke_is_counted_like_any_other(winning: str) -> None:
    rules = house(revoke="loss_of_deal", winning=winning)
    ended = play(about_to_revoke(rules, scores=(30, 40)), NUMBER["9H"], "penalise")
    assert ended.won is not None
    assert (ended.phase, ended.won.winners) == ("game_over", (0,))


def test_a_revoke_by_a_hand_that_is_not_seen_is_penalised_where_it_is_decided() -> None:
    played = play(about_to_revoke(hand=2), NUMBER["9H"], "penalise")
    assert (played.state.hands[3], played.state.revoked) == (-1, 3)


def test_a_revoke_that_is_not_decided_is_not_penalised() -> None:
    state = admit(
        claim("trebor", hands=(1, 1, 1, 2), turn_up="9H", trick="AD 6D TD", tricks=[1, 2, 2, 2], hidden="7D 8D 7C 8C")
    )
    with pytest.raises(HandNotSeen):
        play(state, NUMBER["9H"], "penalise")


def dealer_hidden(rules: Rules = "trebor") -> State:
    """Let the dealer follow to a trump: its hidden hand has the turn-up, and seven of diamonds or eight of clubs."""
    hands = (1, "JS", "QS", 2)
    return admit(claim(rules, hands=hands, turn_up="9H", trick="AH 6H TH", tricks=[1, 2, 2, 2], hidden="7D 8C"))


def test_a_revoke_with_a_card_that_may_not_be_held_is_not_penalised() -> None:
    with pytest.raises(HandNotSeen):
        play(dealer_hidden(), NUMBER["7D"], "penalise")


def test_a_revoke_with_a_card_that_is_taken_as_held_is_penalised() -> None:
    played = play(dealer_hidden(), NUMBER["7D"], "penalise", "as_held")
    assert (played.state.hands[3], played.state.revoked) == (-1, 3)
    assert played.revoked is not None
    assert (played.revoked.reason, played.revoked.possible) == ("must_follow_suit", ())


def test_a_revoke_is_penalised_though_the_duty_that_was_broken_is_open() -> None:
    # Seat 3 holds a club for sure, and a diamond or a trump besides: the other one is stripped.
    table = TableRule(5, 1, 7, (5,), ("7D",), ("7D", "7H"))
    rules = house("take-ten", revoke="loss_of_deal", tables=(table,))
    hands = ("JS", "QS", "KS", 2, "AS 9H")
    state = admit(claim(rules, 5, hands=hands, turn_up="9H", trick="AD 6D TD", tricks=[1] * 5, hidden="7C 7H"))
    played = play(state, NUMBER["7C"], "penalise")
    assert played.revoked is not None
    assert (played.revoked.reason, played.revoked.possible) == ("depends_on_hand", ("must_follow_suit", "must_trump"))


def test_what_let_a_revoke_stand_needs_a_penalty_too() -> None:
    with pytest.raises(NoRevokePenalty):
        play_revoke(admit(claim(hands=(9, 9, 9, 9), turn_up="9H")), NUMBER["9H"])


def test_a_trump_that_opens_a_deal_is_a_revoke_where_no_trump_may() -> None:
    rules = house("lots-of-kids", revoke="loss_of_deal")
    state = admit(claim(rules, hands=("6D 7D 8D 9D TD JD QD KD KH", 9, 9, 9), turn_up="9H"))
    played = play(state, NUMBER["KH"], "penalise")
    assert played.revoked is not None
    assert (played.revoked.reason, played.state.trick, played.phase) == ("no_trump_lead", numbers("KH"), "deal_over")


def test_a_card_that_should_have_been_a_trump_is_a_revoke_where_a_void_hand_must_trump() -> None:
    rules = house("take-ten", revoke="loss_of_deal")
    state = admit(claim(rules, hands=("7S", "JS", "QS", "7C 9H"), turn_up="9H", trick="AD 6D TD", tricks=[1, 2, 2, 2]))
    played = play(state, NUMBER["7C"], "penalise")
    assert played.revoked is not None
    assert (played.revoked.reason, played.state.revoked) == ("must_trump", 3)
