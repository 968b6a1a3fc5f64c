"""The script of a play alone, on the service's own core.

python -m tests.programs.bench.bare_calls URL SECONDS HOW FILE.

HOW is `together`, all calls of a moment in one pipeline without a transaction, as the service sends them, or `alone`,
each call by itself on a connection of the client's pool. FILE holds plays as for live.lua. Prints a sample as wrk does.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec
import uvloop
from redis.asyncio import BlockingConnectionPool, Redis

from service.live.store.protocol import GONE_SECONDS
from service.live.store.redis.pubsub import channel
from service.live.store.redis.scripts import APPEND
from service.live.store.redis.store import key_of
from service.schemas.ids import GameId
from tests.programs.bench.load import Sample

CALLERS: Final = 16
"""Calls under way at once, as many as wrk has connections."""
_ENTRY: Final = b"bench.milli.\x03\x93\xa1p\x01\x02"
"""As long as the entry of a play."""


async def _calls(redis: Any, plays: list[str]) -> list[tuple[Any, ...]]:
    lasts: dict[str, bytes] = {}
    calls: list[tuple[Any, ...]] = []
    for line in plays:
        game, _, revision, _ = line.split()
        version = revision.partition("-")[0]
        last = lasts.get(game) or await redis.lindex(key_of(game), -1)
        announcement = ("PUBLISH", channel(GameId(game)), revision)
        calls.append((APPEND.hash, 1, key_of(game), version, last, _ENTRY, 3600, GONE_SECONDS, *announcement))
        lasts[game] = _ENTRY
    return calls


async def _alone(redis: Any, calls: Iterator[Any], end: float) -> AsyncIterator[tuple[float, list[Any]]]:
    while (began := time.perf_counter()) < end:
        yield began, [await redis.evalsha(*next(calls))]


async def _together(redis: Any, calls: Iterator[Any], end: float) -> AsyncIterator[tuple[float, list[Any]]]:
    while (began := time.perf_counter()) < end:
        pipeline = redis.pipeline(transaction=False)
        for call in islice(calls, CALLERS):
            pipeline.evalsha(*call)
        yield began, await pipeline.execute()


async def measure(url: str, seconds: float, how: str, plays: list[str]) -> Sample:
    """Call the script for so long, with a play each time.

    Errors: RuntimeError if a call does not append its play.
    """
    pool = BlockingConnectionPool.from_url(url, max_connections=CALLERS, protocol=2)
    times = list[float]()
    async with Redis(connection_pool=pool) as redis:
        calls = iter(await _calls(redis, plays))
        await redis.script_load(APPEND.text)
        began = time.perf_counter()
        way, callers = (_together, 1) if how == "together" else (_alone, CALLERS)

        async def call() -> None:
            async for asked, answers in way(redis, calls, began + seconds):
                if set(answers) != {1}:
                    raise RuntimeError(f"{how}: {answers}")
                times.extend([time.perf_counter() - asked] * len(answers))

        await asyncio.gather(*(call() for _ in range(callers)))
        took = time.perf_counter() - began
    await pool.disconnect()
    times.sort()
    p50, p99 = (1e6 * times[len(times) * part // 100] for part in (50, 99))
    return Sample(len(times), took, p50, p99, 0, 0)


if __name__ == "__main__":
    _url, _seconds, _how, _plays = sys.argv[1:]
    _lines = Path(_plays).read_text().splitlines()
    print(msgspec.json.encode(uvloop.run(measure(_url, float(_seconds), _how, _lines))).decode())
