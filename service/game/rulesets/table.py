"""A table: a ruleset laid for a number of seats and the sides that they form."""

from functools import cache, lru_cache
from itertools import combinations

from msgspec import Struct

from service.game.cards import BIT, Mask
from service.game.faults import Fault, Impossible, Path
from service.game.rulesets.honours import HonourPoints, honour_points_by_trump
from service.game.rulesets.ranks import HandOrder, hand_orders
from service.game.rulesets.registry import find_ruleset
from service.game.rulesets.ruleset import Rules, Ruleset, Side, Sides, TableRule


class Table(Struct, frozen=True):
    """A ruleset laid for a number of seats and their sides."""

    rules: Rules
    """The rules as requested: an id, or a whole ruleset."""
    ruleset: Ruleset
    """The ruleset."""
    sides: Sides
    """By side: its seats."""
    players: int
    """How many seats there are."""
    hands: int
    """How many hands a seat plays in a deal, one after the other."""
    cards: int
    """How many cards a hand has."""
    tricks: int
    """How many tricks a whole deal has."""
    undealt: int
    """How many cards of the stripped pack are not dealt."""
    strips: tuple[Mask, ...]
    """The sets of cards that may be stripped, the usual one first."""
    side_of: tuple[Side, ...]
    """By seat: its side."""
    share: tuple[int, ...]
    """By side: how many cards are dealt to it in a whole deal."""
    honours: tuple[HonourPoints, ...]
    """By trump: the honours, and their points."""
    hand_orders: tuple[HandOrder, ...]
    """By trump: the order in which a player holds a hand."""


@cache
def arrange(players: int, sides: int) -> Sides:
    """Seat the players in a number of sides, partners evenly spaced around the table."""
    return tuple(tuple(range(side, players, sides)) for side in range(sides))


def usual_sides(rules: Rules, players: int) -> Sides:
    """Return the sides in which the ruleset seats a number of players unless they choose others.

    Errors: Impossible, paths relative to a request with the fields `rules` and `players`.
    """
    ruleset = _find_at(rules)
    return arrange(players, _table_rule(ruleset, players, ("players",)).sides[0])


def seating_faults(players: int | None, sides: Sides | None) -> tuple[Fault, ...]:
    """Return a fault unless exactly one of the number of players and the sides is given."""
    if (players is None) != (sides is None):
        return ()
    detail = "Give exactly one of `players` and `sides`."
    missing = players is None
    return (Fault("missing_field", (), detail) if missing else Fault("fields_contradict", ("players",), detail),)


def choose_table(rules: Rules, players: int | None, sides: Sides | None) -> Table:
    """Return the table of a ruleset for the sides given, or for a number of players in the ruleset's usual sides.

    Errors: Impossible, paths relative to a request with the fields `rules`, `players` and `sides`.

    >>> choose_table("trebor", 4, None).sides
    ((0, 2), (1, 3))
    """
    if sides is None and players is not None:
        return make_table(rules, usual_sides(rules, players))
    if players is None and sides is not None:
        return make_table(rules, sides)
    raise Impossible(seating_faults(players, sides))


def usual_tables(rules: Rules, players: int | None) -> tuple[Table, ...]:
    """Return the tables of a ruleset in its usual sides: one for `players` or, if None, one for each number it allows.

    Errors: Impossible, paths relative to a request with the fields `rules` and `players`.
    """
    counts = [rule.players for rule in _find_at(rules).tables] if players is None else [players]
    return tuple([make_table(rules, usual_sides(rules, count)) for count in counts])


@lru_cache(maxsize=128)
def make_table(rules: Rules, sides: Sides) -> Table:
    """Lay a ruleset for the seats of these sides; the order of the sides, and of the seats in each, is free.

    Errors: Impossible, paths relative to a state (`rules`, `sides`).
    """
    ruleset = _find_at(rules)
    seats = [seat for side in sides for seat in side]
    players = len(seats)
    if sorted(seats) != list(range(players)):
        detail = f"The sides name seats {seats}; a table has each seat from 0 on exactly once."
        raise Impossible((Fault("seats_not_once_each", ("sides",), detail),))
    rule = _table_rule(ruleset, players, ("sides",))
    _require_sides(ruleset, rule, sides)
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
        share=tuple(len(side) * rule.cards * rule.hands for side in sides),
        honours=honour_points_by_trump(ruleset),
        hand_orders=hand_orders(ruleset),
    )


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


def _require_sides(ruleset: Ruleset, rule: TableRule, sides: Sides) -> None:
    allowed = [arrange(rule.players, count) for count in rule.sides]
    if {frozenset(side) for side in sides} not in [{frozenset(side) for side in seating} for seating in allowed]:
        names = "; ".join(str([list(side) for side in seating]) for seating in allowed)
        detail = f"{ruleset.id} does not seat {rule.players} players so; it knows {names}."
        raise Impossible((Fault("partnership_not_in_ruleset", ("sides",), detail),))


def _strips(rule: TableRule) -> tuple[Mask, ...]:
    choices = [rule.strip, *combinations(rule.strip_choice, len(rule.strip))]
    return tuple(dict.fromkeys(sum(BIT[code] for code in strip) for strip in choices))
