"""The game of a row: its rules, sides and computers, as the body that opens it."""

from random import Random
from typing import Any, Final

from tests.programs.agreement.asking import Json
from tests.programs.agreement.games import HOUSE_RULES, own_rules
from tests.programs.pairwise.factors import Row
from tests.reference import engine

LEVELS: Final = ("easy", "medium")
NAMES: Final = ("Ann", "Bob", None, "Dùghall", "Eve 5", "Fionn", "Gil", "Ḣ")
_NO_PENALTY: Final = "not_allowed"


def draw_opening(row: Row, chance: Random) -> Json:
    """Return the body that opens a game of a row: a short one, of one or two deals or near its end."""
    name, players, sides = chance.choice([one for one in engine.arrangements() if _fits(row, *one)])
    body: dict[str, Any] = {"sides": sides, "ttl": 600}
    if row.rules == "house rules":
        body["rules"] = own_rules(name, players, **_draw_house_rules(row, chance))
    else:
        body |= {"rules": name, "scores": [chance.randint(15, 35) for _ in sides]}
    if row.revokes == "revokes penalised":
        body["on_revoke"] = "penalise"
    has_computers = row.computers == "computers"
    computers = [chance.choice(LEVELS) if has_computers and seat % 2 else None for seat in range(players)]
    body["seats"] = [{"name": name, "computer": level} for name, level in zip(NAMES, computers, strict=False)]
    return body


def _fits(row: Row, name: str, players: int, sides: list[list[int]]) -> bool:
    penalised = row.revokes == "revokes penalised" and row.rules == "printed rules"
    return players == row.players and not (penalised and engine.RULESETS[name]["revoke"] == _NO_PENALTY)


def _draw_house_rules(row: Row, chance: Random) -> Json:
    """Draw each rule by itself, but for the length of the game and for what becomes of a revoke."""
    rules = {name: chance.choice(kinds) for name, kinds in HOUSE_RULES.items()}
    penalties = [kind for kind in HOUSE_RULES["revoke"] if kind != _NO_PENALTY]
    revoke = chance.choice(penalties) if row.revokes == "revokes penalised" else _NO_PENALTY
    return {**rules, "deals": 2, "target": 60, "ties": "shared", "revoke": revoke}
