"""A service that a test plays: its answers, one after the other, and a live game as it shows it."""

from typing import Any, Final

import httpx
import msgspec

from tests.api.openapi.reading import list_answers
from tests.support.http.client import post
from tests.support.http.samples import STATE

POSITION: Final[dict[str, Any]] = msgspec.json.decode(post("/v1/positions", {"state": STATE}).body) | {
    "turn": 0,
    "legal_cards": ["TH"],
}
LIVE: Final[dict[str, Any]] = {
    **next(answer for name, answer in list_answers() if name == "LiveGame"),
    "phase": "playing",
    "position": POSITION,
    "seat": 0,
}
CHANGE: Final[dict[str, Any]] = {
    "at": LIVE["changed_at"],
    "expires_at": LIVE["expires_at"],
    "move_ends_at": LIVE["move_ends_at"],
    "dealer": 3,
    "take_back_asked": LIVE["take_back_asked"],
    "phase": "playing",
    "position": POSITION,
    "events": [],
    "shuffles": [],
}


def live_game(version: str, **more: Any) -> httpx.Response:
    """The whole game, as the service shows it."""
    return httpx.Response(200, json=LIVE | {"version": version} | more)


def event(name: str, content: dict[str, Any]) -> bytes:
    """A message of the event stream."""
    revision = content.get("version", "")
    return f"event: {name}\nid: {revision}\ndata: {msgspec.json.encode(content).decode()}\n\n".encode()


def stream(messages: bytes) -> httpx.Response:
    """An event stream that ends after some messages."""
    return httpx.Response(200, content=b"retry: 1\n\n" + messages, headers={"Content-Type": "text/event-stream"})


def trial() -> httpx.Response:
    """The stream that probes whether streams come through, before the first real one."""
    return stream(b"")


class Script:
    """A service that answers with one thing after the other, and keeps what it was asked."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.asked: list[httpx.Request] = []
        self._answers = iter(answers)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        return answer


def refused(code: str, status: int, **more: Any) -> httpx.Response:
    """A refusal, as the service would write it; `after` is its Retry-After."""
    headers = {"Content-Type": "application/problem+json"} | {"Retry-After": more.pop("after", "")}
    facts: dict[str, Any] = {"errors": [], "verdict": None, "turn": None, "version": None, "seconds": None, **more}
    problem: dict[str, Any] = {
        "type": "",
        "title": "",
        "status": status,
        "detail": "Why.",
        "instance": "/",
        "code": code,
        **facts,
    }
    return httpx.Response(status, headers=headers, content=msgspec.json.encode(problem))
