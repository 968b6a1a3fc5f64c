"""The document as its readers have it, and what several tests look up in it."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import jsonschema_rs
import msgspec

from service.api.openapi.document import encoded_document

ROOT: Final = Path(__file__).parents[3]
COMMITTED: Final = ROOT / "openapi" / "openapi.json"
RELEASES: Final = ROOT / "openapi" / "released"
LAST_RELEASE: Final = max(RELEASES.glob("*.json"), key=lambda path: [int(part) for part in path.stem.split(".")])
ARAZZO: Final = ROOT / "openapi" / "arazzo.json"
DOCUMENT: Final[dict[str, Any]] = msgspec.json.decode(encoded_document())
RELEASED: Final[dict[str, Any]] = msgspec.json.decode(LAST_RELEASE.read_bytes())
SCHEMAS: Final[dict[str, Any]] = DOCUMENT["components"]["schemas"]
EXAMPLES: Final[dict[str, Any]] = DOCUMENT["components"]["examples"]
_JSON: Final = ("application/json", "application/problem+json")


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """List every operation of the document, with its path and its method."""
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def operation(name: str) -> dict[str, Any]:
    """Find an operation by its id."""
    return next(found for _, _, found in operations() if found["operationId"] == name)


def parts(node: object) -> Iterator[dict[str, Any]]:
    """List every object inside a part of the document, the part itself among them."""
    if isinstance(node, dict):
        fields = cast("dict[str, Any]", node)
        yield fields
        for inner in fields.values():
            yield from parts(inner)
    elif isinstance(node, list):
        for inner in cast("list[object]", node):
            yield from parts(inner)


def references(node: Any) -> Iterator[str]:
    """List every reference inside a part of the document."""
    for part in parts(node):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        yield from part.get("discriminator", {}).get("mapping", {}).values()


def find(reference: str) -> Any:
    """Find what a reference leads to."""
    found: Any = DOCUMENT
    for step in reference.removeprefix("#/").split("/"):
        found = found[step]
    return found


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    """Follow a reference, if there is one."""
    target: dict[str, Any] = find(node["$ref"]) if "$ref" in node else node
    return target


def reachable(node: Any) -> set[str]:
    """List every reference that leads on from a part of the document, however far."""
    found: set[str] = set()
    waiting = list(references(node))
    while waiting:
        reference = waiting.pop()
        if reference not in found:
            found.add(reference)
            waiting += references(find(reference))
    return found


@cache
def validator(reference: str) -> jsonschema_rs.Validator:
    """Make a validator of a schema of the document."""
    return jsonschema_rs.Draft202012Validator({"$ref": reference, "components": DOCUMENT["components"]})


def list_answers() -> Iterator[tuple[str, Any]]:
    """List every example of an answer in JSON whose type has a name, with that name."""
    for _, _, asked in operations():
        for response in asked["responses"].values():
            for medium, content in resolved(response).get("content", {}).items():
                if medium in _JSON and "$ref" in content["schema"]:
                    name = content["schema"]["$ref"].rpartition("/")[2]
                    yield from ((name, answer) for answer in _examples(content))


def _examples(content: dict[str, Any]) -> list[Any]:
    several = [resolved(example)["value"] for example in content.get("examples", {}).values()]
    return [content["example"], *several] if "example" in content else several
