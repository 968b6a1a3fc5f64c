"""The commands of a text, and the answers below them.

`python -m openapi.examples.guide` writes those of the guide anew.
"""

import re
import shlex
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tests.support.http.client import JSON, Answer, Request, ask

ROOT: Final = Path(__file__).parents[2]
GUIDE: Final = ROOT / "service/api/pages/templates/guide.md"
WIDTH: Final = 110
BASE: Final = "http://localhost:8000"
REQUEST_ID: Final = "0b6f4c1e-2f57-4a83-a9d4-51c3e8f7a602"
ASKED: Final = (("host", "localhost:8000"), ("x-request-id", REQUEST_ID))
"""The headers of a request that the example says nothing of, so that its answer is the same each time."""
_FOLDED: Final = 24
"""The lines from which on an answer is folded."""
_EXAMPLE: Final = re.compile(
    r"(?<=^```sh\n)(curl [^`]*)\n```\n\n(?:<details>\n.*\n\n)?```json\n([^`]*)```$(?:\n\n</details>$)?", re.MULTILINE
)


class Command(NamedTuple):
    """A command with curl: what it sends."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: str

    def run(self) -> Answer:
        """Ask the service of this process."""
        return ask(Request(self.path, (self.body.encode(),), self.method, (*self.headers, *ASKED)))


def parse_curl(command: str, **variables: str) -> Command:
    """Read a command as a shell would."""
    for name, value in variables.items():
        command = command.replace(f"${name}", value)
    words = iter(shlex.split(command.replace("\\\n", "")))  # which a shell joins, and shlex does not
    method, path, body, headers = "GET", "", "", list[tuple[str, str]]()
    assert next(words) == "curl"
    for word in words:
        match word:
            case "-s" | "-si":
                pass
            case "-X":
                method = next(words)
            case "-H":
                name, _, value = next(words).partition(": ")
                headers.append((name.lower(), value))
            case "--json":
                method, body = "POST", next(words)
                headers.append(("content-type", JSON))
            case "-d":
                method, body = "POST", next(words)
            case _:
                assert word.startswith("localhost:8000/"), word
                path = word.removeprefix("localhost:8000")
    return Command(method, path, tuple(headers), body)


def variables_of(text: str) -> dict[str, str]:
    """Read the variables that a text sets for its commands."""
    return dict(re.findall(r"^([A-Z]+)='?(.*?)'?$", text, re.MULTILINE))


def examples_of(text: str) -> list[tuple[str, str]]:
    """List the commands of a text with the answers below them."""
    return [(found[1], found[2]) for found in _EXAMPLE.finditer(text)]


def write_json(value: object, indent: int = 0) -> str:
    """Write JSON for people: what fits on a line stands on one."""
    line = msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
    match value:
        case dict() if len(line) + indent > WIDTH:
            fields = msgspec.convert(value, dict[str, object]).items()
            lines = [f"{write_json(name)}: {write_json(each, indent + 2)}" for name, each in fields]
            return _enclose("{}", lines, indent)
        case list() if len(line) + indent > WIDTH:
            items = msgspec.convert(value, list[object])
            return _enclose("[]", [write_json(each, indent + 2) for each in items], indent)
        case _:
            return line


def _enclose(brackets: str, lines: list[str], indent: int) -> str:
    pad = "\n" + " " * indent
    return brackets[0] + ",".join(f"{pad}  {line}" for line in lines) + pad + brackets[1]


def renew(text: str) -> str:
    """Return a text with the answers that its commands give now."""
    variables = variables_of(text)

    def answer(found: re.Match[str]) -> str:
        given = write_json(msgspec.json.decode(parse_curl(found[1], **variables).run().body))
        return f"{found[1]}\n```\n\n{_fold(given)}"

    return _EXAMPLE.sub(answer, text)


def _fold(answer: str) -> str:
    """Write an answer as a block, folded if it is long."""
    block, lines = f"```json\n{answer}\n```", answer.count("\n") + 1
    if lines < _FOLDED:
        return block
    return f"<details>\n<summary>The answer, {lines} lines</summary>\n\n{block}\n\n</details>"


if __name__ == "__main__":
    GUIDE.write_text(renew(GUIDE.read_text()))
