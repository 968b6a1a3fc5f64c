import pytest

from service.game.cards import NUMBER, CardCode, card_code
from service.game.faults import HandNotSeen, NotPlaying
from service.game.rules.admission import admit
from service.game.rules.deal import play_unchecked
from service.game.rules.game import Won
from service.game.rules.play import IllegalPlay, Trick, describe_play, judge, judge_all, play, replay
from service.game.state import State
from tests.support.claims import claim, numbers, written


def last_but_one(trick: str = "AD 6D TD", hands: tuple[str, str, str, str] = ("7S", "JS", "QS", "7D 9H")) -> State:
    """Leave one card of the last trick but one to the dealer, seat 3."""
    return admit(claim(hands=hands, turn_up="9H", trick=trick, tricks=[7, 0, 0, 0], took=["TH AH", "", "", ""]))


def test_a_card_leaves_the_hand_and_lies_in_the_trick() -> None:
    before = admit(claim(hands=("AC 6C 7C 8C 9C TC JC QC KC", 9, 9, 9), turn_up="9H"))
    played = play(before, NUMBER["AC"])
    assert (played.seat, card_code(played.card)) == (0, "AC")
    assert written(played.state.hands[0]) == "6C 7C 8C 9C TC JC QC KC"
    assert played.state.trick == numbers("AC")
    assert played.state.seat_to_play == 1
    assert (played.trick, played.hand_played_out, played.revoked, played.phase) == (None, False, None, "playing")
    assert played.won is None


def test_the_state_given_is_unchanged() -> None:
    before = last_but_one()
    play(before, NUMBER["7D"])
    assert before == last_but_one()


def test_a_full_trick_is_gathered_and_its_winner_leads_on() -> None:
    played = play(last_but_one("6D AD TD"), NUMBER["7D"])
    assert played.trick == Trick(1, 1, numbers("6D AD TD 7D"), 0)
    assert (played.state.trick, played.state.leader, played.state.seat_to_play) == ((), 1, 1)
    assert written(played.state.taken[1]) == "6D 7D TD AD"
    assert not played.hand_played_out


def test_a_trick_tells_its_honours() -> None:
    played = play(last_but_one("JH KH QH", ("7S", "JS", "QS", "7D 9H")), NUMBER["9H"])
    assert played.trick is not None
    assert (played.trick.seat, played.trick.honours) == (0, 11 + 3 + 2)


def test_partners_keep_one_pile() -> None:
    state = admit(
        claim(
            "trebor", ((1, 3), (0, 2)), hands=("7S", "JS", "QS", "7D 9H"), turn_up="9H", trick="AD 6D TD", tricks=[0, 7]
        )
    )
    played = play(state, NUMBER["7D"])
    assert played.trick is not None
    assert (played.trick.seat, played.trick.side) == (0, 1)
    assert [taken.bit_count() for taken in played.state.taken] == [0, 32]


def test_a_hand_that_is_not_seen_loses_a_card() -> None:
    state = admit(claim(hands=(2, 2, 2, 2), turn_up="9H", leader=3, tricks=[0, 0, 0, 7]))
    assert play(state, NUMBER["9H"]).state.hands == (-2, -2, -2, -1)


def between_hands(later: tuple[tuple[str | int, ...], ...], tricks: list[int]) -> State:
    """Leave the last card of the first or the second hand to seat 0 of two, who have three hands of six."""
    return admit(
        claim(
            "gamerules",
            2,
            hands=("7D", ""),
            later=later,
            turn_up="9H",
            trick="AD",
            leader=1,
            tricks=tricks,
            hidden="AS KS",
        )
    )


def test_when_the_hands_are_played_out_each_takes_up_the_next() -> None:
    later = (("6S 7S 8S 9S TS JS", 6), ("6H 7H 8H TH JH QH", 6))
    played = play(between_hands(later, [2, 3]), NUMBER["7D"])
    assert [written(hand) for hand in played.state.hands] == ["6S 7S 8S 9S TS JS", "6H 7H 8H TH JH QH"]
    assert played.state.later_hands == ((-6,), (-6,))
    assert played.hand_played_out
    assert played.phase == "playing"


def test_the_winner_of_the_last_trick_leads_on_with_the_next_hand() -> None:
    assert play(between_hands(((6, 6), (6, 6)), [2, 3]), NUMBER["7D"]).state.seat_to_play == 1


def test_the_last_hands_leave_none_behind() -> None:
    played = play(between_hands(((6,), (6,)), [8, 3]), NUMBER["7D"])
    assert played.state.hands == (-6, -6)
    assert played.state.later_hands == ()
    assert played.state.in_last_hands
    assert played.hand_played_out


def last_card(scores: tuple[int, ...] | None = None) -> State:
    """Leave the last card of a deal to the dealer, seat 3, who ruffs; the seats took two tricks each."""
    took = ["JH", "AH KH", "TH", "QH"]
    return admit(
        claim(hands=("", "", "", "9H"), turn_up="9H", trick="AD 6D TD", tricks=[2, 2, 2, 2], took=took, scores=scores)
    )


def test_the_last_card_plays_out_the_hand_and_the_deal() -> None:
    played = play(last_card(), NUMBER["9H"])
    assert played.hand_played_out
    assert played.state.played_out
    assert (played.phase, played.won) == ("deal_over", None)


def test_a_card_may_win_the_game() -> None:
    played = play(last_card((0, 0, 31, 0)), NUMBER["9H"])
    assert (played.phase, played.won) == ("game_over", Won((2,), "counting_order", "ten"))


def over(phase: str) -> State:
    """Play the last card of a deal, which ends the game, too, or not."""
    return play(last_card((40, 0, 0, 0) if phase == "game_over" else None), NUMBER["9H"]).state


@pytest.mark.parametrize("phase", ["deal_over", "game_over"])
def test_no_card_is_played_or_judged_when_the_deal_or_the_game_is_over(phase: str) -> None:
    for offer in (play, judge):
        with pytest.raises(NotPlaying) as refused:
            offer(over(phase), NUMBER["9H"])
        assert refused.value.phase == phase
    with pytest.raises(NotPlaying):
        judge_all(over(phase))


def test_an_illegal_card_is_refused_with_the_verdict_on_it() -> None:
    state = last_but_one()
    with pytest.raises(IllegalPlay) as refused:
        play(state, NUMBER["9H"])
    assert refused.value.verdict == judge(state, NUMBER["9H"])
    assert refused.value.verdict.reason == "must_follow_suit"


def test_a_card_that_is_not_held_is_refused() -> None:
    with pytest.raises(IllegalPlay, match="not_in_hand"):
        play(last_but_one(), NUMBER["AD"])


def test_a_card_of_a_hand_that_is_not_seen_is_refused_where_it_is_not_decided() -> None:
    with pytest.raises(HandNotSeen, match="seat 0"):
        play(admit(claim(hands=(9, 9, 9, 9), turn_up="9H")), NUMBER["AC"])


def test_judging_a_card_plays_nothing() -> None:
    state = last_but_one()
    assert judge(state, NUMBER["7D"]).reason is None
    assert state == last_but_one()


def test_every_card_of_the_hand_is_judged_in_the_order_in_which_it_is_held() -> None:
    verdicts = judge_all(last_but_one())
    assert [(card_code(verdict.card), verdict.reason) for verdict in verdicts] == [
        ("9H", "must_follow_suit"),
        ("7D", None),
    ]


def test_the_cards_of_a_hand_that_is_not_seen_are_not_all_judged() -> None:
    with pytest.raises(HandNotSeen):
        judge_all(admit(claim(hands=(9, 9, 9, 9), turn_up="9H")))


def test_a_legal_card_is_replayed_as_it_was_played() -> None:
    played = play(last_but_one(), NUMBER["7D"])
    assert replay(last_but_one(), NUMBER["7D"]) == played.state
    assert describe_play(last_but_one(), played.state, NUMBER["7D"]) == played


def test_a_revoke_that_stood_is_replayed_as_a_revoke() -> None:
    state = admit(
        claim("trebor", hands=("7S", "JS", "QS", "7D 9H"), turn_up="9H", trick="AD 6D TD", tricks=[1, 2, 2, 2])
    )
    played = play(state, NUMBER["9H"], "penalise")
    assert replay(state, NUMBER["9H"]) == played.state
    assert describe_play(state, played.state, NUMBER["9H"]) == played
    assert played.revoked is not None


def test_playing_unchecked_is_playing_a_legal_card() -> None:
    assert play_unchecked(last_but_one(), NUMBER["7D"]) == play(last_but_one(), NUMBER["7D"]).state


def hidden_at_the_end(trick: str) -> State:
    """Leave two cards to seat 3, the dealer; the turn-up is one of them, the other is hidden like the leader's."""
    return admit(claim(hands=(1, "JS", "QS", 2), turn_up="9H", trick=trick, tricks=[7, 0, 0, 0], hidden="7D 8C"))


@pytest.mark.parametrize("card", ["9H", "7D", "8C"])
def test_a_card_that_a_hidden_hand_can_hold_is_taken_as_held_and_legal_if_it_can_be(card: CardCode) -> None:
    state = hidden_at_the_end("AD 6D TD")
    with pytest.raises(HandNotSeen):
        play(state, NUMBER[card])
    played = play(state, NUMBER[card], on_unseen="as_held")
    assert (played.seat, played.state.hands[3], played.trick is not None) == (3, -1, True)


@pytest.mark.parametrize(("card", "reason"), [("JS", "not_in_hand"), ("7D", "must_follow_suit")])
def test_a_card_that_a_hidden_hand_cannot_hold_or_play_is_refused(card: CardCode, reason: str) -> None:
    with pytest.raises(IllegalPlay) as refused:
        play(hidden_at_the_end("AH 6H TH"), NUMBER[card], on_unseen="as_held")
    assert refused.value.verdict.reason == reason


def test_hidden_hands_that_are_taken_up_stay_numbers() -> None:
    state = admit(
        claim("gamerules", 2, hands=(1, 0), later=((6, 6), (6, 6)), turn_up="9H", trick="AD", leader=1, tricks=[0, 5])
    )
    after = play(state, NUMBER["KS"], on_unseen="as_held").state
    assert (after.hands, after.later_hands) == ((-6, -6), ((-6,), (-6,)))
