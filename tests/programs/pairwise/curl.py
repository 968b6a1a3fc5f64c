"""Bearers who use nothing but curl."""

import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from tests.programs.agreement.asking import Json
from tests.programs.pairwise.playing import IllegalCard, Opened, Seen, seen_of
from tests.support.games.listeners import parse
from tests.support.guard import guarded_group

PAUSE: Final = 0.05
"""Seconds between two questions for changes that are not there yet."""
LONGEST: Final = "300"
"""Seconds after which curl gives up."""


class CurlAnswer(NamedTuple):
    """The answer that curl has got."""

    status: int
    headers: dict[str, str]
    body: Json


class Curl:
    """Runs curl on one service, again where the quota is used up."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._url = url
        self._headers = headers

    def run(self, method: str, path: str, body: object = None, **headers: str) -> CurlAnswer:
        """Send a request, and return its answer."""
        while True:
            command = [*self.command(path, **headers), "--include", "--request", method]
            if body is not None:
                command += ["--json", "@-"]
            sent = None if body is None else msgspec.json.encode(body)
            answer = _read(subprocess.run(command, input=sent, capture_output=True, check=True).stdout)
            if answer.status != 429:
                return answer
            time.sleep(int(answer.headers["retry-after"]))

    def command(self, path: str, **headers: str) -> list[str]:
        """Return the command of a request."""
        sent = {**self._headers, **{name.replace("_", "-"): value for name, value in headers.items() if value}}
        lines = [part for name, value in sent.items() for part in ("--header", f"{name}: {value}")]
        return ["curl", "--silent", "--show-error", "--max-time", LONGEST, *lines, self._url + path]

    def open_game(self, opening: Json) -> Opened:
        """Open a game."""
        answer = self.run("POST", "/v1/games", opening)
        assert answer.status == 201, answer
        return msgspec.convert(answer.body, Opened)


def _read(raw: bytes) -> CurlAnswer:
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return CurlAnswer(int(first.split()[1]), headers, msgspec.json.decode(body) if body else {})


class CurlBearer:
    """A bearer of a game, who follows it by its stream, or by asking for its changes."""

    def __init__(self, curl: Curl, opened: Opened, token: str, *, polls: bool, at_end: Callable[..., object]) -> None:
        self._curl = curl
        self._path = opened.path
        self._token = f"Bearer {token}" if token else ""
        self._revision = ""
        self._messages = self._poll() if polls else self._stream(at_end)

    def wait(self) -> Seen:
        """Wait for the next version of the game."""
        name, self._revision, shown = next(self._messages)
        return seen_of(name, self._revision, shown)

    def play(self, card: str) -> None:
        """Play a card."""
        answer = self._post("/plays", {"card": card})
        if answer.status == 422:
            raise IllegalCard(answer.body["verdict"])
        assert answer.status == 200, answer

    def deal(self) -> None:
        """Deal."""
        answer = self._post("/deals", {})
        assert answer.status == 200, answer

    def resign(self) -> None:
        """Resign."""
        answer = self._post("/resignations", {})
        assert answer.status == 200, answer

    def add_entropy(self, entropy: str) -> None:
        """Add to the next shuffle."""
        answer = self._post("/entropy", {"entropy": entropy})
        assert answer.status == 200, answer

    def _post(self, what: str, body: Json) -> CurlAnswer:
        return self._curl.run(
            "POST", self._path + what, body, authorization=self._token, if_match=f'"{self._revision}"'
        )

    def _poll(self) -> Iterator[tuple[str, str, Json]]:
        while True:
            after = f"?after={self._revision}" if self._revision else ""
            page = self._curl.run("GET", f"{self._path}/changes{after}", authorization=self._token)
            assert page.status == 200, page
            for message in page.body["messages"]:
                yield message["event"], message["id"], message["data"]
            if not page.body["messages"]:
                time.sleep(PAUSE)

    def _stream(self, at_end: Callable[..., object]) -> Iterator[tuple[str, str, Json]]:
        command = [*self._curl.command(f"{self._path}/events", authorization=self._token), "--no-buffer", "--fail"]
        stream = subprocess.Popen(command, stdout=subprocess.PIPE, process_group=guarded_group())
        at_end(_end, stream)
        assert stream.stdout is not None
        block = b""
        for line in stream.stdout:
            block += line
            if line == b"\n":
                if (said := parse(block.rstrip(b"\n"))) and said.event != "presence":
                    yield said.event, said.id, msgspec.json.decode(said.data)
                block = b""
        raise EOFError(f"curl ends with {stream.wait()}")


def _end(stream: subprocess.Popen[bytes]) -> None:
    stream.kill()
    with stream:
        pass
