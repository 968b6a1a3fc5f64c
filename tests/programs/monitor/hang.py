"""Let Redis fall asleep, and a replica as well: no question may fail or hang behind the load balancer of deploy/.

python -m tests.programs.monitor.hang; the exit code is 0 when all is as it should be, 1 when not, 2 where it cannot be
tried.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

import httpx
import msgspec
from msgspec import Struct, field

from tests.programs.binaries import NoProgram, find_or_get
from tests.programs.monitor.balancer import Balancer
from tests.support.games.client import Client
from tests.support.games.player import SHORT, Player
from tests.support.games.streams import stream
from tests.support.http.samples import EVERY, PATHS
from tests.support.processes import Redis, Service

CALLERS: Final = 8
PAUSE: Final = 0.02
"""Seconds between two questions of a caller."""
ASLEEP: Final = 6.0
"""Seconds for which Redis is asleep before the replica is, and the replica before both are woken."""
SLOWEST: Final = 8.0
"""Seconds that a question may take which a replica had when it fell asleep."""
HEAVY: Final = (PATHS["batches"], PATHS["adjudications"])
"""Questions that may take long, for which the load balancer waits longer."""
STREAMS: Final = 6
_PATIENCE: Final = 30.0
_JSON: Final = {"content-type": "application/json"}


class Questions(Struct):
    """Callers who ask every question in turn, and what they saw. Unit: `slowest` in seconds."""

    url: str
    answered: int = 0
    slowest: float = 0.0
    failed: list[str] = field(default_factory=list[str])
    stop: bool = False

    async def run(self) -> None:
        """Ask until told to stop, half of the callers over a connection that they keep."""
        async with asyncio.TaskGroup() as group:
            for at in range(CALLERS):
                group.create_task(self._ask_on(httpx.Limits(max_keepalive_connections=at % 2)))

    async def _ask_on(self, limits: httpx.Limits) -> None:
        async with httpx.AsyncClient(base_url=self.url, limits=limits, timeout=_PATIENCE, headers=_JSON) as client:
            while not self.stop:
                for kind, body in EVERY.items():
                    await self._ask(client, PATHS[kind], msgspec.json.encode(body))
                    await asyncio.sleep(PAUSE)

    async def _ask(self, client: httpx.AsyncClient, path: str, body: bytes) -> None:
        began = monotonic()
        try:
            answer = await client.post(path, content=body)
        except httpx.HTTPError as exc:
            self.failed.append(f"{path}: {exc!r}")
            return
        if path not in HEAVY:
            self.slowest = max(self.slowest, monotonic() - began)
        if answer.status_code < 300:
            self.answered += 1
        else:
            self.failed.append(f"{path}: {answer.status_code} {answer.text[:200]}")

    def say(self, when: str) -> None:
        """Print what was seen since this was last said."""
        print(f"{when}: {self.answered} answered, {len(self.failed)} failed, slowest {self.slowest:.2f} s", flush=True)
        if self.slowest > SLOWEST:
            self.failed.append(f"a question took {self.slowest:.0f} seconds")
        self.answered, self.slowest = 0, 0.0


@asynccontextmanager
async def _listening(port: int) -> AsyncGenerator[list[asyncio.Task[None]], None]:
    """Open some event streams of a game through the load balancer; each task ends with its stream."""
    with Client([port]) as client:
        player = Player(client, SHORT, Random(port))
        await player.open()
        tasks = [asyncio.create_task(_listen(port, player.path)) for _ in range(STREAMS)]
        await asyncio.sleep(1)
        try:
            yield tasks
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _listen(port: int, path: str) -> None:
    with suppress(EOFError, ConnectionError):
        async with stream(port, path) as opened:
            while True:
                await opened.next()


async def _drill(balancer: Balancer, redis: Redis, replica: Service) -> list[str]:
    questions = Questions(f"http://127.0.0.1:{balancer.port}")
    asking = asyncio.create_task(questions.run())
    await asyncio.sleep(3)
    async with _listening(balancer.port) as streams:
        questions.say("all is well")
        await _put_to_sleep(balancer, redis, replica, questions, streams)
    questions.stop = True
    await asking
    questions.say("all are awake again")
    return questions.failed


async def _put_to_sleep(
    balancer: Balancer, redis: Redis, replica: Service, questions: Questions, streams: list[asyncio.Task[None]]
) -> None:
    """Put Redis to sleep, then a replica, too; then the replica alone."""
    with redis.paused():
        await asyncio.sleep(ASLEEP)
        questions.say("Redis is asleep")
        assert not any(task.done() for task in streams), "streams were ended for the sake of Redis"
        await _sees(balancer, "store_down")
        with replica.paused():
            await asyncio.sleep(1.5 * ASLEEP)
            questions.say("a replica is asleep, too")
            ended = sum(task.done() for task in streams)
            print(f"{ended} of {STREAMS} streams were ended", flush=True)
            assert 0 < ended < STREAMS, "those of the replica that is asleep, and no others"
            await _sees(balancer, "store_down")
    until = monotonic() + _PATIENCE
    while await asyncio.to_thread(balancer.opens_game) != "201":
        assert monotonic() < until, "no game is opened though Redis is awake"
        await asyncio.sleep(0.2)
    with replica.paused():
        await asyncio.sleep(2 * ASLEEP)
        questions.say("only a replica is asleep")
        await _sees(balancer, "201")
    await asyncio.sleep(3)


async def _sees(balancer: Balancer, expected: str) -> None:
    seen = await asyncio.to_thread(balancer.opens_game)
    assert seen == expected, f"a new game is answered with {seen}, not {expected}"


def main() -> int:
    """Run it, and return the exit code."""
    try:
        find_or_get("haproxy")
    except NoProgram as exc:
        print(exc, file=sys.stderr)
        return 2
    with TemporaryDirectory(prefix="hang-") as name, ExitStack() as stack:
        folder = Path(name)
        redis = stack.enter_context(Redis(folder / "redis"))
        replicas = [
            stack.enter_context(Service(folder / f"{at}.log", redis_url=redis.url, store_timeout=3)) for at in (1, 2)
        ]
        balancer = stack.enter_context(Balancer(folder / "haproxy", [replica.port for replica in replicas]))
        try:
            failed = asyncio.run(_drill(balancer, redis, replicas[0]))
        except AssertionError as exc:
            failed = [str(exc)]
    for fault in failed[:20]:
        print(fault)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
