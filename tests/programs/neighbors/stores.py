"""Stores of other people, each with a replica, below two replicas of the service."""

import asyncio
import re
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from tests.deploy.files import rights_of_redis
from tests.live.chaos.test_tls import certify
from tests.programs.binaries import NoProgram
from tests.programs.neighbors.rows import Result, Row
from tests.programs.neighbors.tools import run
from tests.support.games.client import Client
from tests.support.games.player import SHORT, Player
from tests.support.games.streams import stream
from tests.support.patience import WAIT
from tests.support.processes import Redis, Service
from tests.support.redis_groups import QUICKLY, has_replica, wait_until
from tests.support.redis_server import find_or_get, free_port, get

PLAYS: Final = 5
"""Cards that are played before each restart."""
PASSWORD: Final = "hidden"


class Store:
    """A primary and its replica, and the URL of the primary for the service."""

    def __init__(self, program: str, folder: Path, *options: str, replicates_from: int = 0) -> None:
        always = ("--appendonly", "yes", "--appendfsync", "always", *QUICKLY, *options)
        self.primary = Redis(folder / "primary", *always)
        source = str(replicates_from or self.primary.port)
        self.replica = Redis(folder / "replica", *always, "--replicaof", "127.0.0.1", source)
        self.primary.program = self.replica.program = program
        self.url = self.primary.url

    def until_whole(self) -> None:
        """Wait until the replica has all that the primary has."""
        wait_until(lambda: has_replica(self.primary), "no replica")


def _run_plain(find: Callable[[], str], folder: Path) -> list[Result]:
    return [_serve(Store(find(), folder), folder)]


def _run_with_tls(folder: Path) -> list[Result]:
    """Run a store that the service and the replica reach by TLS, with a certificate of a private authority."""
    certificates, port = certify(folder), free_port()
    of_tls = {
        "tls-port": port,
        "tls-cert-file": certificates.own,
        "tls-key-file": certificates.own,
        "tls-ca-cert-file": certificates.authority,
        "tls-auth-clients": "no",
        "tls-replication": "yes",
    }
    options = [word for name, value in of_tls.items() for word in (f"--{name}", str(value))]
    store = Store(find_or_get(), folder, *options, replicates_from=port)
    store.replica.options = (*store.replica.options, "--tls-port", str(free_port()))
    store.url = f"rediss://127.0.0.1:{port}?ssl_ca_certs={certificates.authority}"
    try:
        return [_serve(store, folder)]
    except AssertionError as exc:
        if "tls-port" in str(exc):
            raise NoProgram("this redis-server is built without TLS") from exc
        raise


OF_APPS: Final = {"lpop", "rename", "zadd", "zrangebyscore", "zrem", "zscore"}
"""Commands for the games of apps. This row opens none: tests/deploy/test_redis.py calls the commands."""


def _run_with_rights(folder: Path) -> list[Result]:
    """Run a store whose user for the service has the rights that the operators' guide names, and no others."""
    rights, users = rights_of_redis()[0], folder / "users.acl"
    users.write_text(f"user default on nopass ~* &* +@all\nuser service on >{PASSWORD} {rights}\n")
    store = Store(find_or_get(), folder, "--aclfile", str(users))
    store.url = store.url.replace("//", f"//service:{PASSWORD}@")
    denied, called = list[bytes](), set[str]()

    def look() -> None:
        denied.append(store.primary.answers("ACL", "LOG"))
        called.update(re.findall(r"cmdstat_([a-z|]+)", store.primary.answers("INFO", "commandstats").decode()))

    played = _serve(store, folder, look)
    needless = {right for right in re.findall(r"\+([a-z|]+)", rights) if right not in called | OF_APPS}
    faults = [f"denied: {each!r}" for each in denied if each != b"*0\r\n"]
    return [played, Result(f"{len(called)} commands", [*faults, *(f"not needed: +{right}" for right in needless)])]


def _serve(store: Store, folder: Path, look: Callable[[], None] = lambda: None) -> Result:
    """Serve a game by two replicas over a store; `look` is called before the store is stopped, and in the end."""
    settings = {"redis_url": store.url, "store_replicas": 1, "rate_limit": "100000/minute", "stream_heartbeat": 1}
    with ExitStack() as stack:
        stack.enter_context(store.primary)
        stack.enter_context(store.replica)
        store.until_whole()
        replicas = [stack.enter_context(Service(folder / f"{at}.log", **settings)) for at in (1, 2)]
        result = asyncio.run(_play(store, replicas, look))
        look()
        return result


async def _play(store: Store, replicas: list[Service], look: Callable[[], None]) -> Result:
    """Play a game to its end, which is followed at one replica, while the store and the other one are restarted."""
    with Client([each.port for each in replicas]) as client:
        player = Player(client, SHORT, Random(1))
        await player.open()
        async with stream(replicas[1].port, player.path, player.tokens[0]) as events:
            await _play_some(player)
            look()
            await asyncio.to_thread(_restart, store.primary)
            await asyncio.to_thread(store.until_whole)
            await _play_some(player)
            await asyncio.to_thread(_restart, replicas[0])
            await player.finish()
            async with asyncio.timeout(WAIT):
                seen = {event.version for event in await events.until(player.version)}
        await player.check_record()
    missing = {*range(1, player.version + 1)} - seen
    counted = f"{len(player.acknowledged)} plays, {len(seen)} events, store and replica restarted"
    return Result(counted, [f"event lost: {each}" for each in missing])


async def _play_some(player: Player) -> None:
    if player.position.get("phase") != "playing":
        await player.deal()
    for _ in range(PLAYS):
        await player.play()


def _restart(process: Redis | Service) -> None:
    assert process.stop() == 0
    process.start()


def _tell(find: Callable[[], str], what: str = "") -> str:
    """Return the name and version of a server, and what is special about the way it is run."""
    said = run(find(), "--version", folder=Path.cwd())
    name, version = re.findall(r"^(\w+) server v=(\S+)", said)[0]
    return f"{name} {version}{what}"


_VALKEY: Final = partial(get, "valkey-server")
STORES: Final = (
    Row("Redis", partial(_tell, find_or_get), partial(_run_plain, find_or_get)),
    Row("Valkey", partial(_tell, _VALKEY), partial(_run_plain, _VALKEY)),
    Row("Redis with TLS", partial(_tell, find_or_get, ", TLS with a private CA"), _run_with_tls),
    Row("Redis with rights", partial(_tell, find_or_get, ", a user with the rights of the guide"), _run_with_rights),
)
"""The stores; each one is used, restarted, and used again."""
