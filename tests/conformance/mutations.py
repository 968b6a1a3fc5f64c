"""Rules that are wrong on purpose, one at a time: some case must find each."""

# A wrong rule takes what the right one takes, whose types it need not repeat.
# pyright: reportUnknownLambdaType=none, reportUnknownArgumentType=none

from collections.abc import Callable
from typing import Any, Final

import msgspec
import pytest

from openapi.conformance.runner import RECORD_TEXT, Reply, Request
from service.game.cards import SUIT_MASK_OF, Card, Mask
from service.game.fairness import shuffle
from service.game.rules import deal, game, play, revoke, score, trick, unseen, view
from service.game.rules.admission import examination
from service.game.state import State
from tests.conformance.wrong_counts import WRONG_COUNTS
from tests.conformance.wrong_plays import WRONG_PLAYS, patch_playable
from tests.support.http import client
from tests.support.http.client import JSON

Mutation = Callable[[pytest.MonkeyPatch], None]


def ask_in_process(request: Request) -> Reply:
    """Send a request to the service inside this process."""
    is_text = isinstance(request.body, str)
    raw = request.body.encode() if isinstance(request.body, str) else msgspec.json.encode(request.body)
    headers = (("content-type", RECORD_TEXT if is_text else JSON),)
    answer = client.ask(client.Request(request.path, (raw,), request.method, headers))
    return Reply(answer.status, msgspec.json.decode(answer.body))


def jack_of_trumps_below_the_ace(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(trick, "cards_above_ace", lambda _: 0)


def no_duty_to_trump(patch: pytest.MonkeyPatch) -> None:
    patch_playable(patch, lambda state, cards, hand: (hand & SUIT_MASK_OF[cards[0]] or hand) if cards else None)


def a_trump_may_always_be_played(patch: pytest.MonkeyPatch) -> None:
    def playable(state: State, cards: tuple[Card, ...], hand: Mask) -> Mask | None:
        of_suit = hand & SUIT_MASK_OF[cards[0]] if cards else 0
        return of_suit | hand & SUIT_MASK_OF[state.turn_up] if of_suit else None

    patch_playable(patch, playable)


def a_trump_may_open_the_deal(patch: pytest.MonkeyPatch) -> None:
    patch_playable(patch, lambda _, cards, hand: None if cards else hand)


def card_points_from_the_share_on(patch: pytest.MonkeyPatch) -> None:
    made = score._made
    patch.setattr(score, "_made", lambda state: [points + 1 if points else 0 for points in made(state)])


def the_highest_score_wins_in_counting_order(patch: pytest.MonkeyPatch) -> None:
    def highest(_: State, standing: tuple[int, ...]) -> game.Won:
        return game.Won(game._highest(standing), "counting_order", "jack")

    patch.setattr(game, "_won_in_counting_order", highest)


def ties_are_never_played_off(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(game, "is_undecided", lambda *_: False)


def no_fine(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(revoke, "fines", lambda state, _: (0,) * len(state.taken))


def a_revoke_costs_no_game(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(revoke, "loser_of_game", lambda _: None)


def the_dealer_deals_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(game, "next_dealer", lambda state: state.dealer)


def always_dealt_singly(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(deal, "_singly", lambda cards, _: cards)


def eldest_leads_to_later_hands(patch: pytest.MonkeyPatch) -> None:
    right: Callable[[State, Card], State] = deal.play_unchecked

    def play_unchecked(state: State, card: Card) -> State:
        after = right(state, card)
        took_up = after.later_hands != state.later_hands
        leader = deal.eldest(state.table, state.dealer)
        return msgspec.structs.replace(after, leader=leader) if took_up else after

    patch.setattr(play, "play_unchecked", play_unchecked)


def the_trick_shows_nothing_of_hidden_hands(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(unseen, "_shown_by_trick", lambda _: {})


def the_later_hands_are_shown_to_their_owner(patch: pytest.MonkeyPatch) -> None:
    right: Callable[[State, int | None], State] = view.view

    def seen(state: State, seat: int | None) -> State:
        hidden = right(state, seat)
        own = tuple(
            open_hands if at == seat else hands
            for at, (hands, open_hands) in enumerate(zip(hidden.later_hands, state.later_hands, strict=True))
        )
        return msgspec.structs.replace(hidden, later_hands=own)

    patch.setattr(view, "view", seen)


def a_card_may_be_twice(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(examination, "find_card_faults", lambda *_: ())


def the_lowest_card_deals(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(shuffle, "max", min, raising=False)


MUTATIONS: Final[tuple[Any, ...]] = (
    jack_of_trumps_below_the_ace,
    no_duty_to_trump,
    a_trump_may_always_be_played,
    a_trump_may_open_the_deal,
    card_points_from_the_share_on,
    the_highest_score_wins_in_counting_order,
    ties_are_never_played_off,
    no_fine,
    a_revoke_costs_no_game,
    the_dealer_deals_again,
    always_dealt_singly,
    eldest_leads_to_later_hands,
    the_trick_shows_nothing_of_hidden_hands,
    the_later_hands_are_shown_to_their_owner,
    a_card_may_be_twice,
    the_lowest_card_deals,
    *WRONG_COUNTS,
    *WRONG_PLAYS,
)
