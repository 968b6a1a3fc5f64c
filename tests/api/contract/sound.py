"""Sound requests, made by chance from the rules: what is made from the schema alone is almost never sound."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, Final, TypeAlias

import msgspec

from service.game.cards import card_code, mask_codes
from service.game.rules import view
from service.game.rules.record import Record, RecordedDeal, RecordedPlay
from service.game.rulesets import make_table
from service.game.state import State, to_claim
from tests.support.strategies import ARRANGEMENTS, deal_at_random, legal, phase, play_at_random

Body: TypeAlias = dict[str, Any]
Maker: TypeAlias = Callable[[Body, Random], Body]

_PLAYS: Final = (0, 1, 7, 20, 60)
"""After how many cards a state is taken; some are more than a deal has."""


@cache
def _courses() -> tuple[tuple[State, ...], ...]:
    """Play deals of every ruleset with every number of players, and stop some of them on the way."""
    return tuple(_course(at, plays) for at in range(len(ARRANGEMENTS)) for plays in _PLAYS)


def _course(at: int, plays: int) -> tuple[State, ...]:
    chance = Random(1000 * at + plays)
    table = make_table(*ARRANGEMENTS[at])
    states = [deal_at_random(table, chance, chance.randrange(table.players), 1, (0,) * len(table.sides))]
    while len(states) <= plays and phase(states[-1]) == "playing":
        states.append(play_at_random(states[-1], chance, revokes=0.02))
    return tuple(states)


def _ask_about_state(body: Body, chance: Random) -> Body:
    """Put a sound state in place of the request's, every third one as its seat to play sees it, and a card."""
    state = chance.choice(_courses())[-1]
    shown = view.view(state, state.seat_to_play) if chance.random() < 1 / 3 else state
    made = {**body, "state": _built(to_claim(shown))}
    if phase(state) == "playing":
        cards = mask_codes(legal(state))
        if "cards" in body:
            made["cards"] = [chance.choice(cards)]
        if "card" in body:
            made["card"] = chance.choice((*cards, body["card"]))
    if "level" in body or "plays" in body:  # a suggestion, which is slower at the other levels
        made |= {"level": "easy", "plays": []}
    return made


def _ask_for_deal(_: Body, chance: Random) -> Body:
    if chance.random() < 1 / 3:
        return {"after": _built(to_claim(chance.choice(_over()))), "seed": "contract"}
    return {**_open_game({}, chance), "dealer": chance.randrange(2), "seed": "contract"}


@cache
def _over() -> tuple[State, ...]:
    return tuple(states[-1] for states in _courses() if phase(states[-1]) != "playing")


def _open_game(_: Body, chance: Random) -> Body:
    rules, sides = chance.choice(ARRANGEMENTS)
    return {"rules": rules, "sides": _built(sides)}


def _ask_about_record(_: Body, chance: Random) -> Body:
    states = chance.choice(_courses())
    first = to_claim(states[0])
    plays = tuple(
        RecordedPlay(before.seat_to_play, card_code(_played(before, after))) for before, after in pairwise(states)
    )
    hands = tuple(hand for hand in first.hands if not isinstance(hand, int))
    later = tuple(tuple(hand for hand in later if not isinstance(hand, int)) for later in first.later_hands)
    deal = RecordedDeal(first.dealer, first.turn_up, hands, plays, later)
    return dict(_built(Record(first.rules, first.sides, (deal,))))


def _played(before: State, after: State) -> int:
    """Return the card by which two states of a deal differ."""
    seat = before.seat_to_play
    if after.hands[seat] & ~before.hands[seat]:  # the seat has taken up its next hand
        return before.hands[seat].bit_length() - 1
    return (before.hands[seat] & ~after.hands[seat]).bit_length() - 1


def _ask_in_batch(body: Body, chance: Random) -> Body:
    return {"questions": [_tagged(item, chance) for item in body["questions"][:20]]}


def _tagged(item: Body, chance: Random) -> Body:
    bare = {key: value for key, value in item.items() if key != "kind"}
    return {**make_sound(item["kind"], bare, chance), "kind": item["kind"]}


def _built(value: object) -> Any:
    return msgspec.to_builtins(value)


_MAKERS: Final[dict[str, Maker]] = {
    "adjudications": _ask_about_record,
    "batches": _ask_in_batch,
    "deals": _ask_for_deal,
    "open_game": _open_game,
}


def make_sound(operation: str, body: Body, chance: Random) -> Body:
    """Turn a request into one that the rules allow, if its kind can be."""
    if "state" in body:
        return _ask_about_state(body, chance)
    maker = _MAKERS.get(operation)
    return body if maker is None else maker(body, chance)
