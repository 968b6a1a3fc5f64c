"""The others, from another address, while somebody attacks: one asks light questions, one plays against computers."""

from collections.abc import Callable
from time import monotonic, perf_counter, sleep
from typing import Any, Final, TypeAlias

import msgspec

from tests.support.http.samples import BODIES
from tests.support.http.server import Line

Other: TypeAlias = Callable[[Line, float], list[float]]
"""Does its work until a time, and returns how long it waited each time, in seconds."""
ADDRESS: Final = "127.0.0.2"
PAUSE: Final = 0.005
"""Seconds between two light questions, and between two looks at a game."""
_LIGHT: Final = msgspec.json.encode(BODIES["verdicts"])
_GAME: Final = msgspec.json.encode(
    {"rules": "trebor", "players": 4, "computers": [None, "easy", "easy", "easy"], "first_dealer": 0}
)


def ask_questions(line: Line, end: float) -> list[float]:
    """Ask a light question again and again."""
    took: list[float] = []
    while monotonic() < end:
        start = perf_counter()
        assert line.ask("/v1/verdicts", _LIGHT).status == 200
        took.append(perf_counter() - start)
        sleep(PAUSE)
    return took


def play_against_computers(line: Line, end: float) -> list[float]:
    """Play games against three computers; what is timed is each wait until the person is to play again."""
    took: list[float] = []
    while monotonic() < end:
        opened = _read(line, "POST", "/v1/games", _GAME)
        path = f"/v1/games/{opened['id']}"
        host, seat = (("authorization", f"Bearer {token}") for token in (opened["host_token"], opened["tokens"][0]))
        _read(line, "POST", f"{path}/deals", b"{}", host)
        while monotonic() < end:
            start = perf_counter()
            shown = _read(line, "GET", path, b"", seat)
            while shown["phase"] == "playing" and shown["position"]["turn"] != 0 and monotonic() < end:
                sleep(PAUSE)
                shown = _read(line, "GET", path, b"", seat)
            took.append(perf_counter() - start)
            if shown["phase"] != "playing" or shown["position"]["turn"] != 0:
                break
            card = msgspec.json.encode({"card": shown["position"]["legal_cards"][0]})
            _read(line, "POST", f"{path}/plays", card, seat, ("if-match", f'"{shown["revision"]}"'))
    return took


def _read(line: Line, method: str, path: str, body: bytes, *headers: tuple[str, str]) -> dict[str, Any]:
    answer = line.ask(path, body, *headers, method=method)
    assert answer.status < 300, answer
    return {**msgspec.json.decode(answer.body), "revision": answer.headers.get("etag", "").strip('"')}
