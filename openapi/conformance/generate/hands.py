"""Bare hands: each ruleset, with every mix of the facts that decide a verdict.

These facts are the suit led, a trump on the table, and the cards of the hand: cards of the suit led, trumps above and
below the trump on the table, cards of other suits.
"""

from collections.abc import Iterator
from itertools import chain, combinations, product
from random import Random
from typing import Any, Final

from msgspec.structs import replace

from openapi.conformance.generate.plain import write_ruleset
from service.game.rulesets import RULESETS, TableRule

_RANKS: Final = "6789TJQKA"
_KINDS: Final = ("led", "trump_below", "trump_above", "other")
_MIXES: Final = tuple(chain.from_iterable(combinations(_KINDS, size) for size in (1, 2, 3, 4)))


_POSITION: Final = "ctt1_trebor_02.13_1_0.0_3-Ad_JhK97d86c.AQ9hQ8dAc.J6dQ97c.AQsATdJc_2-7hTc_KJT9876sKT86hKc.0"
_BARRED: Final = RULESETS["lots-of-kids"]
_SEVEN: Final = ["KH", "QH", "6C", "7C", "8C", "9C", "TC"]
_TRUMPS: Final = [rank + "H" for rank in _RANKS]
_CLUBS: Final = [rank + "C" for rank in _RANKS]
_TWO_SIXES_OUT: Final = TableRule(2, 1, 17, (2,), ("6C", "6D"), ("6C", "6D", "6H", "6S"))


def list_hands() -> Iterator[dict[str, Any]]:
    """List the bodies of questions about a hand to which no deal belongs."""
    for at, (rules, led, trumped, mix) in enumerate(
        product(RULESETS, ("none", "trump", "plain"), (False, True), _MIXES)
    ):
        if not trumped or led == "plain":
            yield {"rules": rules, **_make_hand(led, mix, Random(at), trumped=trumped)}
    yield from _list_first_leads()
    yield from _list_dealers_hands()


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


def _list_dealers_hands() -> Iterator[dict[str, Any]]:
    """List full hands that play last, with and without a trump: the only hand of a deal, or one of several."""
    for ruleset in RULESETS.values():
        only = [table for table in ruleset.tables if table.hands == 1][:1]
        for table in [*only, *(table for table in ruleset.tables if table.hands > 1)]:
            plain = Random(table.hands).sample([rank + suit for suit in "CDS" for rank in _RANKS[1:]], 24)
            trick, hand = plain[: table.players - 1], plain[table.players - 1 :][: table.cards]
            for held in (hand, [*hand[1:], "9H"]):
                yield {"rules": ruleset.id, "players": table.players, "trump": "H", "trick": trick, "hand": held}


def list_cards() -> Iterator[tuple[str, dict[str, Any]]]:
    """List leads that may open a deal, each with what it shows: decided or not, and what decides."""
    led = {"trump": "H", "trick": list[str]()}
    seven = {"rules": _BARRED.id, **led, "hand": _SEVEN}
    yield "a trump that may open a deal of five", {**seven, "card": "KH"}
    yield "a plain card of a hand that may open a deal", {**seven, "card": "6C"}
    yield "a card that is not in a hand that may open a deal", {**seven, "card": "AS"}
    yield "a trump that opens a deal of five", {**seven, "players": 5, "card": "KH"}
    yield "a trump that is led later in a deal of four", {**seven, "players": 4, "card": "KH"}
    full = {"rules": _BARRED.id, **led, "hand": [*_SEVEN, "AS", "KS"]}
    yield "a trump of a hand that only four get, and only at the start", {**full, "card": "KH"}
    six = _SEVEN[1:]
    for says, tables in (
        ("one hand of two", (TableRule(2, 1, 6, (2,)),)),
        ("the first of three hands, or a later one", (TableRule(2, 3, 6, (2,)),)),
        (
            "the first hand of two players, or a later one of three",
            (TableRule(2, 1, 6, (2,)), TableRule(3, 1, 7, (3,))),
        ),
        ("the first of two hands, or the second", (TableRule(2, 2, 6, (2,)),)),
        ("the first hand at each of two tables", (TableRule(2, 1, 6, (2,)), TableRule(3, 1, 6, (3,)))),
        ("several hands at each of two tables", (TableRule(2, 3, 6, (2,)), TableRule(3, 2, 6, (3,)))),
    ):
        house = write_ruleset(replace(_BARRED, id="house", tables=tables))
        yield f"a trump that is led from {says}", {"rules": house, **led, "hand": six, "card": "QH"}
    house = write_ruleset(replace(_BARRED, id="house", tables=(TableRule(2, 1, 18, (2,)),)))
    yield (
        "the dealer may hold every trump",
        {
            "rules": house,
            "trump": "H",
            "trick": ["6S"],
            "hand": [*_TRUMPS, *_CLUBS],
            "card": "KH",
        },
    )


def list_refused() -> Iterator[tuple[str, dict[str, Any]]]:
    """List bare hands that cannot be, or are not told in full, at a table with each fault."""
    asked: dict[str, Any] = {"rules": "trebor", "trump": "H", "trick": ["AS"], "hand": ["KH", "QH", "7D"], "card": "KH"}
    for name in ("rules", "trump", "trick", "hand"):
        yield f"without {name}", {field: value for field, value in asked.items() if field != name}
    yield "without anything", {"card": "KH"}
    yield "with a seat", {**asked, "seat": 1}
    yield "beside a position", {**asked, "state": _POSITION}
    for says, change in (
        ("a card twice in the hand", {"hand": ["KH", "KH"]}),
        ("a card twice in the trick", {"trick": ["AS", "AS"]}),
        ("a card in the trick and in the hand", {"hand": ["AS", "KH"]}),
        ("rules that nobody knows", {"rules": "whist"}),
        ("rules that nobody knows, and a card twice", {"rules": "whist", "hand": ["KH", "KH"]}),
        ("more players than there are", {"rules": "lots-of-kids", "players": 7}),
        ("a trick too long for two", {"players": 2, "trick": ["AS", "7S"]}),
        ("a trick too long for any number", {"rules": "lots-of-kids", "trick": ["AS", "7S", "8S", "9S", "TS", "JS"]}),
        ("a hand too large for eight", {"players": 8, "hand": ["7H", "8H", "9H", "TH", "JH"]}),
        ("a hand too large for any number", {"hand": [*_TRUMPS, "6C"]}),
        ("a six that five players do not have", {"players": 5, "trick": ["6S"]}),
        (
            "each six where one is out",
            {"rules": "lots-of-kids", "players": 5, "trick": ["6S", "6D"], "hand": ["6H", "6C"]},
        ),
        ("a hand too large, with a six that eight players do not have", {"players": 8, "hand": [*_CLUBS[:5]]}),
        (
            "a hand that only four get, to a trick that four have played",
            {"rules": "lots-of-kids", "trick": _CLUBS[:4], "hand": _TRUMPS},
        ),
        ("a trick and a hand too large for eight", {"players": 8, "trick": _CLUBS[1:9], "hand": _TRUMPS[1:6]}),
        ("every trump in the hand that opens", {"rules": "lots-of-kids", "trick": [], "hand": _TRUMPS}),
        ("every trump in the first of two hands of 18", {"rules": "denexa", "trick": [], "hand": [*_TRUMPS, *_CLUBS]}),
        ("every trump in the second hand and on the table", {"trick": ["6H"], "hand": [*_TRUMPS[1:], "6C"]}),
        (
            "every trump but a six that is not dealt, as the two other sixes of the hand show",
            {
                "rules": write_ruleset(replace(RULESETS["trebor"], id="house", tables=(_TWO_SIXES_OUT,))),
                "trick": [],
                "hand": [*_TRUMPS[1:], "6C", "6D", *_CLUBS[1:8]],
            },
        ),
        ("no trump in the dealer's hand", {"trick": ["AS", "KS", "QS"], "hand": _CLUBS}),
    ):
        yield says, {**asked, **change}


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
