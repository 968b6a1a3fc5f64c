"""The printed rulesets by their ids."""

from typing import Final

from service.faults import Fault, Impossible
from service.rulesets.denexa import DENEXA
from service.rulesets.french_whist import FRENCH_WHIST
from service.rulesets.gamerules import GAMERULES
from service.rulesets.lots_of_kids import LOTS_OF_KIDS
from service.rulesets.ruleset import Rules, Ruleset
from service.rulesets.take_ten import TAKE_TEN
from service.rulesets.trebor import TREBOR
from service.rulesets.validity import ruleset_faults

RULESETS: Final = {ruleset.id: ruleset for ruleset in (DENEXA, GAMERULES, LOTS_OF_KIDS, TAKE_TEN, TREBOR, FRENCH_WHIST)}


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
    if faults := ruleset_faults(rules):
        raise Impossible(faults)
    return rules
