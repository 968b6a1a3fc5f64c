"""Write openapi/openapi.json anew: python -m openapi.document."""

from openapi.examples.guide import write_json
from tests.api.openapi.reading import COMMITTED, DOCUMENT


def write_document() -> str:
    """Write the OpenAPI document for people who compare it: what fits on a line stands on one."""
    return write_json(DOCUMENT) + "\n"


if __name__ == "__main__":
    COMMITTED.write_text(write_document(), encoding="utf-8", newline="\n")
