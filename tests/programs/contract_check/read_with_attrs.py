"""Read every example answer with the client of openapi-python-client: run in the environment of the tools."""

import json
import re
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

models: Any = import_module("attrs_client.models")
for path in Path("attrs_client/api").rglob("*.py"):
    import_module(".".join(path.with_suffix("").parts))

# The client writes +00:00 in place of Z, and microseconds.
TIME = re.compile(r'"(\d{4}-\d\d-\d\dT[\d:.]+Z)"')
text = Path("answers.json").read_text(encoding="utf-8")
examples: list[dict[str, Any]] = json.loads(
    TIME.sub(lambda found: f'"{datetime.fromisoformat(found[1]).isoformat()}"', text)
)
for example in examples:
    read: Any = getattr(models, example["type"]).from_dict(example["answer"])
    assert read.to_dict() == example["answer"], example["type"]

assert (models.Card.SIX_OF_CLUBS.value, models.Card.TEN_OF_DIAMONDS.value) == ("6C", "TD")
first = models.DealQuestion(rules=models.PrintedRulesetId.TREBOR, players=4)
assert first.to_dict() == {"rules": "trebor", "players": 4}
