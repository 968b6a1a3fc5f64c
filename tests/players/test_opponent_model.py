"""Determinizations that are settled by opponents stay fillings, and are as frequent as the plays make them likely."""

from collections import Counter
from itertools import islice
from random import Random

from hypothesis import given, settings

from service.game.cards import BITS, Card, parse_mask
from service.game.rules.deal import play_unchecked
from service.game.rules.past import cards_lacked, find_hidden_after, turns
from service.game.rules.view import view
from service.game.rulesets import Table, arrange, make_table
from service.game.state import State
from service.players.board import Board
from service.players.determinizations import Determinizations
from service.players.opponent_model import OpponentModel
from service.players.rule_of_thumb import RuleOfThumb
from tests.game.rules.test_past import could_be, play_some
from tests.players.test_determinizations import as_json
from tests.reference import fillings as reference
from tests.support.strategies import chances, deal_at_random, tables


def played_by_thumb(state: State, plays: int) -> tuple[State, tuple[Card, ...]]:
    """Play cards by rule of thumb."""
    played: tuple[Card, ...] = ()
    for _ in range(plays):
        board = Board(state)
        card = board.order.number(RuleOfThumb(state).choose(board)).bit_length() - 1
        state, played = play_unchecked(state, card), (*played, card)
    return state, played


def disagreements(seen: State, played: tuple[Card, ...], hands: tuple[int, ...], seat: int) -> int:
    """Count the cards that a seat would not have played by rule of thumb if these had been the hands."""
    rank, thumb = Board(seen).order.rank, RuleOfThumb(seen)
    later, count = rank(hands[seat]), 0
    for before, card in reversed(list(turns(seen, played))):
        if before.seat_to_play == seat:
            later |= rank(BITS[card])
            board = Board(before)
            board.give(seat, later)
            count += thumb.choose(board) != rank(BITS[card])
    return count


def likely(seen: State, played: tuple[Card, ...], hands: tuple[int, ...]) -> float:
    """Return how likely all hidden hands are together, beside hands with which all plays were by rule of thumb."""
    counts = [disagreements(seen, played, hands, seat) for seat, hand in enumerate(seen.hands) if hand < 0]
    product = 1.0
    for count in counts:
        product *= (2 / 3) ** (count - 1) / 8 if count else 1
    return product


@settings(max_examples=60)
@given(tables(), chances())
def test_settled_hands_fit_all_that_is_in_sight_and_all_that_was_played(table: Table, chance: Random) -> None:
    start = deal_at_random(table, chance, chance.randrange(table.players), 1, (0,) * len(table.sides))
    state, played = play_some(start, chance, chance.randrange(36))
    seen = view(state, state.seat_to_play)
    lacked = cards_lacked(seen, played)
    board = Board(Determinizations(find_hidden_after(seen, played)).draw(chance))
    rank, before = board.order.rank, board.hands[:]
    OpponentModel(seen, played, lacked).resample(board, chance)
    assert sum(board.hands) == sum(before)
    assert [hand.bit_count() for hand in board.hands] == [hand.bit_count() for hand in before]
    assert not any(hand & rank(cards) for hand, cards in zip(board.hands, lacked, strict=True))
    for seat, hand in enumerate(seen.hands):
        assert hand < 0 or board.hands[seat] == rank(hand)
        assert board.hands[seat] & rank(BITS[state.turn_up]) == before[seat] & rank(BITS[state.turn_up])


def test_settled_hands_are_as_frequent_as_the_plays_make_them_likely() -> None:
    chance = Random("opponents")
    while True:
        start = deal_at_random(make_table("gamerules", arrange(4, 2)), chance, 0, 1, (0, 0))
        state, played = played_by_thumb(start, 26)
        seen = view(state, state.seat_to_play)
        every = [each for each in islice(reference.fillings(as_json(seen)), 3000) if could_be(each, start, played)]
        hands = [tuple(parse_mask(tuple(hand)) for hand in each["hands"]) for each in every]
        weights = {each: likely(seen, played, each) for each in hands}
        if 10 < len(hands) < 100 and len(set(weights.values())) > 3:
            break
    lacked = cards_lacked(seen, played)
    board, opponents, counts = (
        Board(Determinizations(find_hidden_after(seen, played)).draw(chance)),
        OpponentModel(seen, played, lacked),
        Counter[object](),
    )
    for _ in range(4000):
        opponents.resample(board, chance)
        counts[tuple(map(board.order.number, board.hands))] += 1
    total = sum(weights.values())
    for each, weight in weights.items():
        expected = 4000 * weight / total
        assert abs(counts[each] - expected) < 6 * (expected + 1) ** 0.5


def test_fillings_of_a_deal_played_by_rule_of_thumb_agree_with_it_more_often_when_settled() -> None:
    drawn = settled = 0.0
    for number in range(10):
        chance = Random(f"opponents-{number}")
        state, played = played_by_thumb(
            deal_at_random(make_table("gamerules", arrange(4, 2)), chance, 0, 1, (0, 0)), 14
        )
        seen = view(state, state.seat_to_play)
        lacked = cards_lacked(seen, played)
        fillings, opponents = Determinizations(find_hidden_after(seen, played)), OpponentModel(seen, played, lacked)
        for _ in range(20):
            filled = fillings.draw(chance)
            drawn += likely(seen, played, filled.hands) == 1
            board = Board(filled)
            opponents.resample(board, chance)
            settled += likely(seen, played, tuple(map(board.order.number, board.hands))) == 1
    assert settled > 2 * drawn > 0
