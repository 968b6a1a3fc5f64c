"""A lean client: keeps its connections, and asks again as an integrator should, at any process of the service."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeAlias

import msgspec

from tests.support.patience import WAIT

Read: TypeAlias = Any
"""A value read from JSON."""


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Read:
        return msgspec.json.decode(self.body)


class Call(NamedTuple):
    """A call on the service, the same each time it is asked.

    Shape: `version` as an ETag gave it.
    """

    method: str
    path: str
    body: Mapping[str, object] | None = None
    token: str | None = None
    version: str | None = None
    key: str | None = None
    app: str | None = None

    def written(self) -> bytes:
        content = b"" if self.body is None else msgspec.json.encode(self.body)
        lines = [
            f"{self.method} {self.path} HTTP/1.1",
            "host: test",
            "content-type: application/json",
            f"content-length: {len(content)}",
        ]
        lines += [f"authorization: Bearer {self.token}"] if self.token else []
        lines += [f"if-match: {self.version}"] if self.version else []
        lines += [f"idempotency-key: {self.key}"] if self.key else []
        lines += [f"x-api-key: {self.app}"] if self.app else []
        return "\r\n".join([*lines, "", ""]).encode() + content


class Client:
    """Asks one call after the other, of the ports in turn when one fails it."""

    def __init__(self, ports: Sequence[int], turn: int = 0) -> None:
        self._ports = ports
        self._turn = turn
        self._connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.failures: list[str] = []
        self.slowest = 0.0
        self.asked_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, at: TracebackType | None) -> None:
        self.leave()

    @property
    def port(self) -> int:
        """The port that is asked."""
        return self._ports[self._turn % len(self._ports)]

    async def ask(self, call: Call) -> Answer:
        """Ask once, and note when.

        Errors: OSError or EOFError, when there is no whole answer.
        """
        began = self.asked_at = time.monotonic()
        try:
            async with asyncio.timeout(WAIT):
                return await self._ask(call.written())
        except BaseException:
            self.leave()
            raise
        finally:
            self.slowest = max(self.slowest, time.monotonic() - began)

    async def insist(self, call: Call) -> Answer:
        """Ask until there is an answer other than that the store is down; note each failure until then."""
        end = time.monotonic() + WAIT
        while True:
            try:
                answer = await self.ask(call)
            except (OSError, EOFError) as exc:
                self.failures.append(f"{call.method} {call.path}: {exc!r}")
            else:
                if answer.status != 503:
                    return answer
                assert answer.headers["retry-after"] == "1", answer
                self.failures.append(f"{call.method} {call.path}: {answer.body!r}")
            self._turn += 1
            self.leave()
            assert time.monotonic() < end, f"no answer to {call}"
            await asyncio.sleep(0.05)

    async def ask_and_leave(self, call: Call, after: float) -> None:
        """Send a call and close the connection `after` seconds later without reading the answer."""
        _, writer = await self._connected()
        writer.write(call.written())
        await asyncio.sleep(after)
        self.leave()

    def turn_to(self, turn: int) -> None:
        """Ask another process from now on."""
        self.leave()
        self._turn = turn

    def leave(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection[1].transport.abort()
            self._connection = None

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._connection is not None and self._connection[0].at_eof():
            self.leave()  # it was not asked for so long that the service has closed it
        if self._connection is None:
            self._connection = await asyncio.open_connection("127.0.0.1", self.port)
        return self._connection

    async def _ask(self, request: bytes) -> Answer:
        reader, writer = await self._connected()
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.rstrip().split("\r\n")
        fields = (line.split(": ", 1) for line in lines)
        headers = {name.lower(): value for name, value in fields}  # some load balancers write capitals
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        return Answer(int(first.split()[1]), headers, body)
