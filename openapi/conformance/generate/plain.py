"""The part of an answer that a case has: codes, cards and numbers, and no text for people."""

# JSON of any shape is compared here.
# pyright: reportUnknownVariableType=none, reportUnknownArgumentType=none

from typing import Any, Final

import msgspec

from service.game.rulesets import Ruleset
from tests.programs.agreement.asking import Json

_POSITION: Final = ("phase", "trump", "turn", "legal_cards", "trick_winner", "points", "totals", "winners")
_CHANGING: Final = ("hands", "later_hands", "leader", "trick", "taken", "revoked")
"""The fields of a state that a play changes."""
_UNDECIDED: Final = ("undecided?", "missing?")
_NAMES: Final[dict[str, Any]] = {
    "positions": _POSITION,
    "legal_moves": ("turn", "legal_cards", {"verdicts": ("card", "reason", *_UNDECIDED)}),
    "verdicts": (
        "seat",
        "card",
        "legal",
        "reason",
        {"rule": ("field",)},
        "legal_cards",
        {"possible": ("reason",)},
        *_UNDECIDED,
    ),
    "trick_winners": ("seat", "side", "card", "honours", "complete"),
    "next_states": ({"position": ({"state": _CHANGING}, *_POSITION)}, {"events": ()}),
    "scores": (
        "phase",
        {"sides": ("fine", "ten", "card_points", "ace", "king", "queen", "jack", "points", "total")},
        "winners",
        {"won_by": ("how", "item")},
    ),
    "knowledge": (
        {
            "hands": (
                "seat",
                "hand_index",
                "size",
                {"must_hold": ("card", "reason")},
                "may_hold",
                "chances",
                {"void": ("suit", "reason")},
            )
        },
    ),
    "claims": ("outcome",),
    "views": ({"state": ("hands", "later_hands")},),
    "diagnoses": ("possible", {"faults": ("pointer", "code")}),
    "deals": ({"position": ({"state": ("dealer", "deal", "scores", "turn_up", "hands", "later_hands", "leader")},)},),
    "adjudications": (
        {"deals": ({"verdicts": ("reason", "undecided", "missing?")}, "phase", "points", "totals")},
        {"irregularities": ("pointer", "deal_index", "play_index", "code", "assumed?")},
        "winners",
        {"won_by": ("how", "item")},
    ),
}
"""By kind of question, the fields that a case has; in an object, those of the part that it names.

A field with a question mark is there only if it is true, or not null.
"""
_EVENT: Final = {
    "card_played": ("type", "seat", "card"),
    "trick_taken": ("type", "seat", "side", "leader", "cards", "honours"),
    "hand_played_out": ("type", "hand", "of"),
    "revoked": ("type", "seat", "side", "penalty", {"verdict": ("reason",)}),
    "deal_scored": ("type", "points", "totals"),
    "game_won": ("type", "winners", {"won_by": ("how", "item")}),
}


def leave_texts_out(kind: str, answer: Json) -> Json:
    """Return the codes, cards and numbers of an answer to a question of some kind."""
    told: Json = _pick(answer, _NAMES[kind])
    if kind == "next_states":
        told["events"] = [_pick(event, _EVENT[event["type"]]) for event in answer["events"]]
    return told


def leave_problem_texts_out(problem: Json) -> Json:
    """Return the codes and places of a problem."""
    errors = [_pick(error, ("pointer", "code")) for error in problem.get("errors", [])]
    return {"code": problem["code"], **({"errors": errors} if errors else {})}


def write_ruleset(ruleset: Ruleset) -> Json:
    """Write a ruleset without its sources and its description."""
    written: Json = msgspec.to_builtins(ruleset)
    del written["sources"], written["description"]
    return written


def _pick(value: Any, names: tuple[Any, ...]) -> Any:
    """Return the fields of these names, of an object or of each object of a list."""
    if isinstance(value, list):
        return [_pick(item, names) for item in value]
    if value is None:
        return None
    picked: Json = {}
    for name in names:
        parts: dict[str, Any] = name if isinstance(name, dict) else {name: None}
        for marked, inner in parts.items():
            field = marked.removesuffix("?")
            if field in value and (field == marked or value[field]):
                picked[field] = value[field] if inner is None else _pick(value[field], inner)
    return picked
