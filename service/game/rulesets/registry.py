"""The printed rulesets by their ids."""

from collections.abc import Iterator
from typing import Final

from service.game.faults import Fault, Impossible
from service.game.rulesets.britannica import BRITANNICA
from service.game.rulesets.cassell import CASSELL
from service.game.rulesets.denexa import DENEXA
from service.game.rulesets.french_whist import FRENCH_WHIST
from service.game.rulesets.gamerules import GAMERULES
from service.game.rulesets.lots_of_kids import LOTS_OF_KIDS
from service.game.rulesets.ruleset import HOUSE, Rules, Ruleset, Source
from service.game.rulesets.take_ten import TAKE_TEN
from service.game.rulesets.trebor import TREBOR
from service.game.rulesets.validity import ruleset_faults

RULESETS: Final = {
    ruleset.id: ruleset
    for ruleset in (DENEXA, GAMERULES, LOTS_OF_KIDS, TAKE_TEN, TREBOR, BRITANNICA, CASSELL, FRENCH_WHIST)
}


def find_ruleset(rules: Rules) -> Ruleset:
    """Return the printed ruleset that has this id, or the caller's own ruleset if it is valid.

    Errors: Impossible, paths relative to the ruleset, for an unknown id or an invalid ruleset.
    """
    if isinstance(rules, str):
        ruleset = RULESETS.get(rules)
        if ruleset is None:
            detail = f"There is no ruleset {rules!r}; there are {', '.join(RULESETS)}."
            raise Impossible((Fault("unknown_ruleset", (), detail),))
        return ruleset
    if faults := (*_id_faults(rules), *ruleset_faults(rules)):
        raise Impossible(faults)
    return rules


def _id_faults(ruleset: Ruleset) -> Iterator[Fault]:
    """Find the id of a printed ruleset in one that differs from it."""
    printed = RULESETS.get(ruleset.id)
    if printed is not None and printed != ruleset:
        names = [name for name in Ruleset.__struct_fields__ if getattr(printed, name) != getattr(ruleset, name)]
        detail = f"This is not {ruleset.id} as printed: {', '.join(names)} differ. Give it an id of its own."
        yield Fault("ruleset_printed_id", ("id",), detail)


def cite(ruleset: Ruleset, name: str) -> Source:
    """Return the source of a field of a ruleset if it is printed with that value; else the house.

    A caller's own words on a field are not repeated with every verdict.
    """
    source: Source = getattr(ruleset.sources, name)
    if ruleset.id in RULESETS:
        return source
    value = getattr(ruleset, name)
    printed = [other for other in RULESETS.values() if getattr(other.sources, name) == source]
    return source if value in [getattr(other, name) for other in printed] else HOUSE
