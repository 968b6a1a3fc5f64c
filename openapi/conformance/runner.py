"""Ask a service the cases of this folder, and report different answers.

python openapi/conformance/runner.py http://localhost:8000 [FILE ...]

Needs Python 3.11 or newer, and nothing else. Without files, all cases are asked. The exit code is 0 if all answers
agree, 1 if some differ, 2 if the service cannot be reached. The environment variable API_KEY has the key of an app, if
one is needed. README.md describes the cases.
"""

import argparse
import http.client
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

CASES: Final = Path(__file__).parent / "cases"
RECORD_TEXT: Final = "text/vnd.catch-the-ten.record"
UNASKED: Final = {"shuffles", "commitments", "proofs"}
"""Kinds without an endpoint: they are for an engine's own code."""
UNORDERED: Final = {"errors", "faults"}
"""Lists of faults, whose order is free."""

Json: TypeAlias = dict[str, Any]
Case: TypeAlias = Json


class Request(NamedTuple):
    """A request to the service; `body` is JSON, or a text of its own media type."""

    method: str
    path: str
    body: Json | str | None


class Reply(NamedTuple):
    """The answer of the service: its status, and its body as JSON."""

    status: int
    body: Any


Ask: TypeAlias = Callable[[Request], Reply]


class Difference(NamedTuple):
    """A place where an answer differs."""

    case: str
    question: str
    place: str


def read_cases(paths: Iterable[Path]) -> Iterator[Case]:
    """Read the cases of some files, one from each line."""
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def check_case(case: Case, ask: Ask) -> Iterator[Difference]:
    """Ask the questions of a case, and yield the differences of the answers."""
    for question in case["questions"]:
        if question["kind"] in UNASKED:
            continue
        body = {**({"state": case["state"]} if "state" in case else {}), **question.get("ask", {})}
        check = _CHECKS.get(question["kind"], _check_answer)
        for place in check(question, body, ask):
            yield Difference(case["id"], question["kind"], place)


def _check_answer(question: Json, body: Json, ask: Ask) -> Iterator[str]:
    reply = ask(Request("POST", "/v1/" + question["kind"].replace("_", "-"), body))
    return _check_reply(question, reply)


def _check_reply(question: Json, reply: Reply) -> Iterator[str]:
    """Compare a reply with the answer of a question, or with its problem."""
    if "problem" in question:
        yield from compare(question["problem"], reply.body if reply.status >= 400 else {"code": None})
    elif reply.status != 200:
        yield f"status {reply.status}, {json.dumps(reply.body)[:300]}"
    else:
        yield from compare(question["answer"], reply.body)


def _check_ruleset(question: Json, body: Json, ask: Ask) -> Iterator[str]:
    return _check_reply(question, ask(Request("GET", "/v1/rulesets/" + body["id"], None)))


def _check_notation(question: Json, body: Json, ask: Ask) -> Iterator[str]:
    """Ask for a position by its notation and by its state: each answer has both."""
    both = {"state": question["answer"]["state"], "notation": body["notation"]}
    for described in both.values():
        yield from _check_reply({"answer": both}, ask(Request("POST", "/v1/positions", {"state": described})))


def _check_record(question: Json, body: Json, ask: Ask) -> Iterator[str]:
    """Ask for an adjudication by the text of a record and, if it can be read, by its JSON: both are the same."""
    by_text = ask(Request("POST", "/v1/adjudications", body["text"]))
    if "problem" in question:
        yield from _check_reply(question, by_text)
        return
    by_json = ask(Request("POST", "/v1/adjudications", question["answer"]["record"]))
    if by_text.status != by_json.status:
        yield f"status {by_text.status} for the text, {by_json.status} for the JSON"
    elif by_text.status == 200:
        yield from compare(by_json.body, by_text.body)


_CHECKS: Final[dict[str, Callable[[Json, Json, Ask], Iterator[str]]]] = {
    "rulesets": _check_ruleset,
    "notations": _check_notation,
    "records": _check_record,
}
"""The kinds that are not a plain POST of the body."""


def compare(wanted: Any, found: Any, place: str = "", *, ordered: bool = True) -> Iterator[str]:
    """Yield the places where a found value differs from the wanted one; objects may have more fields than wanted."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for name, value in wanted.items():
            yield from compare(value, found.get(name), f"{place}/{name}", ordered=name not in UNORDERED)
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        if not ordered:
            wanted, found = sorted(wanted, key=_name_fault), sorted(found, key=_name_fault)
        for at, (one, other) in enumerate(zip(wanted, found, strict=True)):
            yield from compare(one, other, f"{place}/{at}")
    elif type(wanted) is not type(found) or wanted != found:
        yield f"{place or '/'}: {json.dumps(found)[:200]}, not {json.dumps(wanted)[:200]}"


def _name_fault(fault: Json) -> list[Any]:
    return [fault.get("pointer", ""), fault.get("code", ""), fault.get("column", 0)]


class Service:
    """A service at a base URL, asked over one connection."""

    def __init__(self, url: str, key: str = "") -> None:
        parts = urlsplit(url)
        connect = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = connect(parts.hostname or "localhost", parts.port, timeout=30)
        self._base = parts.path.rstrip("/")
        self._headers = {"Accept": "application/json", **({"X-API-Key": key} if key else {})}

    def __call__(self, request: Request) -> Reply:
        """Send a request.

        Errors: OSError; http.client.HTTPException.
        """
        is_text = isinstance(request.body, str)
        content = request.body if is_text else None if request.body is None else json.dumps(request.body)
        headers = self._headers | {"Content-Type": RECORD_TEXT if is_text else "application/json"}
        raw = None if content is None else str(content).encode()
        self._connection.request(request.method, self._base + request.path, raw, headers)
        response = self._connection.getresponse()
        body = response.read()
        try:
            return Reply(response.status, json.loads(body))
        except ValueError:
            return Reply(response.status, body.decode(errors="replace"))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def main(arguments: list[str] | None = None) -> int:
    """Ask all cases, or those of some files, and print the differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="the base URL of the service")
    parser.add_argument("files", nargs="*", type=Path, help="files of cases; all of this folder if left out")
    chosen = parser.parse_args(arguments)
    cases = list(read_cases(chosen.files or sorted(CASES.glob("*.jsonl"))))
    try:
        with closing(Service(chosen.url, os.environ.get("API_KEY", ""))) as ask:
            found = [difference for case in cases for difference in check_case(case, ask)]
    except (OSError, http.client.HTTPException) as exc:
        print(f"{chosen.url}: {exc!r}", file=sys.stderr)
        return 2
    for difference in found:
        print(": ".join(difference))
    print(f"{len(cases)} cases, {len({difference.case for difference in found})} of them differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
