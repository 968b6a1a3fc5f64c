"""The games of the family as data: one file for each printed source, each field with its source.

A new ruleset is one such file, its name in `RULESETS` in registry.py, and its tests. Each `Source` says in this
project's own words what the source says; `reading` is True where the source is silent and this project decides.
"""

from service.game.rulesets.honours import HonourPoints, honour_points_by_trump
from service.game.rulesets.ranks import HandOrder, cards_above_ace, hand_orders
from service.game.rulesets.registry import RULESETS, cite, find_ruleset
from service.game.rulesets.ruleset import (
    MAX_DEALS,
    Fine,
    Honours,
    Players,
    RevokePenalty,
    Rules,
    Ruleset,
    RulesetId,
    Seat,
    Side,
    Sides,
    Source,
    Sources,
    TableRule,
)
from service.game.rulesets.table import (
    Table,
    arrange,
    choose_table,
    make_table,
    seating_faults,
    usual_sides,
    usual_tables,
)
from service.game.rulesets.validity import ruleset_faults

__all__ = [
    "MAX_DEALS",
    "RULESETS",
    "Fine",
    "HandOrder",
    "HonourPoints",
    "Honours",
    "Players",
    "RevokePenalty",
    "Rules",
    "Ruleset",
    "RulesetId",
    "Seat",
    "Side",
    "Sides",
    "Source",
    "Sources",
    "Table",
    "TableRule",
    "arrange",
    "cards_above_ace",
    "choose_table",
    "cite",
    "find_ruleset",
    "hand_orders",
    "honour_points_by_trump",
    "make_table",
    "ruleset_faults",
    "seating_faults",
    "usual_sides",
    "usual_tables",
]
