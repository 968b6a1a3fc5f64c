"""What the example requests answer: each is sent to the endpoint that it would meet in service."""

from collections.abc import Coroutine
from functools import cache
from typing import Any, Final, cast

import msgspec
from litestar.types import HTTPScope, Message, Receive, Send
from msgspec import Struct

from service.api.batches import answer_batch
from service.api.questions import QUESTIONS
from service.http.context import context_of
from service.http.fast_lane import Endpoint, Provider
from service.http.problem_kinds import KINDS
from service.http.problems import write_problem
from service.openapi.examples import EXAMPLES, PROVOKED, Provoked
from service.openapi.game_examples import live_answers, live_refusals
from service.rulesets import RULESETS
from service.settings import Settings
from service.wire.refusal import ProblemCode, Refusal

_LIMIT: Final = Settings().max_body_bytes


class Answer(Struct, frozen=True):
    """What came back: the status and the body, decoded."""

    status: int
    body: Any


@cache
def _endpoints() -> dict[str, Endpoint]:
    providers: dict[str, Provider] = {"context": context_of}
    asked = (*QUESTIONS, answer_batch)
    return {str(handler.operation_id): Endpoint(handler, providers, _LIMIT, None) for handler in asked}


def ask(request: Provoked) -> Answer:
    """Send a request to the endpoint of its operation; nobody counts what happens on the way."""
    endpoint = _endpoints()[request.operation]
    scope: dict[str, Any] = {
        "type": "http",
        "method": request.method,
        "path": endpoint.path,
        "headers": request.headers,
        "state": {},
    }
    raw = request.body if isinstance(request.body, bytes) else msgspec.json.encode(request.body)
    sent: list[Message] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": raw, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    _finish(endpoint(cast("HTTPScope", scope), cast("Receive", receive), cast("Send", send)))
    start, body = cast("list[dict[str, Any]]", sent)
    return Answer(start["status"], msgspec.json.decode(body["body"]))


def _finish(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine that waits for nothing outside itself."""
    try:
        while True:
            work.send(None)
    except StopIteration:
        return


@cache
def answers(operation: str) -> dict[str, Answer]:
    """Find what the examples of an operation answer, by name."""
    live = live_answers().get(operation)
    if live is not None:
        return {name: Answer(0, body) for name, body in live.items()}
    return {example.name: ask(Provoked(operation, example.body)) for example in EXAMPLES.get(operation, ())}


def problem_answers() -> dict[ProblemCode, Any]:
    """Find an example of every problem, in the order of the table of problems."""
    found = {code: ask(request).body for code, request in PROVOKED.items()}
    for code, (path, refusal) in {**_refusals(), **live_refusals()}.items():
        found[code] = msgspec.to_builtins(write_problem(refusal, path))
    return {code: found[code] for code in KINDS}


def _refusals() -> dict[ProblemCode, tuple[str, Refusal]]:
    """Tell an example of each problem that no question meets, with the path of its request."""
    found: dict[ProblemCode, tuple[str, str]] = {
        "method_not_allowed": ("/v1/positions", "This resource knows OPTIONS, POST."),
        "malformed_request": ("/v1/rulesets", "The request cannot be read."),
        "not_found": ("/v1/rulesets/bridge", f"There is no ruleset 'bridge'; there are {', '.join(RULESETS)}."),
        "body_too_slow": ("/v1/positions", "The body was not there within 30 seconds."),
        "api_key_missing": ("/v1/positions", "Send the key of your app in the header X-API-Key."),
        "unknown_api_key": ("/v1/positions", "No app has the key in the header X-API-Key."),
        "too_many_requests": (
            "/v1/positions",
            "The quota is spent for now. Ask again after the seconds in Retry-After.",
        ),
        "internal_error": ("/v1/positions", "The service failed; the fault has been logged."),
    }
    return {code: (path, Refusal(code, detail)) for code, (path, detail) in found.items()}
