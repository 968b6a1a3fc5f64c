"""Read every example answer with the types that datamodel-code-generator made: run in the environment of the tools."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

models: Any = import_module("msgspec_models")
examples: list[dict[str, Any]] = json.loads(Path("answers.json").read_text(encoding="utf-8"))
for example in examples:
    kind: Any = getattr(models, example["type"])
    read: Any = msgspec.convert(example["answer"], kind)
    assert msgspec.convert(msgspec.to_builtins(read), kind) == read

assert (models.Card.SIX_OF_CLUBS.value, models.Card.TEN_OF_DIAMONDS.value) == ("6C", "TD")
first = models.DealQuestion(rules=models.PrintedRulesetId.trebor, players=4)
assert msgspec.to_builtins(first)["players"] == 4
