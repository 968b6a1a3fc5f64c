"""The answers to the examples: each request is sent to the application."""

import re
from typing import Any, Final

import msgspec

from openapi.examples.games import LIVE_EXAMPLES, live_answers, live_refusals, live_responses
from openapi.examples.guide import ASKED, REQUEST_ID
from openapi.examples.questions import EXAMPLES, MID_TRICK_LINE, RECORD_TEXT, REFUSED_REQUESTS, ExampleRequest
from service.api.examples import Example, Examples
from service.api.operation_list import OPERATIONS
from service.game.rulesets import RULESETS
from service.http.guards.auth import refuse_rate
from service.http.guards.front import STOPPING
from service.http.problem_document import write_problem
from service.http.problem_kinds import PROBLEM_KINDS
from service.platform.settings import Settings
from service.schemas.refusal import ProblemCode, Refusal
from tests.support.http.client import JSON, Answer, Request, ask, post

_PATHS: Final = {op.operation_id: op.path for op in OPERATIONS}
_STATUSES: Final = {op.operation_id: op.status_code for op in OPERATIONS}
_LOOKED_UP: Final = ("get_position", "get_legal_moves", "get_scores", "get_suggestion")


def write_examples() -> str:
    """Return the text of the file of examples, each on a line of its own."""
    made: dict[str, Any] = msgspec.to_builtins(make_examples())
    parts = (f'"{name}":{_write_lines(part, 2 if name == "asked" else 1)}' for name, part in made.items())
    return "{" + ",".join(parts) + "}\n"


def _write_lines(part: dict[str, Any], depth: int) -> str:
    """Write an object as JSON, with the values at a depth each on a line."""
    if not depth:
        return msgspec.json.encode(part).decode()
    lines = (f"{msgspec.json.encode(name).decode()}:{_write_lines(inner, depth - 1)}" for name, inner in part.items())
    return "{\n" + ",\n".join(lines) + "\n}"


def make_examples() -> Examples:
    """Ask every example."""
    asked = {operation: _ask_all(operation) for operation in EXAMPLES}
    return Examples(asked | _list_live(), live_responses() | _show_all(), _find_problems())


def _ask_all(operation: str) -> dict[str, Example]:
    found: dict[str, Example] = {}
    for name, summary, body in EXAMPLES[operation]:
        answer = post(_PATHS[operation], body, ("content-type", JSON), *ASKED)
        found[name] = Example(summary, body, answer.status, msgspec.json.decode(answer.body))
    return found


def _list_live() -> dict[str, dict[str, Example]]:
    return {
        operation: {
            name: Example(summary, body, _STATUSES[operation], live_answers()[operation][name])
            for name, summary, body in examples
        }
        for operation, examples in LIVE_EXAMPLES.items()
    }


def _get(operation: str) -> Answer:
    path = re.sub(r"{(\w+)}", lambda found: _PARAMETERS[found[1]], _PATHS[operation])
    return ask(Request(path, method="GET", headers=(("accept", JSON), *ASKED)))


_PARAMETERS: Final = {"notation": MID_TRICK_LINE, "ruleset_id": "trebor"}


def _show_all() -> dict[str, Any]:
    """Return the answers of the operations that take no body."""
    shown = {name: msgspec.json.decode(_get(name).body) for name in (*_LOOKED_UP, "get_ruleset")}
    listed = {name: _shorten(msgspec.json.decode(_get(name).body)) for name in ("list_rulesets", "list_problems")}
    return shown | listed | {"adjudications.text": RECORD_TEXT}


def _shorten(catalog: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return the first entry of each list: all of them are a tenth of the document, and one call away."""
    return {name: entries[:1] for name, entries in catalog.items()}


def send_refused(request: ExampleRequest) -> Answer:
    """Send a request that is refused; one that says only how long its body is gets such a body."""
    headers = {name.decode(): value.decode() for name, value in request.headers}
    body = request.body if isinstance(request.body, bytes) else msgspec.json.encode(request.body)
    if headers.pop("content-length", None):
        body = b" " * (Settings().max_body_bytes + 1)
    return ask(Request(_PATHS[request.operation], (body,), request.method, (*headers.items(), *ASKED)))


def _find_problems() -> dict[ProblemCode, Any]:
    """Return an example of every problem, in the order of the table of problems."""
    found = {code: msgspec.json.decode(send_refused(request).body) for code, request in REFUSED_REQUESTS.items()}
    for code, refusal in {**_refusals(), **live_refusals()}.items():
        found[code] = msgspec.to_builtins(write_problem(refusal, REQUEST_ID))
    unread = Request(f"/v1/suggestions/{MID_TRICK_LINE}?level=strong", method="GET", headers=ASKED)
    found["invalid_query"] = msgspec.json.decode(ask(unread).body)
    return {code: found[code] for code in PROBLEM_KINDS}


def _refusals() -> dict[ProblemCode, Refusal]:
    """Return an example of each problem that one request does not provoke."""
    found: dict[ProblemCode, str] = {
        "method_not_allowed": "This resource supports OPTIONS, POST.",
        "malformed_request": "The request cannot be read.",
        "not_found": f"There is no ruleset 'bridge'; there are {', '.join(RULESETS)}.",
        "answer_too_large": "The answers before it fill the batch. Send it again in another one.",
        "suggestions_off": "This service makes no suggestions.",
        "too_many_suggestions": "20 of 20 places for suggestions are taken, 3 by you.",
        "body_too_slow": "The body did not arrive within 30 seconds.",
        "share_used_up": "5000 of 10000 places for event streams are taken, 5000 by you.",
        "too_busy": "67100000 of 67108864 bytes for bodies are taken, 0 by you.",
        "stopping": STOPPING,
        "no_answer": "No replica answered in time: the request may or may not have taken effect.",
        "api_key_missing": "Send the key of your app in the header X-API-Key.",
        "unknown_api_key": "No app has the key in the header X-API-Key.",
        "internal_error": "The service failed; the fault has been logged.",
    }
    refusals: dict[ProblemCode, Refusal] = {code: Refusal(code, detail) for code, detail in found.items()}
    return {**refusals, "too_many_requests": refuse_rate(60)}
