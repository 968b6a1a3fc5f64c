"""Write openapi/openapi.json anew: python -m openapi.document."""

from msgspec import Raw, json

from openapi.examples.guide import write_json
from tests.api.openapi.reading import COMMITTED, DOCUMENT


def write_document() -> str:
    """Write the OpenAPI document for comparison by people: an example, and any value that fits, is on one line."""
    components = DOCUMENT["components"]
    examples = {name: Raw(json.encode(each)) for name, each in components["examples"].items()}
    return write_json({**DOCUMENT, "components": {**components, "examples": examples}}) + "\n"


if __name__ == "__main__":
    COMMITTED.write_text(write_document(), encoding="utf-8", newline="\n")
