"""Example responses of the GET operations."""

from typing import Any, Final

import msgspec

from service.api.pages.problems import CATALOG
from service.api.questions import LOOKED_UP
from service.api.rulesets import RulesetList
from service.api.suggestions import show_example
from service.openapi.examples import MID_TRICK_LINE
from service.openapi.game_examples import live_responses
from service.rulesets import RULESETS

_METRICS: Final = """\
# HELP catchten_tricks_total Tricks taken in next-states, live games and adjudicated records.
# TYPE catchten_tricks_total counter
catchten_tricks_total{ruleset="trebor"} 9.0
"""

RESPONSE_EXAMPLES: Final[dict[str, Any]] = {
    **live_responses(),
    **{str(handler.operation_id): msgspec.to_builtins(handler.fn(MID_TRICK_LINE)) for handler in LOOKED_UP},
    "get_suggestion": msgspec.to_builtins(show_example(MID_TRICK_LINE)),
    "list_rulesets": msgspec.to_builtins(RulesetList(tuple(RULESETS.values()))),
    "get_ruleset": msgspec.to_builtins(RULESETS["trebor"]),
    "livez": "ok\n",
    "readyz": "ok\n",
    "readyz.503": "[+]serving ok\n"
    "[-]store failed: it cannot be reached; questions are still answered\n"
    "readyz check failed\n",
    "metrics": _METRICS,
    "openapi": {"openapi": "3.1.1", "info": {"title": "Catch the Ten"}},
    "front_page": "<!doctype html>\n<title>Catch the Ten</title>",
    "docs": "<!doctype html>\n<title>Catch the Ten: API</title>",
    "compare_rulesets": "<!doctype html>\n<title>Rulesets</title>",
    "guide": "<!doctype html>\n<title>A table in thirty minutes</title>",
    "table": "<!doctype html>\n<title>Catch the Ten: table</title>",
    "list_problems.data": msgspec.json.decode(CATALOG),
    "list_problems": "<!doctype html>\n<title>Problems</title>",
    "get_problem": "<!doctype html>\n<title>The card may not be played</title>",
}
