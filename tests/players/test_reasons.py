"""Every reason is a fact: of the rules, for any hidden hands, or of the deals that were tried."""

from random import Random
from typing import Any, Final

from hypothesis import given, settings

from service.game.cards import CODES, Card, cards_of
from service.game.generators import run_to_end
from service.game.rules import trick, verdicts
from service.game.rules.admission import admit
from service.game.rules.deal import play_unchecked
from service.game.rules.unseen import find_hidden
from service.game.rules.view import view
from service.game.state import State
from service.players.determinizations import Determinizations
from service.players.player import EFFORTS, Option, RankedOptions, weigh_cards
from service.players.reasons import Reason, ReasonCode, explain
from tests.support.claims import claim
from tests.support.strategies import chances, states

PARTNERS: Final = ((0, 2), (1, 3))


def seen(cards: str, played: str, turn_up: str = "6H", dealer: int = 2) -> State:
    """Four hands of four cards, hearts are trumps, the honours are out: the next seat to play to a trick of seat 0."""
    seat = len(played.split())
    hands: list[int | str] = [3 if at < seat else 4 for at in range(4)]
    hands[seat] = cards
    out = "TH JH QH KH AH"
    return admit(
        claim("trebor", PARTNERS, hands=hands, turn_up=turn_up, dealer=dealer, trick=played, tricks=(3, 2), hidden=out)
    )


def option(card: str, honours: str = "", **figures: Any) -> Option:
    """Make up what a search found for a card: the honours that its side always takes, and other figures."""
    taken = tuple((CODES.index(f"{rank}H"), float(f"{rank}H" in honours)) for rank in "TJQKA")
    found = {
        "points": 9.0,
        "against": 9.0,
        "wins": 0.0,
        "losses": 0.0,
        "chance": 0.5,
        "standard_error": 1.0,
        "trick": 0.5,
        **figures,
    }
    return Option(card=CODES.index(card), honours=taken, **found)


def explained(state: State, *options: Option) -> list[dict[ReasonCode, Reason]]:
    """Return the reasons for each option, by their codes."""
    found = explain(state, RankedOptions(options, 12, exact=False, nodes=1))
    return [{reason.code: reason for reason in each} for each in found]


def cards(*codes: str) -> tuple[Card, ...]:
    return tuple(CODES.index(code) for code in codes)


def test_the_last_seat_surely_takes_or_loses_the_trick_with_the_honours_in_it() -> None:
    ace, seven = explained(seen("AH 7H 8D 9D", "TH 9H 8H", "JH", dealer=1), option("AH"), option("7H"))
    assert ace["takes_trick"] == Reason("takes_trick", cards("TH", "AH"), seat=1, out=CODES.index("JH"))
    assert seven["loses_trick"] == Reason("loses_trick", cards("TH"), seat=0)


def test_where_a_better_card_is_out_is_said_only_if_it_is_known() -> None:
    (ace,) = explained(seen("AH 7H 8D 9D", "TH 9H 8H"), option("AH"))
    assert ace["takes_trick"] == Reason("takes_trick", cards("TH", "AH"), out=CODES.index("JH"))
    (nine,) = explained(seen("9C 7H 8D 9D", "7C 8C 6C"), option("9C"))
    assert nine["takes_trick"] == Reason("takes_trick")


def test_an_honour_is_given_to_a_partner_who_surely_takes_the_trick() -> None:
    ace, seven, eight = explained(seen("AH 7H 8D 9D", "9C JH 8C"), option("AH"), option("7H"), option("8D", points=8.0))
    assert ace["gives_partner"] == Reason("gives_partner", cards("AH"), seat=1)
    assert set(seven) == {"as_good"}
    assert set(eight) == {"behind"}


def test_what_hidden_cards_may_change_is_as_often_as_the_search_found() -> None:
    (king,) = explained(seen("KC 7H 8D 9D", "9C"), option("KC", trick=0.75))
    assert king["may_take_trick"] == Reason("may_take_trick", times=9)


def test_an_honour_is_kept_if_its_side_takes_it_more_often_later() -> None:
    ace, eight = explained(seen("AH 7H 8D 9D", "9C"), option("AH"), option("8D", honours="AH TH"))
    assert "keeps_honour" not in ace
    assert eight["keeps_honour"] == Reason("keeps_honour", cards("AH"), times=12, before=0)


def test_of_the_hidden_honours_the_ten_comes_first() -> None:
    ten, king = explained(
        seen("7H 8H 8D 9D", "9C"), option("7H", honours="TH KH"), option("8H", honours="KH", points=1.0)
    )
    assert ten["catches_honour"] == Reason("catches_honour", cards("TH"), times=12)
    assert "catches_honour" not in king


def test_the_end_of_the_game_is_named_where_it_comes_with_this_deal() -> None:
    state = seen("7H 8H 8D 9D", "9C")
    seven, eight = explained(state, option("7H", wins=0.5, losses=0.25), option("8H"))
    assert (seven["wins_game"].times, seven["loses_game"].times) == (6, 3)
    assert not {"wins_game", "loses_game"} & set(eight)


def test_each_card_is_compared_with_the_best_and_the_best_with_the_next() -> None:
    state = seen("7H 8H 8D 9D", "9C")
    seven, eight, nine = option("7H"), option("8H"), option("9D", points=7.0)
    found = explained(state, seven, eight, nine)
    assert found[0]["best"].other == nine
    assert found[1]["as_good"].other == seven
    assert found[2]["behind"].other == seven
    assert ["all_alike" in each for each in explained(state, seven, eight)] == [True, True]
    assert "only_card" in explained(state, seven)[0]


@settings(max_examples=60)
@given(states(playing=True), chances())
def test_what_is_said_to_be_sure_of_a_trick_is_so_however_the_hidden_hands_are_filled(
    state: State, chance: Random
) -> None:
    state = view(state, state.seat_to_play)
    found = run_to_end(weigh_cards(state, EFFORTS["easy"], "1"))
    for chosen, reasons in zip(found.options, explain(state, found), strict=True):
        for reason in reasons:
            if reason.code in {"takes_trick", "gives_partner", "loses_trick"}:
                taker = state.seat_to_play if reason.code == "takes_trick" else reason.seat
                assert _winner(Determinizations(find_hidden(state)).draw(chance), chosen.card, chance) == taker


def _winner(state: State, card: Card, chance: Random) -> int:
    """Return the seat that takes the current trick if the card is played, and any legal ones after it."""
    table, played = state.table, (*state.trick, card)
    leader, trump = state.leader, state.trump
    while len(played) < table.players:
        state = play_unchecked(state, card)
        card = chance.choice(cards_of(verdicts.legal_cards(state) or 0))
        played = (*played, card)
    seat = trick.winner(played, trump, leader, table.players, table.ruleset)
    assert seat is not None
    return seat
