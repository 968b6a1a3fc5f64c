"""The watchers of a game are notified of each change, once, even if the servers of Redis fail."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from secrets import token_hex
from typing import Final, TypeAlias

import pytest
from redis import Redis as Client

from service.app import make_store
from service.live.store.protocol import StoreDown
from service.live.store.redis.pubsub import channel
from service.live.store.redis.store import RedisStore, key_of
from service.platform.settings import Settings
from service.schemas.ids import GameId
from service.schemas.revision import Revision, revision_of
from tests.support import redis_server
from tests.support.games.listeners import Waiting
from tests.support.redis_groups import Cluster, cluster, role, save_on_replica, wait_until

SERVERS: Final = {"classic": redis_server.find_or_get, "sharded": redis_server.find_or_get_sharded}
SOON: Final = 50
"""Seconds within which a process finds its servers again; without it, it would take a minute.

On an idle machine it takes 4: on a busy one the refresh that finds them may run into its timeout of 2, more than once.
"""


class Counting(Waiting):
    """A watcher that counts how often it was notified."""

    def __init__(self) -> None:
        super().__init__()
        self.woken = 0

    def wake(self) -> None:
        self.woken += 1
        super().wake()


class Scene:
    """A process that watches a game, and another one that changes it."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self.watching, self.changing = _store(url), _store(url)
        self.watcher = Counting()
        self.game, self.past, self.version = token_hex(8), b"", 1
        for store in (self.watching, self.changing):
            stack.push_async_callback(store.close)

    async def begin(self) -> None:
        await _insist(lambda: self.changing.create(GameId(self.game), b"1", 600))
        self.watching.watch(GameId(self.game), self.watcher)
        await self.watcher.until(lambda: self.watcher.resync)

    async def change(self) -> None:
        version, after = self.version, self._entry
        self.version += 1

        async def append() -> bool:
            made = await self.changing.append(GameId(self.game), version, self._entry, 600, after)
            # Or it was made already, by a try whose answer was lost.
            return made or (await self.changing.load(GameId(self.game))).entries[version:] == [self._entry]

        await _insist(append)

    @property
    def revision(self) -> Revision:
        """The revision that the latest change has made."""
        return revision_of(self.version, self._entry)

    @property
    def _entry(self) -> bytes:
        return b"1" if self.version == 1 else b"%b%d" % (self.past, self.version)

    async def see_change(self) -> None:
        """Change the game, and wait until the watcher is notified, or asked to read it."""
        self.watcher.resync = False
        await self.change()
        async with asyncio.timeout(SOON):
            await self.watcher.until(lambda: self.watcher.resync or self.watcher.notified == self.revision)


Harm: TypeAlias = Callable[[Scene], Awaitable[None]]


def _store(url: str) -> RedisStore:
    store = make_store(Settings(redis_url=url, store_timeout=2))
    assert isinstance(store, RedisStore)
    return store


async def _insist(call: Callable[[], Awaitable[object]]) -> None:
    """Make a change; servers that change over may refuse it for a while."""
    async with asyncio.timeout(SOON):
        while True:
            try:
                assert await call()
            except StoreDown:
                await asyncio.sleep(0.05)
            else:
                return


def _play(url: str, harm: Harm) -> None:
    async def play() -> None:
        async with AsyncExitStack() as stack:
            scene = Scene(url, stack)
            await scene.begin()
            await scene.see_change()
            await harm(scene)
            await scene.see_change()
            await scene.see_change()

    asyncio.run(play())


@pytest.fixture(params=sorted(SERVERS), scope="module")
def kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.fixture(scope="module")
def nodes(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp(kind), replicas=0, program=SERVERS[kind]()) as nodes:
        yield nodes


@pytest.fixture
def url() -> Iterator[str]:
    with redis_server.running() as port:
        yield f"redis://127.0.0.1:{port}"


def test_a_cluster_announces_changes_as_its_servers_can(nodes: Cluster, kind: str) -> None:
    async def look(scene: Scene) -> None:
        channels = "SHARDCHANNELS" if redis_server.is_sharded(SERVERS[kind]()) else "CHANNELS"
        listed = nodes.keeper(key_of(scene.game)).answers("PUBSUB", channels)
        assert channel(GameId(scene.game)).encode() in listed

    _play(nodes.url, look)


def test_a_game_whose_slot_moves_is_watched_where_it_goes(nodes: Cluster) -> None:
    async def move(scene: Scene) -> None:
        keeper = nodes.keeper(key_of(scene.game))
        other = next(server for server in nodes.primaries if server is not keeper)
        await asyncio.to_thread(nodes.move, key_of(scene.game), other)

    _play(nodes.url, move)


def test_a_node_that_leaves_the_cluster_leaves_no_watcher_behind(nodes: Cluster) -> None:
    async def remove(scene: Scene) -> None:
        await asyncio.to_thread(nodes.remove, key_of(scene.game))

    _play(nodes.url, remove)


def test_a_game_is_watched_at_the_replica_that_takes_over(tmp_path: Path, kind: str) -> None:
    with cluster(tmp_path, 1, program=SERVERS[kind]()) as pair:
        (primary,), (replica,) = pair.primaries, pair.replicas

        async def fail_over(_: Scene) -> None:
            await asyncio.to_thread(save_on_replica, primary, replica)
            primary.kill()
            assert replica.answers("CLUSTER", "FAILOVER", "TAKEOVER") == b"+OK\r\n"
            await asyncio.to_thread(wait_until, lambda: role(replica) == b"master", "no failover")

        _play(pair.url, fail_over)


@pytest.mark.parametrize("seconds", [0.0, 2.0])
def test_a_node_that_the_url_does_not_name_is_found_again_after_an_outage_of_all(
    tmp_path: Path, seconds: float
) -> None:
    with cluster(tmp_path, 1) as pair:
        (primary,), (replica,) = pair.primaries, pair.replicas

        async def fail_over(scene: Scene) -> None:
            await asyncio.to_thread(save_on_replica, primary, replica)
            primary.kill()
            replica.kill()
            with pytest.raises(StoreDown):
                await scene.changing.ping()
            await asyncio.sleep(0.5)
            await asyncio.to_thread(replica.start)
            # Until then, the replica's map of slots names its dead primary, and not itself.
            await asyncio.sleep(seconds)
            assert replica.answers("CLUSTER", "FAILOVER", "TAKEOVER") == b"+OK\r\n"

        _play(pair.url, fail_over)


def deaf(url: str) -> None:
    """Let nobody subscribe any more."""
    with Client.from_url(url) as client:
        client.acl_setuser("default", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-subscribe"])


def test_watchers_of_the_process_that_makes_a_change_need_no_redis_to_be_notified(url: str) -> None:
    async def change() -> None:
        async with AsyncExitStack() as stack:
            scene = Scene(url, stack)
            await scene.changing.create(GameId(scene.game), b"1", 600)
            deaf(url)
            scene.changing.watch(GameId(scene.game), scene.watcher)
            await scene.change()
            assert (scene.watcher.notified, scene.watcher.woken) == (scene.revision, 1)
            await scene.changing.drop(GameId(scene.game))
            assert scene.watcher.resync

    asyncio.run(change())


def test_every_process_is_notified_of_a_change_once(url: str) -> None:
    async def change() -> None:
        async with AsyncExitStack() as stack:
            scene, own = Scene(url, stack), Counting()
            await scene.begin()
            scene.changing.watch(GameId(scene.game), own)
            await own.until(lambda: own.resync)
            before = own.woken, scene.watcher.woken
            for _ in range(3):
                await scene.change()
            await scene.watcher.until(lambda: scene.watcher.notified == scene.revision)
            await asyncio.sleep(0.1)
            assert (own.woken, scene.watcher.woken) == (before[0] + 3, before[1] + 3)

    asyncio.run(change())


def test_of_two_pasts_with_as_many_changes_both_are_told(url: str) -> None:
    async def change() -> None:
        async with AsyncExitStack() as stack:
            scene = Scene(url, stack)
            await scene.begin()
            await scene.see_change()
            with Client.from_url(url) as client:  # as after a failover that has lost the change
                assert client.rpop(key_of(scene.game)) == b"2"
            scene.past, scene.version = b"another ", 1
            await scene.see_change()

    asyncio.run(change())
