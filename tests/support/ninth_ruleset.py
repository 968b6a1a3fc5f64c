"""A tree of the service with a ninth ruleset, which needs a field that no released ruleset has.

The new field is in the ruleset, in each of its states and in each deal of its records, and absent elsewhere:
docs/decisions/0039-what-may-grow.md.
"""

import shutil
from pathlib import Path
from typing import Final, NamedTuple

from tests.support.processes import ROOT

NINTH: Final = "ninth"
"""The id of the ruleset: trebor with points for the last trick."""
FIELD: Final = "last_trick"
"""The new field: the points for the last trick."""


class Edit(NamedTuple):
    """A change of a file of service/: a unique part and its replacement."""

    file: str
    old: str
    new: str


_POINTS: Final = 'Annotated[int | UnsetType, Meta(description="The points for the last trick.")] = UNSET'
_IMPORT: Final = "from msgspec import UNSET, Meta, Struct, UnsetType"
EDITS: Final = (
    Edit("game/rulesets/ruleset.py", "from msgspec import Meta, Struct", _IMPORT),
    Edit(
        "game/rulesets/ruleset.py",
        "    sources: Annotated[Sources",
        f"    {FIELD}: {_POINTS}\n    sources: Annotated[Sources",
    ),
    Edit(
        "game/rulesets/registry.py",
        "RULESETS: Final",
        f'NINTH = replace(TREBOR, id="{NINTH}", {FIELD}=3)\nRULESETS: Final',
    ),
    Edit("game/rulesets/registry.py", "CASSELL, FRENCH_WHIST)", "CASSELL, FRENCH_WHIST, NINTH)"),
    Edit(
        "game/rulesets/registry.py",
        "from service.game.faults",
        "from msgspec.structs import replace\nfrom service.game.faults",
    ),
    Edit("game/state.py", "from msgspec import Meta, Struct", _IMPORT),
    Edit("game/state.py", "\n\nclass State(", f"    {FIELD}: {_POINTS}\n\n\nclass State("),
    Edit(
        "game/state.py", "        state.revoked,\n", f"        state.revoked,\n        state.table.ruleset.{FIELD},\n"
    ),
    Edit("game/rules/record/__init__.py", "\n\nclass Record(", f"    {FIELD}: {_POINTS}\n\n\nclass Record("),
    Edit(
        "live/record.py", "        proof=deal.proof,\n", f"        proof=deal.proof,\n        {FIELD}=claim.{FIELD},\n"
    ),
    Edit(
        "game/rules/score.py",
        "def _made(state: State) -> list[int]:\n",
        "def _made(state):\n    made, worth = _made_by_cards(state), state.table.ruleset.last_trick\n"
        "    if isinstance(worth, int) and state.played_out:\n"
        "        made[state.table.side_of[state.leader]] += worth\n"
        "    return made\n\n\ndef _made_by_cards(state: State) -> list[int]:\n",
    ),
    Edit(
        "api/reference/rulesets.py",
        'Meta(description="The rulesets.")]\n',
        'Meta(description="The rulesets.")]\n'
        '    newer: Annotated[tuple[Ruleset, ...], Meta(description="Newer ones.")]\n',
    ),
    Edit(
        "api/reference/rulesets.py",
        "RulesetList(tuple(RULESETS.values()))",
        f'RulesetList(*(tuple(r for r in RULESETS.values() if (r.id == "{NINTH}") is new) for new in (False, True)))',
    ),
)
"""The list of rulesets names it in a field of its own: a strict client of an earlier document reads all of the list."""


def plant_ninth_ruleset(tree: Path) -> Path:
    """Copy the service into a new folder, plant the ruleset there, and return the folder.

    Errors: ValueError, if a place is not there once.
    """
    ignored = shutil.ignore_patterns("node_modules", "__pycache__", ".*", "*.so")
    for name in ("service", "deploy", "docs", "openapi", "clients"):
        shutil.copytree(ROOT / name, tree / name, ignore=ignored)
    for path in (*ROOT.glob("*.md"), ROOT / "pyproject.toml", ROOT / "hatch_build.py"):
        shutil.copy(path, tree)
    for edit in EDITS:
        path = tree / "service" / edit.file
        source = path.read_text(encoding="utf-8")
        if source.count(edit.old) != 1:
            raise ValueError(f"stands {source.count(edit.old)} times in {edit.file}: {edit.old}")
        path.write_text(source.replace(edit.old, edit.new), encoding="utf-8")
    return tree
