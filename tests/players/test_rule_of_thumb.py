"""The careful side keeps its best trumps when void, and trumps tricks that its partner may lose; others do not."""

from typing import Final

import pytest

from service.game.cards import CODES
from service.game.rules.admission import admit
from service.game.state import State
from service.players.board import Board
from service.players.rule_of_thumb import RuleOfThumb
from tests.support.claims import claim

PARTNERS: Final = ((0, 2), (1, 3))


def seen(cards: str, played: str) -> State:
    """Four hands of four cards, hearts are trumps and not all out: the next seat to play to a trick of seat 0."""
    seat = len(played.split())
    hands: list[int | str] = [3 if at < seat else 4 for at in range(4)]
    hands[seat] = cards
    hidden = "AH KH 9C TC JC"
    return admit(claim("gamerules", PARTNERS, hands=hands, turn_up="6H", trick=played, tricks=(3, 2), hidden=hidden))


def chosen(state: State, careful: tuple[int, ...]) -> str:
    board = Board(state)
    return CODES[board.order.number(RuleOfThumb(state, careful).choose(board)).bit_length() - 1]


@pytest.mark.parametrize(
    ("cards", "played", "careful", "other"),
    [
        ("JH 7H 6C 8C", "9S", "7H", "JH"),
        ("JH TH 6C 8C", "9S", "TH", "JH"),
        ("JH 6C 7C 8C", "9S", "6C", "JH"),
        ("JH 7H 6C 8C", "9S QH", "JH", "JH"),
        ("7H 8H 6C 8C", "9S 8S", "7H", "6C"),
        ("7H 8H 6C 8C", "AS 8S", "6C", "6C"),
        ("JH 7H 6S AS", "9S", "AS", "AS"),
        ("JH 6H 6C 8C", "9S 8S TS", "6H", "6H"),
    ],
)
def test_a_void_hand_of_a_careful_side_trumps_with_what_it_can_spare(
    cards: str, played: str, careful: str, other: str
) -> None:
    state = seen(cards, played)
    side = len(played.split()) % 2
    assert chosen(state, (side,)) == chosen(state, (0, 1)) == careful
    assert {chosen(state, ()), chosen(state, (1 - side,))} == {other}
