"""The games of the family as data: one file for each printed source, each field with its source.

A new ruleset is one such file, its line in `table.RULESETS`, and its tests. What a source says stands in our own
words; `reading` marks what it leaves to us.
"""

from service.rulesets.shape import (
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
from service.rulesets.sound import ruleset_faults
from service.rulesets.table import (
    RULESETS,
    Table,
    arrange,
    choose_table,
    find_ruleset,
    lay,
    pack_after,
    seating_faults,
    usual_sides,
)

__all__ = [
    "RULESETS",
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
    "choose_table",
    "find_ruleset",
    "lay",
    "pack_after",
    "ruleset_faults",
    "seating_faults",
    "usual_sides",
]
