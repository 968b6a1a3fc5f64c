"""Views of deals with their plays, possible and impossible: each mix of the facts that the reader checks.

The reader checks the leader, the trick and the cards taken. A seat must not play or hold a card after it has shown that
it lacks the card. The dealer holds the turn-up. The hidden hands must have a filling.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

from service.game.cards import BITS, CODES, Card, cards_of
from service.game.faults import Impossible
from service.game.rules.deal import play_unchecked
from service.game.rules.past import find_hidden_after, seats_of
from service.game.rules.revoke import play_revoke
from service.game.rules.view import view
from service.game.rules.visibility import visible_cards
from service.game.rulesets import Rules, Seat, Sides, arrange, make_table
from service.game.state import State
from tests.support.claims import house
from tests.support.strategies import deal_at_random, legal, phase

_TABLES: Final[tuple[tuple[Rules, Sides], ...]] = (
    ("denexa", arrange(4, 4)),
    ("take-ten", arrange(3, 3)),
    ("lots-of-kids", arrange(5, 5)),
    ("gamerules", arrange(3, 3)),
    ("gamerules", arrange(4, 2)),
    (house("take-ten", revoke="loss_of_deal"), arrange(4, 4)),
)
_TRIES: Final = 700
"""Deals of each table that are tried for mixes that were not found yet."""


class Past(NamedTuple):
    """A state as somebody sees it, and the plays that are said to have led to it."""

    says: str
    state: State
    eyes: Seat | None
    cards: tuple[Card, ...]

    def write_plays(self) -> list[dict[str, Any]]:
        """Write the plays as a request has them."""
        seats = seats_of(self.state, self.cards)
        return [{"seat": seat, "card": CODES[card]} for seat, card in zip(seats, self.cards, strict=True)]


def list_pasts() -> Iterator[Past]:
    """List one of each mix that random deals come to."""
    for rules, sides in _TABLES:
        chance, found = Random(f"pasts-{len(sides)}"), set[object]()
        for past in sorted([_any_past(rules, sides, chance) for _ in range(_TRIES)], key=_measure):
            mix = _describe_mix(past.state, past.cards)
            if mix not in found:
                found.add(mix)
                yield past


def _measure(past: Past) -> int:
    """Return about how long a case is: its plays, and in each hidden hand the cards that it may hold."""
    hands = [hand for hands in (past.state.hands, *past.state.later_hands) for hand in hands if hand < 0]
    return 25 * len(past.cards) - 5 * sum(hands) * len(hands)


def _any_past(rules: Rules, sides: Sides, chance: Random) -> Past:
    state, played = _play(rules, sides, chance)
    says, cards = _change(played, state.table.players, chance)
    eyes = chance.choice([None, *range(state.table.players)])
    return Past(says, view(state, eyes), eyes, cards)


def _play(rules: Rules, sides: Sides, chance: Random) -> tuple[State, tuple[Card, ...]]:
    """Play a deal at random for a while; a card of some deals is illegal, or a revoke that ends the deal."""
    table = make_table(rules, sides)
    state = deal_at_random(table, chance, chance.randrange(table.players), 1, (0,) * len(sides))
    played = list[Card]()
    slips, last = chance.random() < 0.6, chance.randint(table.players, table.players * table.tricks - 1)
    while len(played) < last:
        illegal = cards_of(state.hands[state.seat_to_play] & ~legal(state))
        slip = slips and illegal and chance.random() < 0.5
        card = chance.choice(illegal if slip else cards_of(legal(state)))
        slips = slips and not slip
        played.append(card)
        if slip and table.ruleset.revoke == "loss_of_deal" and chance.random() < 0.5:
            return play_revoke(state, card), tuple(played)
        after = play_unchecked(state, card)
        if phase(after) != "playing":
            return state, tuple(played[:-1])
        state = after
    return state, tuple(played)


def _change(played: tuple[Card, ...], players: int, chance: Random) -> tuple[str, tuple[Card, ...]]:
    """Leave plays as they are, or cut off the last, or let two of them change places, mostly in the same trick."""
    cards = list(played)
    match chance.randrange(4):
        case 0:
            return "the last play left out", played[:-1]
        case 1:
            one = chance.randrange(len(cards))
            other = min(one + chance.choice([1, 2, players, 2 * players]), len(cards) - 1)
            cards[one], cards[other] = cards[other], cards[one]
            return "two plays exchanged", tuple(cards)
        case _:
            return "the plays", played


def _describe_mix(seen: State, cards: tuple[Card, ...]) -> object:
    """Return what of a past decides: what is found, at which end, and what is in sight."""
    try:
        shown = find_hidden_after(seen, cards).shown
    except Impossible as exc:
        found: object = exc.faults[0].detail.partition(" held ")[2] or exc.faults[0].detail
    else:
        found = min(sum(bool(hand.lacks) for hand in shown.values()), 1)
    end = _lead_to(seen, cards)
    alike = [one == other for one, other in zip(end, (seen.leader, seen.trick, seen.taken), strict=True)]
    turn_up = bool(visible_cards(seen) & BITS[seen.turn_up])
    if not all(alike):
        return found, tuple(alike) if sum(alike) == 2 else None
    return found, turn_up, seen.revoked is None, bool(seen.later_hands), max(seen.hands) > 0


def _lead_to(seen: State, cards: tuple[Card, ...]) -> tuple[Seat, tuple[Card, ...], tuple[int, ...]]:
    """Return the leader, the trick and the cards taken after plays, but for a revoke at the end."""
    table, dealer = seen.table, seen.dealer
    hidden = -table.cards
    state = State(
        table,
        dealer,
        seen.deal,
        seen.scores,
        seen.turn_up,
        hands=(hidden,) * table.players,
        later_hands=((hidden,) * (table.hands - 1),) * table.players if table.hands > 1 else (),
        leader=(dealer + 1) % table.players,
        trick=(),
        taken=(0,) * len(table.sides),
    )
    for card in cards if seen.revoked is None else cards[:-1]:
        state = play_unchecked(state, card)
    trick = state.trick if seen.revoked is None else (*state.trick, *cards[-1:])
    return state.leader, trick, state.taken
