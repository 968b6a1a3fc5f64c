"""The longest record that there can be: 100 deals, each ended late by a revoke that costs its points."""

from functools import cache
from random import Random
from typing import Any

import msgspec

from service.game.cards import FULL_PACK, Card, card_code, cards_of, mask_codes
from service.game.fairness.shuffle import shuffle
from service.game.rules import deal, game, revoke, score, verdicts
from service.game.rules.deal import play_unchecked
from service.game.rulesets import MAX_DEALS, Ruleset, make_table
from service.game.state import State
from tests.programs.attacks.rules import house_rules


@cache
def long_record() -> bytes:
    """Return the record, as JSON."""
    rules = msgspec.convert({**house_rules("x"), "revoke": "loss_of_deal"}, Ruleset)
    table, chance = make_table(rules, ((0, 2), (1, 3))), Random(1)
    scores: tuple[int, ...] = (0, 0)
    dealer, deals = 0, list[dict[str, Any]]()
    while len(deals) < MAX_DEALS:
        order = shuffle(FULL_PACK, f"deal-{chance.random()}")
        state = deal.deal(table, order, dealer, len(deals) + 1, scores, threes=False)
        start = {"dealer": dealer, "turn_up": card_code(state.turn_up), "hands": [*map(mask_codes, state.hands)]}
        plays, end = _play_to_a_revoke(state, chance)
        if end is not None:
            deals.append({**start, "plays": plays})
            dealer, scores = game.next_dealer(end), score.totals(end)
    return msgspec.json.encode({"rules": rules, "sides": table.sides, "deals": deals, "on_revoke": "penalise"})


def illegal_record(rules: dict[str, Any]) -> dict[str, Any]:
    """Return a record of one deal in which every card that can be illegal is."""
    table = make_table(msgspec.convert(rules, Ruleset), ((0, 2), (1, 3)))
    state = deal.deal(table, shuffle(FULL_PACK, "illegal"), 0, 1, (0, 0), threes=False)
    start = {"dealer": 0, "turn_up": card_code(state.turn_up), "hands": [*map(mask_codes, state.hands)]}
    plays: list[dict[str, Any]] = []
    while game.phase(state, game.won(state)) == "playing":
        seat, legal = state.seat_to_play, verdicts.legal_cards(state) or 0
        card = cards_of(state.hands[seat] & ~legal or legal)[0]
        plays.append(_recorded(seat, card))
        state = play_unchecked(state, card)
    return {"rules": rules, "sides": table.sides, "deals": [{**start, "plays": plays}]}


def _play_to_a_revoke(state: State, chance: Random) -> tuple[list[dict[str, Any]], State | None]:
    """Play at random up to the last revoke that leaves the score as it was; the state is None if there is none."""
    made: list[dict[str, Any]] = []
    best: tuple[list[dict[str, Any]], State | None] = [], None
    while game.phase(state, game.won(state)) == "playing":
        seat, legal = state.seat_to_play, verdicts.legal_cards(state) or 0
        for card in cards_of(state.hands[seat] & ~legal)[:1]:
            end = revoke.play_revoke(state, card)
            if score.totals(end) == state.scores:
                best = [*made, _recorded(seat, card)], end
        card = chance.choice(cards_of(legal))
        made.append(_recorded(seat, card))
        state = play_unchecked(state, card)
    return best


def _recorded(seat: int, card: Card) -> dict[str, Any]:
    return {"seat": seat, "card": card_code(card)}
