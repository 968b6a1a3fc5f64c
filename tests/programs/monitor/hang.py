"""Let Redis fall asleep, and replicas as well: no question may fail or hang behind the load balancer of deploy/.

python -m tests.programs.monitor.hang; the exit code is 0 when all is as it should be, 1 when not, 2 where it cannot be
tried.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

from tests.programs.harness import Balancer, Deployed, Load, deployed, run
from tests.support.games.client import Client
from tests.support.games.player import SHORT, Player
from tests.support.games.streams import stream

ASLEEP: Final = 6.0
"""Seconds for which Redis is asleep before the replica is, and the replica before both are woken."""
SLOWEST: Final = 8.0
"""Seconds that a question may take which a replica had when it fell asleep."""
STREAMS: Final = 6
_PATIENCE: Final = 30.0


class Questions(Load):
    """Every question in turn."""

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


async def _drill(folder: Path) -> list[str]:
    with deployed(folder, store_timeout=3) as served:
        questions = Questions(served.balancer.port)
        async with questions.running():
            await asyncio.sleep(3)
            async with _listening(questions.port) as streams:
                questions.say("all is well")
                await _put_to_sleep(served, questions, streams)
        questions.say("all are awake again")
    return questions.failed


async def _put_to_sleep(served: Deployed, questions: Questions, streams: list[asyncio.Task[None]]) -> None:
    """Put Redis to sleep, then a replica, too; then the replica alone, and then both replicas."""
    redis, (replica, other), balancer = served
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
    with replica.paused(), other.paused():
        await asyncio.sleep(ASLEEP)  # the checks of both fail, and none is left out
    await asyncio.sleep(2)
    questions.say("all replicas were asleep")
    # A replica that wakes closes idle connections first, and HAProxy then a kept one of a client, who asks again.
    refused = [each for each in questions.failed if "disconnected" not in each]
    assert not refused, refused
    questions.failed.clear()


async def _sees(balancer: Balancer, expected: str) -> None:
    seen = await asyncio.to_thread(balancer.opens_game)
    assert seen == expected, f"a new game is answered with {seen}, not {expected}"


if __name__ == "__main__":
    sys.exit(run(["haproxy"], _drill))
