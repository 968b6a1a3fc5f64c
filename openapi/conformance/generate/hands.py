"""Bare hands: each ruleset, with every mix of the facts that decide a verdict.

These facts are the suit led, a trump on the table, and the cards of the hand: cards of the suit led, trumps above and
below the trump on the table, cards of other suits.
"""

from collections.abc import Iterator
from itertools import chain, combinations, product
from random import Random
from typing import Any, Final

from service.game.rulesets import RULESETS

_RANKS: Final = "6789TJQKA"
_KINDS: Final = ("led", "trump_below", "trump_above", "other")
_MIXES: Final = tuple(chain.from_iterable(combinations(_KINDS, size) for size in (1, 2, 3, 4)))


def list_hands() -> Iterator[dict[str, Any]]:
    """List the bodies of questions about a hand to which no deal belongs."""
    for at, (rules, led, trumped, mix) in enumerate(
        product(RULESETS, ("none", "trump", "plain"), (False, True), _MIXES)
    ):
        if not trumped or led == "plain":
            yield {"rules": rules, **_make_hand(led, mix, Random(at), trumped=trumped)}
    yield from _list_first_leads()


def _list_first_leads() -> Iterator[dict[str, Any]]:
    """List full hands, and smaller ones, at each table where no trump may open a deal; some are of trumps alone."""
    barred = [ruleset for ruleset in RULESETS.values() if ruleset.opening_lead == "no_trump"]
    for table in [table for ruleset in barred for table in ruleset.tables]:
        chance = Random(table.players)
        pack = [rank + suit for suit in "CDHS" for rank in _RANKS if rank != "6"]
        for size in (table.cards, table.cards - 1):
            for suits in ("CDHS", "H"):
                held = chance.sample(
                    [card for card in pack if card[1] in suits], min(size, 8 if suits == "H" else size)
                )
                for players in ({}, {"players": table.players}):
                    yield {"rules": barred[0].id, "trump": "H", "trick": [], "hand": held, **players}


def _make_hand(led: str, mix: tuple[str, ...], chance: Random, *, trumped: bool) -> dict[str, Any]:
    trump, plain, *others = chance.sample("CDHS", 4)
    suit = trump if led == "trump" else plain
    ranks, plain_ranks = chance.sample(_RANKS, 9), iter(chance.sample(_RANKS, 9))
    middle = ranks.pop()
    trick = [] if led == "none" else [next(plain_ranks) + suit] if led == "plain" else [middle + trump]
    trick += [middle + trump] if trumped else []
    trick += [f"{next(plain_ranks)}{others[1]}"] if trick and chance.random() < 0.5 else []
    below = [rank for rank in ranks if _RANKS.index(rank) < _RANKS.index(middle)]
    above = [rank for rank in ranks if _RANKS.index(rank) > _RANKS.index(middle)]
    cards = {
        "led": [next(plain_ranks) + plain],
        "trump_below": [rank + trump for rank in below[:1]],
        "trump_above": [rank + trump for rank in above[:1]],
        "other": [next(plain_ranks) + others[0]],
    }
    hand = list(dict.fromkeys(card for kind in mix for card in cards[kind])) or cards["other"]
    return {"trump": trump, "trick": trick, "hand": hand}
