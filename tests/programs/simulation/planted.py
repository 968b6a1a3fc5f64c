"""Stores with a bug each, as somebody could write it; none of them is in the service, and a seed finds each of them."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from itertools import chain
from typing import Any, Final

from service.live.store.protocol import Loaded, Store, StoreDown
from service.live.store.redis.pipeline import Answer, Command, Pipeline
from service.live.store.redis.pubsub import channel
from service.live.store.redis.scripts import APPEND, Script
from service.live.store.redis.store import RedisStore, key_of
from service.live.store.redis.topology import Argument, Node, pack
from service.live.store.redis.url import connect
from service.platform.settings import Settings
from service.schemas.ids import NOBODY, Caller, GameId

UNCHECKED: Final = Script("\n".join(line for line in APPEND.text.splitlines() if "return 0" not in line))


class AcknowledgesTooSoon(RedisStore):
    """Waits for replicas before it writes, not after."""

    def _pipeline(self, node: Node, *, replicated: bool) -> Pipeline:
        pipeline = super()._pipeline(node, replicated=replicated)
        pipeline.__class__ = _WaitsFirst
        return pipeline


class _WaitsFirst(Pipeline):
    async def _exchange(self, commands: list[Command]) -> list[Answer]:
        connection = await self._node.acquire()
        try:
            written = [command.write() for command in commands]
            await connection.send_packed_command([b"".join(map(pack, chain(self._wait, *written)))], check_health=False)
            for _ in self._wait:
                await connection.read_response()
            answers = [
                command.select([await _read(connection) for _ in parts])
                for command, parts in zip(commands, written, strict=True)
            ]
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        self._node.release(connection)
        return answers


class ShowsTooSoon(RedisStore):
    """Shows what no replica has."""

    async def load(self, game: GameId, start: int = 0, last_entry: bytes = b"", stop: int | None = None) -> Loaded:
        last = -1 if stop is None else stop - 1
        entries: Any = await self._execute(game, Command(("LRANGE", key_of(game), start, last)))
        return Loaded(entries)


class ReadsStale(RedisStore):
    """Answers for a second with what it has read, also after a newer write or after another server has taken over."""

    async def load(self, game: GameId, start: int = 0, last_entry: bytes = b"", stop: int | None = None) -> Loaded:
        now, cache = asyncio.get_running_loop().time(), self.__dict__.setdefault("cache", {})
        known: tuple[float, Loaded] | None = cache.get((game, start, stop))
        if known is None or known[0] < now - 1:
            known = (now, await super().load(game, start, last_entry, stop))
            if known[1].entries:
                cache[game, start, stop] = known
        return known[1]


class AppendsAgain(RedisStore):
    """Appends once more by itself when it has heard nothing, though the entry may be there."""

    async def append(
        self, game: GameId, version: int, entry: bytes, ttl: int, after: bytes, owner: Caller = NOBODY
    ) -> bool:
        try:
            return await super().append(game, version, entry, ttl, after, owner)
        except StoreDown:
            return await self._run(UNCHECKED, game, version, after, entry, ttl, "PUBLISH", channel(game), b"") == 1


class AppendsInTwoSteps(RedisStore):
    """Looks whether the log is as the caller saw it, and then appends."""

    async def append(
        self, game: GameId, version: int, entry: bytes, ttl: int, after: bytes, owner: Caller = NOBODY
    ) -> bool:
        if (await self.load(game, version - 1)).entries != [after]:
            return False
        return await super().append(game, version, entry, ttl, after, owner)

    def _run(
        self, script: Script, game: str, *arguments: Argument, deadline: float | None = None
    ) -> Coroutine[object, object, Answer]:
        return super()._run(UNCHECKED if script is APPEND else script, game, *arguments, deadline=deadline)


class LosesWakeups(RedisStore):
    """Does not look again after a connection was lost on which messages may have come."""

    def on_gap(self, game: GameId) -> None:
        pass


async def _read(connection: Any) -> Answer:
    try:
        answer: Answer = await connection.read_response()
    except Exception as exc:  # noqa: BLE001 – an answer, too
        return exc
    return answer


PLANTED: Final[Sequence[type[RedisStore]]] = (
    AcknowledgesTooSoon,
    ShowsTooSoon,
    ReadsStale,
    AppendsAgain,
    AppendsInTwoSteps,
    LosesWakeups,
)


def plant(kind: type[RedisStore]) -> Callable[[Settings], Store]:
    """Return how to make a store of a kind from settings."""

    def make(settings: Settings) -> Store:
        assert settings.redis_url is not None
        return kind(
            connect(settings.redis_url, settings.store_timeout), settings.store_timeout, settings.store_replicas
        )

    return make
