"""The component schemas of the OpenAPI document, from the types that decode and encode.

msgspec makes components of structs only. Here other types with a name, such as the enumeration of the 36 cards, become
components too, and every use of them becomes a reference.
"""

import json
from typing import Any, Final, TypeAlias, cast

import msgspec

from service.api.batches.batch import AnyOutcome
from service.api.batches.items import AnyItem
from service.api.games.games import ShownToken
from service.api.reasoning.suggestion_answer import Chance, ExpectedPoints
from service.game.cards import CODES, Code, Suit
from service.game.faults import FaultCode
from service.game.level import Level
from service.game.notation.position import Notation
from service.game.rules import game, play, score
from service.game.rules.judgment import Reason
from service.game.rules.record import adjudication
from service.game.rulesets import RULESETS, Players, RevokePenalty, Rules, RulesetId, Seat, Sides
from service.game.state import HandClaim, Scores, Seed, StartingScores
from service.http.validation import END
from service.live.entries import PlayerName
from service.live.turns import GamePhase
from service.live.views import RoleName
from service.players.reasons import ReasonCode
from service.schemas.described_state import StateOrNotation
from service.schemas.events import Event
from service.schemas.refusal import ProblemCode
from service.schemas.revision import Version
from service.schemas.scalars import DealPoints, Points, ShownGameId, SideIndex
from service.schemas.timestamp import Timestamp
from service.schemas.verdict import Missing, RuleField

Schema: TypeAlias = dict[str, Any]
REF_TEMPLATE: Final = "#/components/schemas/{name}"

_NAMED: Final[dict[str, Any]] = {
    "BatchItem": AnyItem,
    "BatchOutcome": AnyOutcome,
    "Card": Code,
    "Chance": Chance,
    "ComputerLevel": Level,
    "DealPhase": game.Phase,
    "DealPoints": DealPoints,
    "ExpectedPoints": ExpectedPoints,
    "FaultCode": FaultCode,
    "GameEvent": Event,
    "GameId": ShownGameId,
    "GamePhase": GamePhase,
    "GameRole": RoleName,
    "GameScores": Scores,
    "GameToken": ShownToken,
    "GameVersion": Version,
    "Hand": HandClaim,
    "IrregularityCode": adjudication.IrregularityCode,
    "MissingFact": Missing,
    "Notation": Notation,
    "OnRevoke": play.OnRevoke,
    "PlayerName": PlayerName,
    "Players": Players,
    "Points": Points,
    "ProblemCode": ProblemCode,
    "RevokePenalty": RevokePenalty,
    "RuleField": RuleField,
    "Rules": Rules,
    "RulesetId": RulesetId,
    "ScoreItem": score.Item,
    "Seat": Seat,
    "Seed": Seed,
    "Side": SideIndex,
    "Sides": Sides,
    "StartingScores": StartingScores,
    "StateOrNotation": StateOrNotation,
    "SuggestionReason": ReasonCode,
    "Suit": Suit,
    "Timestamp": Timestamp,
    "VerdictReason": Reason,
    "WonHow": game.How,
}
_DESCRIPTIONS: Final = {
    "BatchItem": "A question of a batch, tagged with its kind.",
    "BatchOutcome": "The answer to a question of a batch, or its problem.",
    "ComputerLevel": "How far a computer player thinks: a higher level takes longer.",
    "DealPhase": "The phase of a deal.",
    "FaultCode": "The stable code of a fault of a state, a ruleset or a request; "
    "/problems/impossible-state explains each.",
    "GameEvent": "Something that happened in a game.",
    "GamePhase": "The phase of a live game; `to_deal`: before its first deal.",
    "GameRole": "In which role a bearer sees a game: at a seat, as its host or, without a token, as a spectator.",
    "IrregularityCode": "The way in which a record departs from the rules.",
    "OnRevoke": "Refuse a revoke, or let it stand and penalise it.",
    "ProblemCode": "The stable code of a problem; the page at `type` explains it.",
    "RevokePenalty": "The penalty for a revoke, or `not_allowed`: there is none, and the card is refused.",
    "RuleField": "The field of the ruleset that decided.",
    "Rules": "A ruleset's id, or a whole ruleset (house rules).",
    "StateOrNotation": "A state, or its notation.",
    "ScoreItem": "An item of the counting order.",
    "SuggestionReason": "The stable code of a reason for or against a card.",
    "WonHow": "The way in which a game was won.",
}
_RENAMED: Final = {
    "Batch": "QuestionBatch",
    "Change": "GameChange",
    "Claim": "DealState",
    "Error": "RequestFault",
    "NewDeal": "DealSetup",
    "NewGame": "GameSetup",
    "NewSeat": "SeatSetup",
    "Position": "DealPosition",
    "Record": "GameRecord",
    "Rule": "CitedRule",
    "Source": "RuleSource",
    "Sources": "RulesetSources",
    "StateError": "StateFault",
    "View": "DealView",
}
"""The names of types whose own would hide those of a language or of a caller, or are not the words of callers.

Go makes a constructor `NewX` of every type `X`.
"""
_NULL: Final[Schema] = {"type": "null"}
_SAID_BY_THEIR_TYPE: Final[tuple[object, ...]] = (None, "", [])
"""The values of fields left out that need no words: null, and empty ones."""

_PRINTED_ID: Final[Schema] = {
    "description": "The id of a printed ruleset; more may come.",
    "type": "string",
    "enum": list(RULESETS),
}
"""A decoder takes every id of the right form, so that an unknown one is a problem of its own."""
_RANKS: Final = ("SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING", "ACE")
_CARD_NAMES: Final = [f"{rank}_OF_{suit}" for suit in ("CLUBS", "DIAMONDS", "HEARTS", "SPADES") for rank in _RANKS]
"""The cards as names of constants, in the order of their codes: few languages let a name begin with a digit."""


class Components:
    """The component schemas of some types, and the schema of each type itself."""

    def __init__(self, *types: Any) -> None:
        every = dict.fromkeys([*types, *_NAMED.values()])
        roots, structs = msgspec.json.schema_components(every, ref_template=REF_TEMPLATE)
        self._raw = dict(zip(every, roots, strict=True))
        self._by_title = {name: self._raw[kind] for name, kind in _NAMED.items()}
        self._by_shape = {
            _shape(schema): name for name, schema in self._by_title.items() if "enum" in schema or "anyOf" in schema
        }
        schemas = {_RENAMED.get(name, name): self._struct(schema) for name, schema in structs.items()}
        schemas |= {name: self._named(name) for name in _NAMED}
        schemas["Card"] |= {"enum": list(CODES), "x-enum-varnames": _CARD_NAMES}
        schemas["PrintedRulesetId"] = _PRINTED_ID
        schemas["Rules"]["anyOf"][0] = {"$ref": REF_TEMPLATE.format(name="PrintedRulesetId")}
        self.schemas: dict[str, Schema] = dict(sorted(schemas.items()))

    def of(self, kind: Any) -> Schema:
        """Return the schema of a type: a reference if it has a name."""
        schema: Schema = self._refer(self._raw[kind])
        return schema

    def _struct(self, schema: Schema) -> Schema:
        whole = self._inside(schema)
        fields, needed = whole["properties"], whole.get("required", [])
        if "additionalProperties" in whole:
            described = {field: _describe_field(inner, needed=field in needed) for field, inner in fields.items()}
        else:  # an answer, which has every field of its type
            described = {field: _describe_field(inner, needed=True) for field, inner in fields.items()}
            whole["required"] = list(fields)
        return {key: value for key, value in whole.items() if key != "title"} | {"properties": described}

    def _named(self, name: str) -> Schema:
        described = {"description": _DESCRIPTIONS.get(name, "")} | self._by_title[name]
        described.pop("title", None)
        return self._inside(described)

    def _refer(self, node: Any) -> Any:
        """Replace a schema that has a name by a reference, here and inside."""
        if isinstance(node, list):
            items = cast("list[object]", node)
            return [self._refer(item) for item in items]
        if not isinstance(node, dict):
            return _rename_reference(node) if isinstance(node, str) else node
        schema = cast("Schema", node)
        name = self._name_of(schema)
        return self._inside(schema) if name is None else self._reference(name, schema)

    def _inside(self, node: Schema) -> Schema:
        inside = {
            key: {field: self._refer(schema) for field, schema in value.items()}
            if key == "properties"
            else self._refer(value)
            for key, value in node.items()
        }
        if "discriminator" in inside:
            inside["oneOf"] = inside.pop("anyOf")
        if "enum" in inside:
            inside = {"type": "string", **inside}
        if "pattern" in inside:
            inside["pattern"] = str(inside["pattern"]).replace(END, "$")
        return inside

    def _name_of(self, node: Schema) -> str | None:
        title = node.get("title")
        if title in self._by_title:
            return str(title)
        return self._by_shape.get(_shape(node)) if "enum" in node or "anyOf" in node else None

    def _reference(self, name: str, node: Schema) -> Schema:
        """Return a reference to a named schema, or to it or null, with the texts of this place.

        Errors: ValueError, for a schema with the name of another one.
        """
        named = self._by_title[name]
        reference: Schema = {"$ref": REF_TEMPLATE.format(name=name)}
        if _shape(node) != _shape(named):
            if _shape({"anyOf": [*named.get("anyOf", []), _NULL]}) != _shape(node):
                raise ValueError(f"two schemas are named {name}")
            reference = {"anyOf": [reference, _NULL]}
        texts = {key: node[key] for key in ("description", "default") if key in node}
        if texts.get("description") == named.get("description"):
            texts.pop("description", None)
        return reference | texts


def _describe_field(field: Schema, *, needed: bool) -> Schema:
    """Describe a field: a tag, and in words what a field stands for that is left out, which may also be null.

    Of a field with a `default`, generators say that it is always there.
    """
    default = field.get("default")
    if "description" not in field and len(field.get("enum", ())) == 1:
        return {"description": f"Always `{field['enum'][0]}`.", **field}
    described = {key: value for key, value in field.items() if key != "default"}
    if needed:
        return described
    if described.get("type") == "integer":  # of bounds in a choice, generators make a type of their own
        described["type"] = ["integer", "null"]
    elif _NULL not in described.get("anyOf", ()):
        words = {key: described.pop(key) for key in ("description",) if key in described}
        described = {"anyOf": [described, _NULL]} | words
    if default in _SAID_BY_THEIR_TYPE or isinstance(default, dict):
        return described
    shown = default if isinstance(default, str) else json.dumps(default)
    return described | {"description": f"{field.get('description', '')} If left out: `{shown}`."}


def _shape(schema: Schema) -> str:
    """Return what a schema accepts, without its texts, so that schemas can be compared."""
    return json.dumps({key: value for key, value in schema.items() if key not in {"title", "description", "default"}})


def _rename_reference(text: str) -> str:
    for old, new in _RENAMED.items():
        if text == REF_TEMPLATE.format(name=old):
            return REF_TEMPLATE.format(name=new)
    return text
