"""Connections to a real Redis and to a simulated one, asked in the same way."""

import re
from random import Random
from socket import create_connection, socket
from typing import Any, Final, TypeAlias

import hiredis

from service.live.store.redis.topology import Argument, pack
from tests.programs.simulation.loop import Loop
from tests.programs.simulation.network import Network
from tests.programs.simulation.redis.client import Client
from tests.programs.simulation.redis.server import Server
from tests.support import redis_server

Words: TypeAlias = tuple[Argument, ...]
OLD: Final = "old"
NEW: Final = "new"
AGES: Final = (OLD, NEW)
VALKEY_OMITS: Final = re.compile(r" Please use EVAL\.| Please also note .*|(?<= script: )[0-9a-f]{40}, ")
SHORT_WAIT: Final = 50
"""Milliseconds, for what does not come."""
LONG_WAIT: Final = 20_000
"""Milliseconds, for what comes, on a busy machine too."""


def find_program(age: str) -> str:
    return redis_server.get("redis-server") if age == OLD else redis_server.find_or_get_sharded()


class Real:
    """A connection to a real server."""

    def __init__(self, port: int) -> None:
        self._socket: socket = create_connection(("127.0.0.1", port), timeout=5)
        self._reader: Any = hiredis.Reader()

    def ask(self, *words: Argument) -> Any:
        self._socket.sendall(pack(words))
        return self.read()

    def read(self) -> Any:
        while (answer := self._reader.gets()) is False:
            self._reader.feed(self._socket.recv(65536))
        return answer

    def close(self) -> None:
        self._socket.close()


class Simulated:
    """A connection to a simulated server."""

    def __init__(self, server: Server) -> None:
        self._loop = server.loop
        self._reader: Any = hiredis.Reader()
        self._client = Client(server)
        self._client.connection_made(self)

    def write(self, data: bytes) -> None:
        self._reader.feed(data)

    def ask(self, *words: Argument) -> Any:
        self._client.data_received(pack(words))
        return self.read()

    def read(self) -> Any:
        while (answer := self._reader.gets()) is False:
            self._loop.run_one()
        return answer


def simulate(age: str) -> Server:
    loop = Loop(Random(1))
    return Server(loop, Network(loop, Random(1)), Random(1), 7001, 6 if age == OLD else 7)


def said(answer: Any) -> Any:
    """Return an answer in a form that compares; errors by their words, less those in which Valkey differs."""
    if isinstance(answer, list):
        return [said(each) for each in answer]  # pyright: ignore[reportUnknownVariableType]
    return VALKEY_OMITS.sub("", f"error: {answer}") if isinstance(answer, Exception) else answer
