"""A simulated primary and its replica answer as real ones do, together and apart."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

import pytest

from service.live.store.redis.scripts import APPEND, LOAD, Script
from tests.live.simulation.asking import (
    AGES,
    LONG_WAIT,
    SHORT_WAIT,
    Real,
    Simulated,
    Words,
    find_program,
    said,
    simulate,
)
from tests.programs.simulation.network import Network
from tests.programs.simulation.redis.server import Server
from tests.support.processes import Redis
from tests.support.redis_groups import QUICKLY, save_on_replica

ASK: Final = "ask"
READ: Final = "read"
Step: TypeAlias = tuple[str, str, Words]
ADD: Final = "return redis.call('RPUSH', KEYS[1], ARGV[1])"
ADD_HASH: Final = Script(ADD).hash
TELL: Final = "redis.call('PUBLISH', 'news', KEYS[1]) return redis.call('GET', 'text')"
"""Publishes, even if the rest fails."""

TOGETHER: Final[Sequence[Step]] = (
    ("primary", ASK, ("WAIT", 1, LONG_WAIT)),
    ("primary", ASK, ("RPUSH", "list", "a")),
    ("primary", ASK, ("WAIT", 1, LONG_WAIT)),
    ("replica", ASK, ("LRANGE", "list", 0, -1)),
    ("primary", ASK, ("EVAL", ADD, 1, "list", "b")),
    ("primary", ASK, ("WAIT", 2, SHORT_WAIT)),
    ("replica", ASK, ("LRANGE", "list", 0, -1)),
    ("replica", ASK, ("RPUSH", "list", "c")),
    ("replica", ASK, ("EVALSHA", ADD_HASH, 1, "list", "c")),
    ("replica", ASK, ("EVAL", ADD, 1, "list", "c")),
    ("replica", ASK, ("EVAL", APPEND.text, 1, "list", 2, "b", "c", 60, 60, "PUBLISH", "news", "it")),
    ("replica", ASK, ("EVAL", LOAD.text, 1, "list", 0, -1)),
    ("replica", ASK, ("SET", "text", "c", "EX", 0)),
    ("replica", ASK, ("DEL", "nothing")),
    ("replica", ASK, ("WAIT", 1, SHORT_WAIT)),
    ("listener", ASK, ("SUBSCRIBE", "news")),
    ("far listener", ASK, ("SUBSCRIBE", "news")),
    ("listener", ASK, ("PING",)),
    ("listener", ASK, ("GET", "text")),
    ("primary", ASK, ("PUBLISH", "news", "1")),
    ("listener", READ, ()),
    ("far listener", READ, ()),
    ("primary", ASK, ("SET", "text", "2")),
    ("primary", ASK, ("EVAL", TELL, 1, "2")),
    ("listener", READ, ()),
    ("far listener", READ, ()),
    ("primary", ASK, ("PUBLISH", "no news", "3")),
    ("listener", ASK, ("UNSUBSCRIBE", "news")),
    ("listener", ASK, ("GET", "text")),
)
APART: Final[Sequence[Step]] = (
    ("replica", ASK, ("REPLICAOF", "NO", "ONE")),
    ("replica", ASK, ("LRANGE", "list", 0, -1)),
    ("replica", ASK, ("EVALSHA", ADD_HASH, 1, "list", "c")),
    ("replica", ASK, ("RPUSH", "list", "c")),
    ("replica", ASK, ("WAIT", 1, SHORT_WAIT)),
    ("replica", ASK, ("WAIT", 0, SHORT_WAIT)),
    ("primary", ASK, ("RPUSH", "list", "of its own")),
    ("primary", ASK, ("WAIT", 1, SHORT_WAIT)),
    ("primary", ASK, ("LRANGE", "list", 0, -1)),
)


def _follow(connections: dict[str, Any], steps: Sequence[Step]) -> Iterator[Any]:
    for name, what, words in steps:
        connection = connections[name]
        yield words, said(connection.ask(*words) if what == ASK else connection.read())


def _connect(make: Callable[[Any], Any], primary: Any, replica: Any) -> dict[str, Any]:
    servers = {"primary": primary, "replica": replica, "listener": primary, "far listener": replica}
    return {name: make(server) for name, server in servers.items()}


def _ask_simulated(age: str) -> list[Any]:
    primary = simulate(age)
    replica = Server(primary.loop, Network(primary.loop, Random(1)), Random(1), 7002, primary.version)
    replica.follow(primary)
    while not primary.replicas_online:
        primary.loop.run_one()
    return [*_follow(_connect(Simulated, primary, replica), [*TOGETHER, *APART])]


def _ask_real(folder: Path) -> list[Any]:
    with (
        Redis(folder / "first", *QUICKLY) as primary,
        Redis(folder / "second", *QUICKLY, "--replicaof", "127.0.0.1", str(primary.port)) as replica,
    ):
        save_on_replica(primary, replica)
        connections = _connect(Real, primary.port, replica.port)
        answers = [*_follow(connections, [*TOGETHER, *APART])]
        for connection in connections.values():
            connection.close()
        return answers


@pytest.mark.parametrize("age", AGES)
def test_a_primary_and_its_replica_answer_the_same(age: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_SERVER", find_program(age))
    assert _ask_simulated(age) == _ask_real(tmp_path)
