"""Laws: they hold in every deal, under all rules, for any number of players, for every seat and spectator."""

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, TypeVar

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from service.game.cards import CODES, FULL_PACK, RANKS, SUIT_OF, Card, cards_of, mask_of
from service.game.faults import HandNotSeen, Path
from service.game.rules import game, play, score, trick, verdicts
from service.game.rules.admission import admit, faults
from service.game.rules.judgment import Judgment, Reason
from service.game.rules.view import view
from service.game.rulesets import Ruleset, Seat, Table, make_table, ruleset_faults
from service.game.state import Claim, Hand, State, to_claim
from service.http.problem_document import Problem, write_problem
from service.schemas.refusal import Refusal
from tests.support import questions, strategies, wire
from tests.support.effort import choose_effort
from tests.support.shaken import shaken_claims
from tests.support.strategies import (
    fill,
    half_hidden,
    hands_of_seats,
    legal,
    look_alikes,
    phase,
    piles,
    states,
    views,
    visible_cards,
)

CARDS = range(36)
Question = TypeVar("Question")


def encoded(answer: object) -> bytes:
    return msgspec.json.encode(answer)


def asked(ask: Callable[[Question], object], question: Question) -> object:
    """Ask a question; a refusal is an answer, too."""
    try:
        return ask(question)
    except Refusal as refusal:
        return write_problem(refusal, "")


# ── The cards ────────────────────────────────────────────────────────────────────────────────────────────────


@given(states())
def test_every_card_dealt_is_in_one_place(state: State) -> None:
    sizes = [pile.bit_count() for pile in piles(state)]
    assert sum(sizes) == visible_cards(state).bit_count() == state.table.players * state.table.tricks


@given(states(playing=True))
def test_a_play_moves_one_card_and_loses_none(state: State) -> None:
    for card in cards_of(legal(state)):
        after = play.play(state, card).state
        assert visible_cards(after) == visible_cards(state)
        assert not any(hand > 0 and hand >> card & 1 for hands in hands_of_seats(after) for hand in hands)


@given(states())
def test_the_honours_taken_in_a_deal_are_those_that_were_dealt(state: State) -> None:
    assume(phase(state) == "playing")
    dealt = visible_cards(state)
    end = play_on(state)
    assume(end.played_out)
    counted = [sum(tally) - tally.card_points for tally in score.deal_scores(end)]
    assert sum(counted) == score.honour_points(dealt, end.trump, end.table)
    assert sum(pile.bit_count() for pile in end.taken) == dealt.bit_count()


def play_on(state: State) -> State:
    """Play the lowest legal cards until the deal or the game is over."""
    while phase(state) == "playing":
        state = play.play(state, cards_of(legal(state))[0]).state
    return state


@given(states(playing=True))
def test_points_never_fall_while_cards_are_played(state: State) -> None:
    for card in cards_of(legal(state)):
        after = play.play(state, card).state
        assert all(later >= now for now, later in zip(score.points(state), score.points(after), strict=True))


@given(states())
def test_the_tally_adds_up_to_the_points(state: State) -> None:
    assert tuple(sum(tally) for tally in score.deal_scores(state)) == score.points(state)
    *_, (_, standing) = score.running_count(state)
    assert tuple(standing) == score.totals(state)


@given(states())
def test_a_game_is_won_by_sides_at_game_or_by_a_revoke_or_after_the_last_deal_and_else_goes_on(state: State) -> None:
    won, table = game.won(state), state.table
    if won is not None and won.how in {"at_once", "counting_order", "highest_score"}:
        assert all(game.is_game(table, score.totals(state)[side]) for side in won.winners)
    if won is not None and won.how in {"last_deal", "tie_broken"}:
        assert {score.totals(state)[side] for side in won.winners} == {max(score.totals(state))}
    if won is None and phase(state) == "deal_over":
        assert game.continues_to(table, state.deal + 1, score.totals(state))


# ── One verdict ──────────────────────────────────────────────────────────────────────────────────────────────


@given(states(playing=True))
def test_a_card_is_legal_exactly_if_it_is_among_the_legal_cards(state: State) -> None:
    cards = legal(state)
    assert cards
    assert not cards & ~state.hands[state.seat_to_play]
    assert [verdicts.judge_card(state, card).reason is None for card in CARDS] == [
        bool(cards >> card & 1) for card in CARDS
    ]


@given(states(playing=True))
def test_the_dry_run_the_legal_moves_and_the_play_give_the_same_verdict(state: State) -> None:
    moves = {verdict.card: verdict for verdict in play.judge_all(state)}
    assert set(moves) == set(cards_of(state.hands[state.seat_to_play]))
    for card in CARDS:
        judged = play.judge(state, card)
        assert moves.get(card, judged) == judged
        if judged.reason is None:
            assert play.play(state, card).card == card
        else:
            with pytest.raises(play.IllegalPlay) as refused:
                play.play(state, card)
            assert refused.value.verdict == judged


@given(states(playing=True))
def test_a_play_is_replayed_as_it_was(state: State) -> None:
    for card in cards_of(legal(state)):
        played = play.play(state, card)
        assert play.replay(state, card) == played.state
        assert play.describe_play(state, played.state, card) == played


# ── The trick ────────────────────────────────────────────────────────────────────────────────────────────────


def power(card: Card, state: State) -> int:
    """Return the rank of a card in the trick: trumps above the suit led, and 0 for a discard."""
    suit, rank = divmod(card, 9)
    if suit == state.trump:
        return 10 + ("6789TQKAJ" if state.table.ruleset.trump_rank == "jack_high" else RANKS).index(RANKS[rank])
    return 1 + rank if suit == SUIT_OF[state.trick[0]] else 0


@given(states(playing=True))
def test_exactly_one_seat_wins_a_trick(state: State) -> None:
    assume(state.trick)
    highest = max(power(card, state) for card in state.trick)
    holders = [
        (state.leader + at) % state.table.players
        for at, card in enumerate(state.trick)
        if power(card, state) == highest
    ]
    assert [trick.winner(state.trick, state.trump, state.leader, state.table.players, state.table.ruleset)] == holders


@given(states(playing=True))
def test_a_full_trick_goes_to_the_side_of_its_winner_who_leads_on(state: State) -> None:
    for card in cards_of(legal(state)):
        played = play.play(state, card)
        grown = [after & ~before for before, after in zip(state.taken, played.state.taken, strict=True)]
        if played.trick is None:
            assert not any(grown)
        else:
            assert played.state.leader == played.trick.seat
            assert played.trick.side == state.table.side_of[played.trick.seat]
            assert [side for side, cards in enumerate(grown) if cards] == [played.trick.side]
            assert grown[played.trick.side] == mask_of(played.trick.cards) == mask_of((*state.trick, card))


# ── Symmetry ─────────────────────────────────────────────────────────────────────────────────────────────────


def turned(state: State, by: int) -> State:
    """Seat everybody `by` places further to the left."""
    table = state.table
    back = [(seat - by) % table.players for seat in range(table.players)]
    sides = tuple(tuple((seat + by) % table.players for seat in side) for side in table.sides)
    return replace(
        state,
        table=make_table(table.rules, sides),
        dealer=(state.dealer + by) % table.players,
        leader=(state.leader + by) % table.players,
        hands=tuple(state.hands[seat] for seat in back),
        later_hands=tuple(state.later_hands[seat] for seat in back) if state.later_hands else (),
        revoked=None if state.revoked is None else (state.revoked + by) % table.players,
    )


@given(states(), st.integers(1, 7))
def test_turning_the_table_turns_the_answer(state: State, by: int) -> None:
    other = turned(state, by)
    assert (game.won(other), score.deal_scores(other)) == (game.won(state), score.deal_scores(state))
    assert game.next_dealer(other) == (game.next_dealer(state) + by) % state.table.players
    if phase(state) == "playing":
        assert other.seat_to_play == (state.seat_to_play + by) % state.table.players
        assert legal(other) == legal(state)
        for card in cards_of(legal(state)):
            assert play.play(other, card).state == turned(play.play(state, card).state, by)


def renamed(state: State, suits: tuple[int, ...]) -> State:
    """Give the suits other names."""

    def new(card: Card) -> Card:
        return 9 * suits[card // 9] + card % 9

    def new_all(cards: Hand) -> Hand:
        return cards if cards < 0 else mask_of(tuple(new(card) for card in cards_of(cards)))

    return replace(
        state,
        turn_up=new(state.turn_up),
        hands=tuple(new_all(hand) for hand in state.hands),
        later_hands=tuple(tuple(new_all(hand) for hand in hands) for hands in state.later_hands),
        trick=tuple(new(card) for card in state.trick),
        taken=tuple(new_all(cards) for cards in state.taken),
    )


def names_no_suit(table: Table) -> bool:
    return table.strips == (0,) and table.ruleset.ten == "trumps"


@given(states(strategies.tables().filter(names_no_suit)), st.permutations(range(4)).map(tuple))
def test_renaming_the_suits_changes_nothing(state: State, suits: tuple[int, ...]) -> None:
    other = renamed(state, suits)
    assert (game.won(other), score.deal_scores(other)) == (game.won(state), score.deal_scores(state))
    if phase(state) == "playing":
        assert [verdicts.judge_card(other, 9 * suits[card // 9] + card % 9).reason for card in CARDS] == [
            verdicts.judge_card(state, card).reason for card in CARDS
        ]
        for card in cards_of(legal(state)):
            new = 9 * suits[card // 9] + card % 9
            assert play.play(other, new).state == renamed(play.play(state, card).state, suits)


@given(states())
def test_the_order_in_which_the_sides_are_named_changes_nothing(state: State) -> None:
    table = state.table
    backwards = tuple(tuple(reversed(side)) for side in reversed(table.sides))
    other = replace(
        state,
        table=make_table(table.rules, backwards),
        scores=state.scores[::-1],
        taken=state.taken[::-1],
    )
    assert score.deal_scores(other) == score.deal_scores(state)[::-1]
    won, won_other = game.won(state), game.won(other)
    assert (won is None) is (won_other is None)
    if won is not None and won_other is not None:
        assert sorted(len(table.sides) - 1 - side for side in won.winners) == sorted(won_other.winners)


# ── Claims ───────────────────────────────────────────────────────────────────────────────────────────────────


@given(half_hidden())
def test_what_the_service_returns_it_accepts_unchanged(pair: tuple[State, State]) -> None:
    for state in pair:
        written = encoded(to_claim(state))
        claim = msgspec.json.decode(written, type=Claim)
        assert admit(claim) == state
        assert encoded(to_claim(admit(claim))) == written
        assert faults(claim) == ()


@given(states())
def test_a_state_that_is_over_is_accepted_too(state: State) -> None:
    assert admit(msgspec.json.decode(encoded(to_claim(state)), type=Claim)) == state


@settings(max_examples=choose_effort(daily=100, nightly=400))
@given(shaken_claims())
def test_a_claim_is_admitted_or_every_fault_of_it_has_a_place_in_it(claim: Claim) -> None:
    found = faults(claim)
    for fault in found:
        assert has_place(claim, fault.path), fault
    if not found:
        state = admit(claim)
        assert admit(to_claim(state)) == state


def has_place(claim: Claim, path: Path) -> bool:
    """Return True if a path leads to a part of the value."""
    part: Any = claim
    for step in path:
        if isinstance(step, str):
            part = getattr(part, step)
        elif step < len(part):
            part = part[step]
        else:
            return False
    return True


@given(shaken_claims())
def test_what_is_admitted_can_be_asked_everything(claim: Claim) -> None:
    assume(not faults(claim))
    state = admit(claim)
    for _, answer in every_question(state):
        assert encoded(answer)


@given(strategies.house_rulesets())
def test_a_ruleset_is_read_back_as_it_was_written(ruleset: Ruleset) -> None:
    assert ruleset_faults(ruleset) == ()
    assert msgspec.json.decode(encoded(ruleset), type=Ruleset) == ruleset


# ── Views ────────────────────────────────────────────────────────────────────────────────────────────────────

_CODE = re.compile(rb"\b[6-9TJQKA][CDHS]\b")


def codes_in(written: bytes) -> set[str]:
    return {code.decode() for code in _CODE.findall(written)}


def known_to(state: State, seat: Seat | None) -> set[str]:
    """Return the cards that are open to all, those of the seat's own hand in play, and those that the ruleset names."""
    own = 0 if seat is None else state.hands[seat]
    openly = own | mask_of((state.turn_up, *state.trick))
    for taken in state.taken:
        openly |= taken
    return {CODES[card] for card in cards_of(openly)} | codes_in(encoded(state.table.rules))


@given(look_alikes())
def test_a_view_is_the_same_for_states_that_look_the_same(alike: tuple[State, State, Seat | None]) -> None:
    state, other, seat = alike
    seen, seen_other = (encoded(to_claim(view(full, seat))) for full in (state, other))
    assert seen == seen_other
    assert codes_in(seen) <= known_to(state, seat)


def every_question(state: State) -> Iterator[tuple[str, object]]:
    """Ask every question about a state: yield the cards that the question names, and the answer."""
    claim = to_claim(state)
    about = questions.StateQuestion(claim)
    for ask in (questions.positions, questions.scores, questions.diagnoses):
        yield "", asked(ask, about)
    yield "", asked(questions.legal_moves, questions.HandQuestion(state=claim))
    yield "", asked(questions.trick_winners, questions.TrickWinnerQuestion(state=claim))
    for seat in (None, *range(state.table.players)):
        yield "", asked(questions.views, questions.ViewQuestion(claim, seat))
    for code in CODES:
        seat = CODES.index(code) % 8
        yield code, asked(questions.verdicts, questions.VerdictQuestion(state=claim, card=code))
        yield code, asked(questions.verdicts, questions.VerdictQuestion(state=claim, card=code, seat=seat))
        yield code, asked(questions.next_states, questions.NextStateQuestion(claim, (code,)))
        yield code, asked(questions.next_states, questions.NextStateQuestion(claim, (code,), "penalise"))


@settings(max_examples=80)
@given(look_alikes(), strategies.chances())
def test_no_answer_to_a_view_names_a_card_that_does_not_follow_from_it(
    alike: tuple[State, State, Seat | None], chance: Random
) -> None:
    state, other, seat = alike
    seen = view(state, seat)
    known = known_to(state, seat)
    filled = [fill(seen, chance) for _ in range(3)]
    follows = always_in_one_hand([state, other, *(one for one in filled if not faults(to_claim(one)))])
    for named, answer in every_question(seen):
        assert codes_in(encoded(answer)) <= known | follows | {named}


def always_in_one_hand(fillings: list[State]) -> set[str]:
    """List the cards that are in the same hand in every filling of the hidden hands."""
    everywhere = [[FULL_PACK] * len(hands) for hands in hands_of_seats(fillings[0])]
    for full in fillings:
        everywhere = [
            [kept & hand for kept, hand in zip(always, hands, strict=True)]
            for always, hands in zip(everywhere, hands_of_seats(full), strict=True)
        ]
    return {CODES[card] for hands in everywhere for hand in hands for card in cards_of(hand)}


@given(look_alikes())
def test_the_next_deal_does_not_turn_on_what_was_not_seen_of_the_last(alike: tuple[State, State, Seat | None]) -> None:
    state, other, seat = alike
    one, two = (
        asked(questions.deals, questions.DealQuestion(after=to_claim(view(full, seat)), seed="a"))
        for full in (state, other)
    )
    assert encoded(one) == encoded(two)


@given(views())
def test_the_position_of_a_view_agrees_with_the_state_as_far_as_it_goes(seen: tuple[State, Seat | None, State]) -> None:
    state, seat, shown = seen
    full, part = wire.write_position(state), wire.write_position(shown)
    assert part.state == to_claim(shown)
    assert part.legal_cards in {None, full.legal_cards}
    if seat == full.turn:
        assert part.legal_cards == full.legal_cards
    assert replace(part, state=full.state, notation=full.notation, legal_cards=full.legal_cards) == full


@given(views())
def test_scores_and_the_holder_of_the_trick_do_not_turn_on_hands(seen: tuple[State, Seat | None, State]) -> None:
    claim, part = to_claim(seen[0]), to_claim(seen[2])
    assert questions.scores(questions.StateQuestion(part)) == questions.scores(questions.StateQuestion(claim))
    ask = questions.trick_winners
    assert ask(questions.TrickWinnerQuestion(state=part)) == ask(questions.TrickWinnerQuestion(state=claim))


def judged(state: State, card: Card) -> Judgment | None:
    """Judge a card. Return None if the hand is not seen and what is seen does not decide."""
    try:
        return verdicts.judge_card(state, card)
    except HandNotSeen:
        return None


@given(views(playing=True))
def test_a_verdict_in_a_view_is_the_verdict_in_the_state(seen: tuple[State, Seat | None, State]) -> None:
    state, seat, shown = seen
    for card in CARDS:
        part, full = judged(shown, card), verdicts.judge_card(state, card)
        if seat == state.seat_to_play:
            assert part == full
        elif part is not None:
            assert full.reason in (part.possible or (part.reason,))
            assert part.legal_cards in {None, full.legal_cards}


@given(views(playing=True))
def test_the_legal_moves_of_a_view_are_those_of_the_state(seen: tuple[State, Seat | None, State]) -> None:
    state, seat, shown = seen
    full, part = (asked(questions.legal_moves, questions.HandQuestion(state=to_claim(one))) for one in (state, shown))
    if isinstance(part, Problem):
        assert part.code == "hand_not_seen"
        assert seat != state.seat_to_play
    else:
        assert part == full


def attempted(state: State, card: Card, on_revoke: play.OnRevoke) -> play.Played | set[Reason | None] | None:
    """Try to play a card: return what it did, or why it may be refused. Return None if what is seen does not decide."""
    try:
        return play.play(state, card, on_revoke)
    except play.IllegalPlay as refused:
        return set(refused.verdict.possible or (refused.verdict.reason,))
    except HandNotSeen:
        return None


@given(views(playing=True), st.sampled_from(("refuse", "penalise")))
def test_a_play_in_a_view_does_what_it_does_in_the_state(
    seen: tuple[State, Seat | None, State], on_revoke: play.OnRevoke
) -> None:
    state, seat, shown = seen
    assume(on_revoke == "refuse" or state.table.ruleset.revoke != "not_allowed")
    for card in CARDS:
        part, full = attempted(shown, card, on_revoke), attempted(state, card, on_revoke)
        if isinstance(part, play.Played) and isinstance(full, play.Played):
            same_play(part, full, seat)
        elif isinstance(part, set) and isinstance(full, set):
            assert full <= part
        else:
            assert part is None
            assert seat != state.seat_to_play


def same_play(part: play.Played, full: play.Played, seat: Seat | None) -> None:
    """Compare all that is open to all, and the hand that the seat sees unless it has just taken up its next hand."""
    viewer = None if full.hand_played_out else seat
    assert view(part.state, viewer) == view(full.state, viewer)
    assert (part.revoked is None) is (full.revoked is None)
    assert replace(part, state=full.state, revoked=full.revoked) == full
