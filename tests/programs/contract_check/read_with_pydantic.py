"""Read every example answer with the types for pydantic that datamodel-code-generator made."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

models: Any = import_module("pydantic_models")
examples: list[dict[str, Any]] = json.loads(Path("answers.json").read_text(encoding="utf-8"))
for example in examples:
    kind: Any = getattr(models, example["type"])
    read: Any = kind.model_validate(example["answer"])
    assert kind.model_validate_json(read.model_dump_json()) == read, example["type"]
