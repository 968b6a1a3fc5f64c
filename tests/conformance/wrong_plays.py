"""Wrong rules of the deal and the play: what may be led and played, who wins a trick, what hidden hands can hold."""

# A wrong rule takes what the right one takes, whose types it need not repeat.
# pyright: reportUnknownLambdaType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
import pytest

from service.game.cards import SUIT_MASK_OF, Card, Mask
from service.game.rules import deal, duty, follow, knowledge, past, setup, trick, unseen
from service.game.rules.record import deal as record_deal
from service.game.rulesets import Table
from service.game.state import State, side_of
from service.players.claims import options, search


def patch_playable(patch: pytest.MonkeyPatch, wrong: Callable[[State, tuple[Card, ...], Mask], Mask | None]) -> None:
    """Replace the rule where the wrong one has something to say."""

    def playable(state: State, cards: tuple[Card, ...], hand: Mask) -> Mask:
        found = wrong(state, cards, hand)
        return duty.playable(state, cards, hand) if found is None else found

    patch.setattr(follow, "playable", playable)


def eldest_with_trumps_only_leads_nothing(patch: pytest.MonkeyPatch) -> None:
    def playable(state: State, cards: tuple[Card, ...], hand: Mask) -> Mask | None:
        barred = not cards and duty.bars_trump_lead(state.table) and not any(state.taken)
        return hand & ~SUIT_MASK_OF[state.turn_up] if barred else None

    patch_playable(patch, playable)


def no_trump_may_be_led(patch: pytest.MonkeyPatch) -> None:
    def playable(state: State, cards: tuple[Card, ...], hand: Mask) -> Mask | None:
        barred = not cards and duty.bars_trump_lead(state.table)
        return (hand & ~SUIT_MASK_OF[state.turn_up] or hand) if barred else None

    patch_playable(patch, playable)


def a_void_hand_must_trump(patch: pytest.MonkeyPatch) -> None:
    def playable(state: State, cards: tuple[Card, ...], hand: Mask) -> Mask | None:
        void = cards and not hand & SUIT_MASK_OF[cards[0]]
        return (hand & SUIT_MASK_OF[state.turn_up] or hand) if void else None

    patch_playable(patch, playable)


def a_void_hand_may_discard_behind_a_trump(patch: pytest.MonkeyPatch) -> None:
    def playable(state: State, cards: tuple[Card, ...], hand: Mask) -> Mask | None:
        trumps = SUIT_MASK_OF[state.turn_up]
        behind = any(trumps >> card & 1 for card in cards[1:]) and not hand & SUIT_MASK_OF[cards[0]]
        return hand if behind else None

    patch_playable(patch, playable)


def a_void_hand_need_not_trump_higher_than_it_can(patch: pytest.MonkeyPatch) -> None:
    def playable(state: State, cards: tuple[Card, ...], hand: Mask) -> Mask | None:
        trumps = SUIT_MASK_OF[state.turn_up]
        laid = [card for card in cards[1:] if trumps >> card & 1]
        if not laid or duty.may_discard(state.table) or hand & SUIT_MASK_OF[cards[0]] or not hand & trumps:
            return None
        return hand if hand & trumps < 1 << max(laid) else None

    patch_playable(patch, playable)


def an_opening_trump_shows_nothing_of_its_hand(patch: pytest.MonkeyPatch) -> None:
    right = duty.cards_that_forbid

    def forbidding(state: State, led: Card | None, card: Card) -> Mask:
        return 0 if led is None else right(state, led, card)

    for module in (unseen, follow, knowledge):
        patch.setattr(module, "cards_that_forbid", forbidding, raising=False)


def later_cards_of_a_record_prove_nothing(patch: pytest.MonkeyPatch) -> None:
    right = unseen.find_hidden_before
    patch.setattr(record_deal, "find_hidden_before", lambda state, _, __: right(state, 0, state))


def a_seat_may_hold_what_its_plays_say_that_it_lacks(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(past, "_require_lacked", lambda *_: None)


def plays_that_no_hands_fit_are_believed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(past, "is_feasible", lambda *_: True)


def partners_help_a_claim(patch: pytest.MonkeyPatch) -> None:
    right: Callable[..., Any] = search._Search._try_cards

    def try_cards(self: Any, state: State, known: Any) -> Any:
        seat = state.seat_to_play
        if seat == self._seat or side_of(state, seat) != side_of(state, self._seat):
            return (yield from right(self, state, known))
        line = None
        for play in options.hidden_plays(state, known, self._order, state.hands[self._seat]):
            line = yield from self._play(state, unseen.show_lacking(known.shown, seat, play.lacks), play.card)
            if line is None:
                return None
        return line

    patch.setattr(search._Search, "_try_cards", try_cards)


def a_claim_sees_no_void(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(search, "show_lacking", lambda shown, *_: shown)


def trumps_win_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(trick, "best", lambda cards, lead, *_: (cards & SUIT_MASK_OF[lead]).bit_length() - 1)


def the_jack_is_raised_in_every_ruleset(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(trick, "cards_above_ace", lambda _: sum(1 << 9 * suit + 5 for suit in range(4)))


def a_card_not_held_may_stand_as_a_revoke(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(follow, "broken_duty", lambda *_: "must_follow_suit")


def the_usual_six_is_stripped_for_each_deal(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(setup, "_strip_of", lambda state: state.table.strips[0])


def a_next_deal_begins_without_scores(patch: pytest.MonkeyPatch) -> None:
    right = setup.set_up_next_deal

    def set_up(state: State) -> setup.Setup:
        following = right(state)
        return msgspec.structs.replace(following, scores=(0,) * len(following.scores))

    patch.setattr(setup, "set_up_next_deal", set_up)


def the_dealer_leads(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(deal, "eldest", lambda _, dealer: dealer)


def the_first_card_dealt_is_turned_up(patch: pytest.MonkeyPatch) -> None:
    right: Callable[..., State] = deal.deal

    def wrong(table: Table, order: Sequence[Card], *rest: Any, **more: Any) -> State:
        return msgspec.structs.replace(right(table, order, *rest, **more), turn_up=order[0])

    patch.setattr(deal, "deal", wrong)


def the_trick_goes_to_the_side_of_the_leader(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(trick, "best", lambda _, lead, *__: lead)


def a_hidden_turn_up_may_lie_anywhere(patch: pytest.MonkeyPatch) -> None:
    right = unseen.find_hidden

    def find(state: State, shown: Any = None) -> unseen.HiddenCards:
        known = right(state, shown)
        return known._replace(cards=known.cards | known.turn_up, turn_up=0)

    for module in (unseen, follow, knowledge):
        patch.setattr(module, "find_hidden", find, raising=False)


def a_void_hand_that_must_trump_shows_nothing_of_its_trumps(patch: pytest.MonkeyPatch) -> None:
    right = duty.cards_that_forbid

    def cards_that_forbid(state: State, led: Card | None, card: Card) -> Mask:
        found = right(state, led, card)
        return found if led is None else found & SUIT_MASK_OF[led]

    for module in (unseen, follow, knowledge):
        patch.setattr(module, "cards_that_forbid", cards_that_forbid, raising=False)


WRONG_PLAYS: Final[tuple[Any, ...]] = (
    eldest_with_trumps_only_leads_nothing,
    no_trump_may_be_led,
    a_void_hand_must_trump,
    a_void_hand_may_discard_behind_a_trump,
    a_void_hand_need_not_trump_higher_than_it_can,
    an_opening_trump_shows_nothing_of_its_hand,
    later_cards_of_a_record_prove_nothing,
    a_seat_may_hold_what_its_plays_say_that_it_lacks,
    plays_that_no_hands_fit_are_believed,
    partners_help_a_claim,
    a_claim_sees_no_void,
    trumps_win_nothing,
    the_jack_is_raised_in_every_ruleset,
    a_card_not_held_may_stand_as_a_revoke,
    the_usual_six_is_stripped_for_each_deal,
    a_next_deal_begins_without_scores,
    the_dealer_leads,
    the_first_card_dealt_is_turned_up,
    the_trick_goes_to_the_side_of_the_leader,
    a_hidden_turn_up_may_lie_anywhere,
    a_void_hand_that_must_trump_shows_nothing_of_its_trumps,
)
