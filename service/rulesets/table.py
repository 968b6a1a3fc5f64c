"""A ruleset laid for a number of seats, and what makes one impossible to lay."""

from functools import lru_cache
from itertools import combinations
from typing import Final

from msgspec import Struct

from service.cards import BIT, FULL_PACK, Mask
from service.faults import Fault, FaultCode, Impossible, Path
from service.rulesets.denexa import DENEXA
from service.rulesets.french_whist import FRENCH_WHIST
from service.rulesets.gamerules import GAMERULES
from service.rulesets.lots_of_kids import LOTS_OF_KIDS
from service.rulesets.shape import Rules, Ruleset, Side, Sides, TableRule
from service.rulesets.sound import ruleset_faults
from service.rulesets.take_ten import TAKE_TEN
from service.rulesets.trebor import TREBOR

RULESETS: Final = {ruleset.id: ruleset for ruleset in (DENEXA, GAMERULES, LOTS_OF_KIDS, TAKE_TEN, TREBOR, FRENCH_WHIST)}


class Table(Struct, frozen=True):
    """A ruleset laid for a number of seats and their sides.

    Shape: `side_of` by seat; `share` and `sides` by side; `strips` the sets that may be out of the pack, the
    usual one first.
    Unit: `share`, `undealt` and `cards` count cards, `tricks` the tricks of a whole deal.
    """

    rules: Rules
    ruleset: Ruleset
    sides: Sides
    players: int
    hands: int
    cards: int
    tricks: int
    undealt: int
    strips: tuple[Mask, ...]
    side_of: tuple[Side, ...]
    share: tuple[int, ...]


def find_ruleset(rules: Rules) -> Ruleset:
    """Find the ruleset of an id, or pass a caller's own.

    Errors: Impossible, with paths that start at the ruleset, for an unknown id or a nonsensical ruleset.
    """
    if isinstance(rules, str):
        ruleset = RULESETS.get(rules)
        if ruleset is None:
            detail = f"There is no ruleset {rules!r}; there are {', '.join(RULESETS)}."
            raise Impossible((Fault("unknown_ruleset", (), detail),))
        return ruleset
    if faults := ruleset_faults(rules):
        raise Impossible(faults)
    return rules


def arrange(players: int, sides: int) -> Sides:
    """Seat the players in that many sides, partners evenly spaced round the table."""
    return tuple(tuple(range(side, players, sides)) for side in range(sides))


def usual_sides(rules: Rules, players: int) -> Sides:
    """Seat so many players as the ruleset seats them by itself.

    Errors: Impossible, paths relative to the request's `rules` and `players`.
    """
    ruleset = _find_at(rules)
    return arrange(players, _table_rule(ruleset, players, ("players",)).sides[0])


def seating_faults(players: int | None, sides: Sides | None) -> tuple[Fault, ...]:
    """Return a fault, path `players`, unless exactly one of the number of players and the sides is given."""
    if (players is None) != (sides is None):
        return ()
    code: FaultCode = "fields_missing" if players is None else "fields_contradict"
    return (Fault(code, ("players",), "Give exactly one of players and sides."),)


def choose_table(rules: Rules, players: int | None, sides: Sides | None) -> Table:
    """Lay a ruleset for the sides given, or for so many players, seated as the ruleset seats them.

    Errors: Impossible, paths relative to a request with the fields `rules`, `players` and `sides`.
    """
    if sides is None and players is not None:
        return lay(rules, usual_sides(rules, players))
    if players is None and sides is not None:
        return lay(rules, sides)
    raise Impossible(seating_faults(players, sides))


def _find_at(rules: Rules) -> Ruleset:
    try:
        return find_ruleset(rules)
    except Impossible as exc:
        faults = tuple(Fault(fault.code, ("rules", *fault.path), fault.detail) for fault in exc.faults)
        raise Impossible(faults) from exc


def _table_rule(ruleset: Ruleset, players: int, path: Path) -> TableRule:
    for rule in ruleset.tables:
        if rule.players == players:
            return rule
    counts = ", ".join(str(rule.players) for rule in ruleset.tables)
    detail = f"{ruleset.id} has no table for {players} players; it has tables for {counts}."
    raise Impossible((Fault("players_not_in_ruleset", path, detail),))


@lru_cache(maxsize=128)
def lay(rules: Rules, sides: Sides) -> Table:
    """Lay a ruleset for the seats of these sides, whatever the order of the sides and of the seats in each.

    Errors: Impossible, paths relative to a state (`rules`, `sides`).
    """
    ruleset = _find_at(rules)
    seats = [seat for side in sides for seat in side]
    players = len(seats)
    if sorted(seats) != list(range(players)):
        detail = f"The sides name seats {seats}; a table has each seat from 0 on exactly once."
        raise Impossible((Fault("seats_not_once_each", ("sides",), detail),))
    rule = _table_rule(ruleset, players, ("sides",))
    allowed = [arrange(players, count) for count in rule.sides]
    if {frozenset(side) for side in sides} not in [{frozenset(side) for side in seating} for seating in allowed]:
        names = "; ".join(str([list(side) for side in seating]) for seating in allowed)
        detail = f"{ruleset.id} does not seat {players} players so; it knows {names}."
        raise Impossible((Fault("partnership_not_in_ruleset", ("sides",), detail),))
    return Table(
        rules=rules,
        ruleset=ruleset,
        sides=sides,
        players=players,
        hands=rule.hands,
        cards=rule.cards,
        tricks=rule.hands * rule.cards,
        undealt=36 - len(rule.strip) - players * rule.hands * rule.cards,
        strips=_strips(rule),
        side_of=tuple(next(i for i, side in enumerate(sides) if seat in side) for seat in range(players)),
        share=tuple(len(side) * rule.hands * rule.cards for side in sides),
    )


def _strips(rule: TableRule) -> tuple[Mask, ...]:
    choices = [rule.strip, *combinations(rule.strip_choice, len(rule.strip))]
    return tuple(dict.fromkeys(sum(BIT[code] for code in strip) for strip in choices))


def pack_after(strip: Mask) -> Mask:
    """Tell the pack that is left when these cards are stripped."""
    return FULL_PACK & ~strip
