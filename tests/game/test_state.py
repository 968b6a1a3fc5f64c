"""Where states come from, by the source: a state is sound because few places make one, and each is looked at."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import service
from service.game.state import State

ROOT: Final = Path(service.__file__).parent
MADE: Final = {
    "game/notation/position.py:parse_position",  # inside an Unexamined
    "game/rules/admission/examination.py:_read",
    "game/rules/bare.py:_stand_in",  # around a bare hand
    "game/rules/deal.py:deal",
    "game/rules/deal.py:play_unchecked",
    "game/rules/past.py:_first_state",
}
DERIVED: Final = {
    "game/rules/admission/state_faults.py:_find_end_faults",
    "game/rules/bare.py:_list_cases",
    "game/rules/record/deal.py:_find_revokes",
    "game/rules/record/deal.py:_judge",
    "game/rules/record/ending.py:give_cards_left",
    "game/rules/revoke.py:play_revoke",
    "game/rules/unseen.py:find_hidden_before",
    "game/rules/view.py:view",
    "players/board.py:state",
    "players/claims/goal.py:_with_cards",
    "players/claims/line.py:_follow",
    "players/claims/search.py:_take_up",
    "players/determinizations.py:show_hands",
    "players/evaluator.py:_measure",
}


def list_calls() -> Iterator[tuple[str, ast.Call]]:
    """List every call by name, with its file and the innermost function around it."""
    for path in sorted(ROOT.rglob("*.py")):
        inside: dict[ast.AST, str] = {}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.name if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else inside.get(node, "")
            inside |= dict.fromkeys(ast.iter_child_nodes(node), name)
            if isinstance(node, ast.Call):
                yield f"{path.relative_to(ROOT)}:{name}", node


def names(call: ast.Call, name: str) -> bool:
    called = call.func
    return called.attr == name if isinstance(called, ast.Attribute) else ast.unparse(called) == name


def test_only_those_functions_make_a_state_that_are_named_where_it_is_declared() -> None:
    found = {place for place, call in list_calls() if names(call, "State")}
    assert found - {"http/app_parts.py:keep_parts"} == MADE, "there it is the framework's"


def test_only_known_places_make_a_state_of_another_one() -> None:
    fields = {*State.__struct_fields__}
    found = {
        place
        for place, call in list_calls()
        if place.startswith(("game/", "players/"))
        and names(call, "replace")
        and {keyword.arg for keyword in call.keywords} & fields
    }
    assert found == DERIVED
