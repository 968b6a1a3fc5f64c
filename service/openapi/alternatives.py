"""Alternatives: where some fields of a type exclude others, the document has an object for each choice.

In Python that is one struct, and what fields go together is examined after decoding, so that a refusal can name every
contradiction. A schema says it beforehand, and generators make a type of each choice.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, TypeAlias

from service.api.questions.deals import DealQuestion
from service.api.questions.trick_winners import TrickWinnerQuestion
from service.games.opening import NewGame
from service.http.problem_kinds import KINDS
from service.http.problems import FACTS

Schema: TypeAlias = dict[str, Any]


class Alternative(NamedTuple):
    """A choice: the fields that it needs, which are then not null, and those that it does not have."""

    name: str
    description: str
    needs: tuple[str, ...]
    without: tuple[str, ...]


REQUESTS: Final[dict[type, tuple[Alternative, ...]]] = {
    DealQuestion: (
        Alternative(
            "FirstDealOfPlayers",
            "A first deal for so many players, who are seated as the source seats them.",
            ("rules", "players"),
            ("sides", "after"),
        ),
        Alternative("FirstDealOfSides", "A first deal for these sides.", ("rules", "sides"), ("players", "after")),
        Alternative(
            "NextDeal",
            "The deal after one that is over.",
            ("after",),
            ("rules", "players", "sides", "dealer", "scores"),
        ),
    ),
    NewGame: (
        Alternative(
            "NewGameOfPlayers",
            "A game for so many players, who are seated as the source seats them.",
            ("players",),
            ("sides",),
        ),
        Alternative("NewGameOfSides", "A game of these sides.", ("sides",), ("players",)),
    ),
    TrickWinnerQuestion: (
        Alternative("TrickOfState", "The current trick of a state.", ("state",), ("trick",)),
        Alternative("TrickAlone", "A trick with no state around it.", ("trick",), ("state",)),
    ),
}
"""The types of requests that are one of several."""
PLAIN_PROBLEM: Final = "PlainProblem"
_FIELDS: Final = tuple(FACTS.values())


def problem_name(code: str) -> str:
    """Return the name of the type of the problems with a code."""
    return "".join(map(str.capitalize, code.split("_"))) + "Problem" if code in FACTS else PLAIN_PROBLEM


def one_of(names: Iterable[str]) -> Schema:
    """Write that a schema is one of those named. It gets no name itself: some languages have no type for a choice."""
    references: list[Schema] = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    return references[0] if len(references) == 1 else {"oneOf": references}


def alternatives_of(schemas: dict[str, Schema]) -> dict[str, Schema]:
    """Make the schemas of the alternatives of some schemas."""
    made: dict[str, Schema] = _problems(schemas["Problem"]) if "Problem" in schemas else {}
    for kind, choices in REQUESTS.items():
        if kind.__name__ not in schemas:
            continue
        made |= {choice.name: _narrow(schemas[kind.__name__], choice) for choice in choices}
    return made


def _problems(problem: Schema) -> dict[str, Schema]:
    """Make a schema of every kind of problem that has more than a text, and one of all others."""
    others: list[str] = [code for code in KINDS if code not in FACTS]
    plain = _narrow(problem, Alternative(PLAIN_PROBLEM, "A problem that has no more than its text.", (), _FIELDS))
    made = {PLAIN_PROBLEM: _with_codes(plain, others)}
    for code, field in FACTS.items():
        without = tuple(other for other in _FIELDS if other != field)
        choice = Alternative(problem_name(code), f"{KINDS[code].title}.", (field,), without)
        made[choice.name] = _with_codes(_narrow(problem, choice), [code])
    return made


def _narrow(whole: Schema, choice: Alternative) -> Schema:
    fields: dict[str, Schema] = {
        name: _not_null(field) if name in choice.needs else field
        for name, field in whole["properties"].items()
        if name not in choice.without
    }
    required = [name for name in fields if name in {*whole["required"], *choice.needs}]
    changed: Schema = {"title": choice.name, "description": choice.description, "properties": fields}
    return whole | changed | {"required": required}


def _not_null(field: Schema) -> Schema:
    """Return a field without the null that stands for its absence."""
    choices: list[Schema] = [choice for choice in field.get("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) > 1:
        return field | {"anyOf": choices}
    return {**choices[0], **{key: value for key, value in field.items() if key != "anyOf"}} if choices else field


def _with_codes(problem: Schema, codes: list[str]) -> Schema:
    code = {"type": "string", "enum": codes, "description": problem["properties"]["code"]["description"]}
    return problem | {"properties": problem["properties"] | {"code": code}}
