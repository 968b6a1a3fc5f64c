"""The answers to the example requests: each is sent to the endpoint of its operation."""

from collections.abc import Coroutine
from functools import cache
from typing import Any, Final, cast

import msgspec
from litestar.types import HTTPScope, Message, Receive, Send
from msgspec import Struct

from service.api.batches import PATH, BatchWriting, answer_batch
from service.api.questions import QUESTIONS
from service.api.suggestions import Suggesting, read_wish, suggest_at_once, suggest_card
from service.http.context import context_of
from service.http.fast_lane import Endpoint, Provider
from service.http.middleware.auth import refuse_rate
from service.http.problem_kinds import KINDS
from service.http.problems import write_problem
from service.openapi.examples import EXAMPLES, MID_TRICK_LINE, REFUSED_REQUESTS, ExampleRequest
from service.openapi.game_examples import live_answers, live_refusals
from service.rulesets import RULESETS
from service.settings import Settings
from service.wire.refusal import ProblemCode, Refusal

_LIMIT: Final = Settings().max_body_bytes


class Answer(Struct, frozen=True):
    """An answer: its status, and its body, decoded."""

    status: int
    body: Any


def _write_json(_: object) -> BatchWriting:
    return BatchWriting("json", Settings().max_answer_bytes, _count_nothing, "")


def _suggest(_: object) -> Suggesting:
    return suggest_at_once


def _count_nothing(_: object, __: object) -> None:
    """Count nothing: these requests are nobody's."""


@cache
def _endpoints() -> dict[str, Endpoint]:
    providers: dict[str, Provider] = {"context": context_of, "writing": _write_json, "suggesting": _suggest}
    asked = (*QUESTIONS, answer_batch, suggest_card)
    return {str(handler.operation_id): Endpoint(handler, providers, _LIMIT, None) for handler in asked}


def ask(request: ExampleRequest) -> Answer:
    """Send a request to the endpoint of its operation, outside the application, so that no metric counts it."""
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
    """Run a coroutine that waits for nothing outside itself to its end."""
    try:
        while True:
            work.send(None)
    except StopIteration:
        return


@cache
def find_answers(operation: str) -> dict[str, Answer]:
    """Return the answers to the examples of an operation, by name."""
    live = live_answers().get(operation)
    if live is not None:
        return {name: Answer(0, body) for name, body in live.items()}
    return {example.name: ask(ExampleRequest(operation, example.body)) for example in EXAMPLES.get(operation, ())}


def find_problems() -> dict[ProblemCode, Any]:
    """Return an example of every problem, in the order of the table of problems."""
    found = {code: ask(request).body for code, request in REFUSED_REQUESTS.items()}
    for code, (path, refusal) in {**_refusals(), **live_refusals()}.items():
        found[code] = msgspec.to_builtins(write_problem(refusal, path))
    return {code: found[code] for code in KINDS}


def _refusals() -> dict[ProblemCode, tuple[str, Refusal]]:
    """Return an example of each problem that no question is refused with, with the path of its request."""
    found: dict[ProblemCode, tuple[str, str]] = {
        "method_not_allowed": ("/v1/positions", "This resource supports OPTIONS, POST."),
        "malformed_request": ("/v1/rulesets", "The request cannot be read."),
        "not_found": ("/v1/rulesets/bridge", f"There is no ruleset 'bridge'; there are {', '.join(RULESETS)}."),
        "answer_too_large": (PATH, "The answers before it fill the batch. Send it again in another one."),
        "suggestions_off": ("/v1/suggestions", "This service makes no suggestions."),
        "too_many_suggestions": ("/v1/suggestions", "20 suggestions are asked for already, 3 by you."),
        "body_too_slow": ("/v1/positions", "The body did not arrive within 30 seconds."),
        "too_busy": ("/v1/batches", "The bodies that are being read are together larger than 67108864 bytes."),
        "api_key_missing": ("/v1/positions", "Send the key of your app in the header X-API-Key."),
        "unknown_api_key": ("/v1/positions", "No app has the key in the header X-API-Key."),
        "internal_error": ("/v1/positions", "The service failed; the fault has been logged."),
    }
    refusals: dict[ProblemCode, tuple[str, Refusal]] = {
        code: (path, Refusal(code, detail)) for code, (path, detail) in found.items()
    }
    return {
        **refusals,
        "too_many_requests": ("/v1/positions", refuse_rate(60)),
        "invalid_query": (f"/v1/suggestions/{MID_TRICK_LINE}", _refuse_query(b"level=strong")),
    }


def _refuse_query(query: bytes) -> Refusal:
    """Return the refusal of a query."""
    try:
        read_wish(cast("HTTPScope", {"query_string": query}))
    except Refusal as refusal:
        return refusal
    raise ValueError(query)
