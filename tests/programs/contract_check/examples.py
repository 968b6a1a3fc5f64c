"""The examples of the document, as requests that name the answer that they want: what a mock is asked."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from tests.api.openapi.reading import operations, resolved

_JSON: Final = ("application/json", "application/problem+json")
_HEADERS: Final = {"Authorization": "Bearer token", "X-API-Key": "key"}


class Asked(NamedTuple):
    """A request for one example: the answer that a mock has to give, as text if it is not JSON."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    status: int
    answer: Any

    @property
    def name(self) -> str:
        """The request as a line for people."""
        return f"{self.method.upper()} {self.path} ({self.headers['Prefer']})"


def ask_for_all() -> Iterator[Asked]:
    """List a request for every example of an answer."""
    for path, method, operation in operations():
        where, sent = _fill(path, operation)
        body = _first_example(operation.get("requestBody", {}))
        for status, response in operation["responses"].items():
            for medium, name, answer in _answers(resolved(response)):
                wanted = {"Accept": medium, "Prefer": f"code={status}" + (f", example={name}" if name else "")}
                yield Asked(method, where, {**_HEADERS, **sent, **wanted}, body, int(status), answer)


def _fill(path: str, operation: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """Return the path with its parameters filled in, and the headers that are needed."""
    headers: dict[str, str] = {}
    for parameter in operation.get("parameters", []):
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", str(parameter["example"]))
        elif parameter["required"]:
            headers[parameter["name"]] = parameter["example"]
    return path, headers


def _first_example(held: dict[str, Any]) -> Any:
    examples = held.get("content", {}).get("application/json", {}).get("examples", {})
    return next((resolved(example)["value"] for example in examples.values()), None)


def _answers(response: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for medium, content in response.get("content", {}).items():
        if "example" in content:
            yield medium, "", content["example"]
        for name, example in content.get("examples", {}).items():
            yield medium, name, resolved(example)["value"]


def list_answers() -> Iterator[tuple[str, Any]]:
    """List every example of an answer in JSON whose type has a name, with that name."""
    for _, _, operation in operations():
        for response in operation["responses"].values():
            held = resolved(response)
            for medium, content in held.get("content", {}).items():
                if medium in _JSON and "$ref" in content["schema"]:
                    name = content["schema"]["$ref"].rpartition("/")[2]
                    yield from ((name, answer) for _, _, answer in _answers({"content": {medium: content}}))
