"""Claims that may be impossible: sound claims with a few random changes."""

from random import Random
from typing import Any, Final, TypeAlias

import msgspec
from hypothesis import strategies as st

from service.game.cards import CODES
from service.game.rules.view import view
from service.game.rulesets import RULESETS, arrange
from service.game.state import Claim, to_claim
from tests.support.strategies import chances, states

Said: TypeAlias = dict[str, Any]
"""A claim as plain data."""


@st.composite
def shaken_claims(draw: st.DrawFn) -> Claim:
    """Draw a claim of valid types that may be impossible: a sound one, seen in full or in part, with a few changes."""
    chance = draw(chances())
    state = draw(states())
    hidden = view(state, chance.choice((None, *range(state.table.players))))
    said: Said = msgspec.json.decode(msgspec.json.encode(to_claim(chance.choice((state, hidden)))))
    for _ in range(draw(st.integers(0, 3))):
        shake(said, chance)
    return msgspec.convert(said, Claim)


def shake(said: Said, chance: Random) -> None:
    """Change something in a claim."""
    chance.choice(_SHAKES)(said, chance)


def _some_seat(said: Said, chance: Random) -> None:
    said[chance.choice(("dealer", "leader", "revoked"))] = chance.randrange(8)


def _some_number(said: Said, chance: Random) -> None:
    said["deal"] = chance.randint(1, 3)
    said["scores"][chance.randrange(len(said["scores"]))] = chance.randint(0, 45)


def _some_rules(said: Said, chance: Random) -> None:
    said["rules"] = chance.choice((*RULESETS, "whist"))


def _some_sides(said: Said, chance: Random) -> None:
    players = len(said["hands"])
    chance.shuffle(said["sides"])
    if chance.random() < 0.5:
        said["sides"] = [list(side) for side in arrange(players, chance.choice((2, players)))]


def _some_length(said: Said, chance: Random) -> None:
    entries = said[chance.choice(("hands", "later_hands", "scores", "taken"))]
    if len(entries) > 2:
        entries.pop()


def _some_turn_up(said: Said, chance: Random) -> None:
    said["turn_up"] = chance.choice(CODES)


def _some_hand(said: Said, chance: Random) -> None:
    hands = chance.choice((said["hands"], *said["later_hands"]))
    if hands:
        at = chance.randrange(len(hands))
        size = hands[at] if isinstance(hands[at], int) else len(hands[at])
        hands[at] = chance.choice((size, max(0, size - 1), chance.sample(CODES, size)))


def _some_card(said: Said, chance: Random) -> None:
    """Move a card from one list to another, or replace it by another card."""
    later = [hand for hands in said["later_hands"] for hand in hands]
    hands: list[list[str] | int] = [*said["hands"], *later]
    places: list[list[str]] = [said["trick"], *said["taken"], *(hand for hand in hands if not isinstance(hand, int))]
    full = [cards for cards in places if cards]
    if not full:
        return
    place = chance.choice(full)
    moved = place.pop(chance.randrange(len(place)))
    other = chance.choice([cards for cards in places if len(cards) < 8])
    other.append(chance.choice((moved, chance.choice(CODES))))


_SHAKES: Final = (
    _some_seat,
    _some_number,
    _some_rules,
    _some_sides,
    _some_length,
    _some_turn_up,
    _some_hand,
    _some_card,
    _some_card,
)
