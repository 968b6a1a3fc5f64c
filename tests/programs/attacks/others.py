"""The others, from another address, while somebody attacks: one asks light questions, one plays against computers."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Any, Final, TypeAlias

import msgspec

from tests.support.http.samples import BODIES
from tests.support.http.server import Line

Timer: TypeAlias = Callable[[], AbstractContextManager[None]]
"""Times a wait."""
Other: TypeAlias = Callable[[Line, float, Timer], None]
"""Does its work until a time, and times each of its waits."""
ADDRESS: Final = "127.0.0.2"
PAUSE: Final = 0.005
"""Seconds between two light questions, and between two looks at a game."""
_LIGHT: Final = msgspec.json.encode(BODIES["verdicts"])
_GAME: Final = msgspec.json.encode(
    {"rules": "trebor", "players": 4, "seats": [{}, *[{"computer": "easy"}] * 3], "first_dealer": 0}
)


class Waits:
    """The waits of a caller: their lengths, and the service's CPU time meanwhile.

    On a busy machine only the second shows the service's own part.
    Unit: seconds.
    """

    def __init__(self, process: int) -> None:
        self.took: list[float] = []
        self.worked: list[float] = []
        self._path = Path(f"/proc/{process}/schedstat")

    @contextmanager
    def timing(self) -> Generator[None]:
        """Time a wait."""
        start, worked = perf_counter(), self._cpu()
        yield
        self.took.append(perf_counter() - start)
        self.worked.append(self._cpu() - worked)

    def _cpu(self) -> float:
        """Return for how long the process has worked in its event loop."""
        return int(self._path.read_text(encoding="ascii").split()[0]) / 1e9


def ask_questions(line: Line, end: float, timer: Timer) -> None:
    """Ask a light question again and again."""
    while monotonic() < end:
        with timer():
            assert line.ask("/v1/verdicts", _LIGHT).status == 200
        sleep(PAUSE)


def play_against_computers(line: Line, end: float, timer: Timer) -> None:
    """Play games against three computers, and time each wait until the person is to play again."""
    while monotonic() < end:
        opened = _read(line, "POST", "/v1/games", _GAME)
        path = f"/v1/games/{opened['id']}"
        tokens = (opened["host_token"], opened["seats"][0]["token"])
        host, seat = (("authorization", f"Bearer {token}") for token in tokens)
        _read(line, "POST", f"{path}/deals", b"{}", host, _at(opened))
        while monotonic() < end:
            with timer():
                shown = _read(line, "GET", path, b"", seat)
                while shown["phase"] == "playing" and shown["position"]["turn"] != 0 and monotonic() < end:
                    sleep(PAUSE)
                    shown = _read(line, "GET", path, b"", seat)
            if shown["phase"] != "playing" or shown["position"]["turn"] != 0:
                break
            card = msgspec.json.encode({"card": shown["position"]["legal_cards"][0]})
            _read(line, "POST", f"{path}/plays", card, seat, _at(shown))


def _at(shown: dict[str, Any]) -> tuple[str, str]:
    return ("if-match", f'"{shown["version"]}"')


def _read(line: Line, method: str, path: str, body: bytes, *headers: tuple[str, str]) -> dict[str, Any]:
    answer = line.ask(path, body, *headers, method=method)
    assert answer.status < 300, answer
    shown: dict[str, Any] = msgspec.json.decode(answer.body)
    return shown
