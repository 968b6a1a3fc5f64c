"""Read every example answer with the types that datamodel-code-generator has made: read_answers.py msgspec|pydantic."""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

models: Any = import_module("models")
examples: list[dict[str, Any]] = json.loads(Path("answers.json").read_text(encoding="utf-8"))
for example in examples:
    kind: Any = getattr(models, example["type"])
    if sys.argv[1] == "msgspec":
        msgspec: Any = import_module("msgspec")
        read: Any = msgspec.convert(example["answer"], kind)
        assert msgspec.convert(msgspec.to_builtins(read), kind) == read, example["type"]
    else:
        read = kind.model_validate(example["answer"])
        assert kind.model_validate_json(read.model_dump_json()) == read, example["type"]
assert (models.Card.SIX_OF_CLUBS.value, models.Card.TEN_OF_DIAMONDS.value) == ("6C", "TD")
print(f"{len(examples)} answers read")
