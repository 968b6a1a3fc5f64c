"""Problem documents as a client reads them: each fits the schema of the published document."""

from functools import cache
from pathlib import Path
from typing import Final

import jsonschema_rs
import msgspec

from service.http.problem_document import Problem

_DOCUMENT: Final = Path(__file__).parents[3] / "openapi" / "openapi.json"


def decode_problem(body: bytes) -> Problem:
    """Decode a problem document that has every field the published document requires.

    The struct alone would fill what is missing with its defaults.
    """
    _validator().validate(msgspec.json.decode(body))
    return msgspec.json.decode(body, type=Problem)


@cache
def _validator() -> jsonschema_rs.Validator:
    components = msgspec.json.decode(_DOCUMENT.read_bytes())["components"]
    return jsonschema_rs.Draft202012Validator({"$ref": "#/components/schemas/Problem", "components": components})
