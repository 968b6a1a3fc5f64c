"""Redis as the compose file starts it: it keeps acknowledged plays, and drops none when memory is full."""

import asyncio
from pathlib import Path
from typing import Final

import pytest
from redis import Redis as Client

from service.app import make_store
from service.live.store.protocol import Store
from service.platform.settings import Settings
from service.schemas.ids import GameId, app_of
from tests.deploy.files import COMPOSE, DEPLOY, read_yaml, rights_of_redis
from tests.support.games.listeners import Waiting
from tests.support.processes import Redis
from tests.support.redis_groups import cluster
from tests.support.redis_server import find_or_get, find_or_get_sharded, is_sharded

SETTINGS: Final = DEPLOY / "redis" / "redis.conf"
MIB: Final = 1024 * 1024


class _Configured(Redis):
    """A server with the configuration of the compose file, on another port and in another folder."""

    def start(self) -> None:
        place = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        self.run([find_or_get(), str(SETTINGS), *place])
        self.until(lambda: self.answers("PING") == b"+PONG\r\n", "Redis does not start")


def test_it_starts_with_its_file_and_has_the_guarantees_of_the_guide(tmp_path: Path) -> None:
    wanted = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "save": ""}
    with _Configured(tmp_path / "redis") as server:
        for name, value in wanted.items():
            assert server.answers("CONFIG", "GET", name).split(b"\r\n")[4] == value.encode()


def test_the_container_has_room_for_rewriting_the_log() -> None:
    line = next(line for line in SETTINGS.read_text().splitlines() if line.startswith("maxmemory "))
    limit = read_yaml(COMPOSE)["services"]["redis"]["deploy"]["resources"]["limits"]["memory"]
    assert int(limit.removesuffix("M")) * MIB >= 2 * int(line.split()[1].removesuffix("mb")) * MIB


async def _use(url: str) -> None:
    """Make every call on a store, and be notified of a change by another process."""
    store, other = (make_store(Settings(redis_url=url, store_timeout=60)) for _ in range(2))
    watcher = Waiting()
    try:
        await store.create(GameId("game"), b"0", 60)
        store.watch(GameId("game"), watcher)
        await watcher.until(lambda: watcher.resync)
        assert await other.append(GameId("game"), 1, b"1", 60, b"0")
        await watcher.until(lambda: watcher.notified is not None)
        store.unwatch(GameId("game"), watcher)
        assert (await store.load(GameId("game"))).entries == [b"0", b"1"]
        await store.drop(GameId("game"))
        assert await store.is_gone(GameId("game"))
        await _use_feed(store)
        await store.remember("key", b"value", 60)
        await store.consume("name", 1, 10)
        await store.ping()
        assert (await store.stats()).used is not None
    finally:
        await store.close()
        await other.close()


async def _use_feed(store: Store) -> None:
    """Make every call on the games of an app."""
    app, (deleted, late, won) = app_of("app"), map(GameId, ("deleted", "late", "won"))
    for game in (deleted, late, won):
        await store.create(game, b"0", 60, app)
    await store.drop(deleted, 60)
    assert await store.expire(late, b"0", 60)
    assert await store.load_ended(late)
    await store.forget_ended(late)
    assert len(await store.list_open(app, 0, 10)) == 3
    assert [await store.announce(app, game, b"entry", 1) for game in (deleted, late)] == [0, 0]
    await asyncio.sleep(1.1)
    assert await store.announce(app, won, b"entry", 1) == 0
    assert (await store.load_feed(app, 0, 10)).entries == [b"entry"]
    assert await store.take_sweep(app, 60)


def _admit(port: int, rights: str) -> None:
    """Add a user with only these rights."""
    with Client(port=port) as client:
        client.execute_command("ACL", "SETUSER", "service", "on", "nopass", *rights.split())


def test_the_rights_that_the_guide_names_are_enough(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    own, in_cluster, sharded = rights_of_redis()
    with Redis(tmp_path / "one") as server:
        _admit(server.port, own)
        asyncio.run(_use(f"redis://service:any@127.0.0.1:{server.port}"))
    for program in {find_or_get(), find_or_get_sharded()}:
        folder = tmp_path / Path(program).name
        folder.mkdir()
        with cluster(folder, 1, replicas=0, program=program) as nodes:
            _admit(nodes.primaries[0].port, f"{own} {in_cluster} {sharded if is_sharded(program) else ''}")
            asyncio.run(_use(nodes.url.replace("//", "//service:any@")))
    assert not caplog.records
