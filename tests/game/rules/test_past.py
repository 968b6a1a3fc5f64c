"""The facts that the plays of a deal show of hidden hands are true, and every filling fits them."""

from collections import Counter
from itertools import islice
from random import Random
from typing import Any, Final

import pytest
from hypothesis import assume, given, settings
from msgspec.structs import replace

from service.game.cards import BITS, SUIT_MASKS, Card, cards_of, parse_mask
from service.game.faults import Impossible
from service.game.generators import run_to_end
from service.game.rules import knowledge, play
from service.game.rules.admission import admit
from service.game.rules.deal import play_unchecked
from service.game.rules.past import cards_lacked, find_hidden_after, seats_of
from service.game.rules.revoke import play_revoke
from service.game.rules.unseen import find_hidden
from service.game.rules.view import view
from service.game.rulesets import Rules, Table, arrange, make_table
from service.game.state import State
from service.players.determinizations import Determinizations
from tests.players.test_determinizations import as_json, hands_of
from tests.reference import fillings as reference
from tests.support.claims import claim, house, numbers
from tests.support.effort import choose_effort
from tests.support.strategies import chances, deal_at_random, legal, phase, tables


def play_some(state: State, chance: Random, most: int) -> tuple[State, tuple[Card, ...]]:
    """Play at most `most` legal cards at random, and stop while the deal is in play."""
    played: tuple[Card, ...] = ()
    for _ in range(most):
        card = chance.choice(cards_of(legal(state)))
        after = play_unchecked(state, card)
        if phase(after) != "playing":
            break
        state, played = after, (*played, card)
    return state, played


def revoke(state: State, chance: Random) -> tuple[State, Card] | None:
    """Play an illegal card that stands; return None if every card of the hand is legal."""
    illegal = cards_of(state.hands[state.seat_to_play] & ~legal(state))
    if not illegal:
        return None
    card = chance.choice(illegal)
    return play_revoke(state, card), card


def end_by_revoke(table: Table, chance: Random, cards: range) -> tuple[State, tuple[Card, ...]]:
    """Play a deal at random up to a revoke after a number of `cards`; return its end, and the cards."""
    while True:
        start = deal_at_random(table, chance, chance.randrange(table.players), 1, (0,) * len(table.sides))
        before, played = play_some(start, chance, chance.choice(cards))
        if found := revoke(before, chance):
            return found[0], (*played, found[1])


def could_be(filled: dict[str, Any], start: State, played: tuple[Card, ...], *, revoked: bool = False) -> bool:
    """Return True if all plays but a revoke were legal in the deal that a filling was in the beginning."""
    hands = [parse_mask(tuple(hand)) for hand in filled["hands"]]
    state = start
    for card in played:
        hands[state.seat_to_play] |= BITS[card]
        state = play_unchecked(state, card)
    state, made = replace(start, hands=tuple(hands)), 0
    try:
        for card in played:
            state, made = play.play(state, card).state, made + 1
    except play.IllegalPlay:
        return revoked and made == len(played) - 1
    return not revoked


@settings(max_examples=100)
@given(tables(), chances())
def test_no_hand_holds_what_its_plays_say_that_it_lacks(table: Table, chance: Random) -> None:
    start = deal_at_random(table, chance, chance.randrange(table.players), 1, (0,) * len(table.sides))
    state, played = play_some(start, chance, chance.randrange(36))
    lacked = cards_lacked(state, played)
    assert not any(hand & cards for hand, cards in zip(state.hands, lacked, strict=True))
    seen = view(state, state.seat_to_play)
    filled = Determinizations(find_hidden_after(seen, played)).draw(chance)
    assert not any(hand & cards for hand, cards in zip(filled.hands, lacked, strict=True))


@pytest.mark.parametrize("number", range(3))
def test_fillings_that_fit_the_plays_are_drawn_alike(number: int) -> None:
    chance = Random(f"past-{number}")
    table = make_table(*(("gamerules", arrange(4, 2)), ("take-ten", arrange(4, 4)), ("trebor", arrange(6, 2)))[number])
    while True:
        start = deal_at_random(table, chance, chance.randrange(table.players), 1, (0,) * len(table.sides))
        state, played = play_some(start, chance, table.players * table.cards - 8)
        seen = view(state, state.seat_to_play)
        every = list(islice(reference.fillings(as_json(seen)), 3000))
        fit = [each for each in every if could_be(each, start, played)]
        if 10 < len(fit) < 100 and len(fit) < len(every) < 3000:
            break
    fillings = Determinizations(find_hidden_after(seen, played))
    assert run_to_end(fillings.count()) == len(fit)
    drawn = Counter(hands_of(as_json(fillings.draw(chance))) for _ in range(60 * len(fit)))
    assert set(drawn) == set(map(hands_of, fit))
    distance = sum((count - 60) ** 2 / 60 for count in drawn.values())
    assert distance < len(fit) + 6 * (2 * len(fit)) ** 0.5


def first_of(state: State) -> State:
    """Return the state in which a deal of one hand each began, of hands that nobody sees."""
    return replace(
        state,
        hands=(-state.table.cards,) * state.table.players,
        leader=(state.dealer + 1) % state.table.players,
        trick=(),
        taken=(0,) * len(state.table.sides),
        revoked=None,
    )


PENALISED: Final = ("trebor", house("take-ten", revoke="loss_of_deal"), house("lots-of-kids", revoke="loss_of_game"))


@pytest.mark.parametrize("rules", PENALISED, ids=["trebor", "take-ten", "lots-of-kids"])
@pytest.mark.parametrize("number", range(choose_effort(daily=4, nightly=12)))
def test_after_a_revoke_the_plays_of_the_deal_say_all_that_every_filling_has(rules: Rules, number: int) -> None:
    chance, table = Random(f"revoke-{number}"), make_table(rules, arrange(4, 4 if rules != "trebor" else 2))
    state, played = end_by_revoke(table, chance, range(26, 31))
    for eyes in (None, *range(4)):
        seen = view(state, eyes)
        filled = [
            each for each in reference.fillings(as_json(seen)) if could_be(each, first_of(state), played, revoked=True)
        ]
        for hand in knowledge.infer_hands(find_hidden_after(seen, played), eyes):
            held = [numbers(" ".join(each["hands"][hand.place[0]])) for each in filled]
            assert {*cards_of(hand.may_hold)} == {*held[0]}.union(*held)
            assert {card for card, _ in hand.must_hold} == {*held[0]}.intersection(*held)


@settings(max_examples=100)
@given(tables(), chances())
def test_the_plays_of_a_deal_that_a_revoke_ended_fit_it(table: Table, chance: Random) -> None:
    table = make_table(replace(table.ruleset, id="house", revoke="loss_of_deal"), table.sides)
    start = deal_at_random(table, chance, chance.randrange(table.players), 1, (0,) * len(table.sides))
    before, played = play_some(start, chance, chance.randrange(36))
    found = revoke(before, chance)
    assume(found is not None and phase(before) == "playing")
    assert found is not None
    for eyes in (None, *range(table.players)):
        assert find_hidden_after(view(found[0], eyes), (*played, found[1])).state == view(found[0], eyes)


@settings(max_examples=50)
@given(tables(), chances())
def test_each_card_was_played_by_the_seat_whose_turn_it_was(table: Table, chance: Random) -> None:
    start = deal_at_random(table, chance, chance.randrange(table.players), 1, (0,) * len(table.sides))
    state, played = play_some(start, chance, chance.randrange(36))
    before = start
    for card, seat in zip(played, seats_of(state, played), strict=True):
        assert seat == before.seat_to_play
        before = play_unchecked(before, card)


def test_plays_that_lead_elsewhere_are_refused() -> None:
    table = make_table("gamerules", arrange(4, 2))
    start = deal_at_random(table, Random(1), 0, 1, (0, 0))
    state, played = play_some(start, Random(1), 10)
    assert cards_lacked(state, played)
    with pytest.raises(Impossible, match="do not lead to this state"):
        cards_lacked(state, played[:-1])
    others = replace(state, leader=(state.leader + 1) % 4), replace(state, taken=state.taken[::-1])
    for other in others:
        with pytest.raises(Impossible, match="do not lead to this state"):
            cards_lacked(other, played)
    for wrong in ((*played, played[0]), played * 4, (*played[:4], *played)):
        with pytest.raises(Impossible, match="played twice"):
            cards_lacked(state, wrong)


def test_plays_that_were_not_legal_are_refused() -> None:
    table = make_table("gamerules", arrange(4, 2))
    chance = Random(1)
    while True:
        start = deal_at_random(table, chance, 0, 1, (0, 0))
        state, played = play_some(start, chance, 1)
        others = state.hands[2] & ~legal(state)
        if others and legal(state) != state.hands[2]:
            break
    revoked = play_unchecked(state, cards_of(others)[0])
    with pytest.raises(Impossible, match="not legal"):
        cards_lacked(revoked, (*played, cards_of(others)[0]))


@pytest.mark.parametrize(
    ("hand", "played"),
    [
        pytest.param("JC 7D 8D 9D TD JD QD", "AC 6D 7C 8C KC 9C TC QC", id="a club on the lead of another"),
        pytest.param("JC 7D 8D 9D TD JD QD KD", "AH 7H 8H AD", id="the turn-up, which the dealer still holds"),
    ],
)
def test_plays_that_show_a_revoke_are_refused(hand: str, played: str) -> None:
    size = len(hand.split())
    claimed = claim("denexa", hands=(hand, size, size, size), turn_up="6H", took=(played, "", "", ""))
    with pytest.raises(Impossible, match="held a card for which a play of it was not legal"):
        cards_lacked(admit(claimed), numbers(played))


def test_plays_that_leave_a_suit_in_nobodys_hand_do_not_fit(chance: Random) -> None:
    """All others have discarded on the suit led, whose other cards nobody has shown."""
    state = deal_at_random(make_table("gamerules", arrange(4, 2)), chance, 0, 1, (0, 0))
    led = next(suit for suit in SUIT_MASKS if 0 < (state.hands[1] & suit).bit_count() < 5)
    leads = cards_of(state.hands[1] & led)[0]
    played = (leads, *[cards_of(state.hands[seat] & ~led)[0] for seat in (2, 3, 0)])
    for card in played:
        state = play_unchecked(state, card)
    with pytest.raises(Impossible) as refused:
        find_hidden_after(view(state, 1), played)
    assert [fault.code for fault in refused.value.faults] == ["plays_do_not_fit"]


def test_without_the_plays_of_a_deal_only_its_state_says_what_is_hidden(chance: Random) -> None:
    seen = view(deal_at_random(make_table("trebor", arrange(4, 2)), chance, 0, 1, (0, 0)), 1)
    assert find_hidden_after(seen, ()) == find_hidden(seen)
