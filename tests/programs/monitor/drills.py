"""Cause one failure after the other, and note when a real Alertmanager notifies whom.

python -m tests.programs.monitor.drills; the exit code is 0 when each failure was one notification, and its end another.
The files of deploy/ are made twice as fast; `--times 1 --only "Redis is down"` takes them as they are. Times are those
of the shipped rules: what was measured, times two.
"""

import argparse
import asyncio
import os
import signal
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final, NamedTuple, TypeAlias

from redis import Redis as Connection

from tests.programs.harness import QUESTIONS, REFUSED, Deployed, Load, deployed, run
from tests.programs.monitor.prometheus import Alertmanager, Notification, Prometheus
from tests.programs.neighbors.rows import Result
from tests.support.games.client import Call, Client
from tests.support.processes import Redis
from tests.support.redis_groups import QUICKLY, has_replica, wait_until

PATIENCE: Final = 1200.0
"""Seconds by the shipped rules after which an alert should have come, or gone."""
CALM: Final = 45.0
"""Seconds by the shipped rules before each failure, and for which it lasts after its notification."""
QUIET: Final = 390.0
"""Seconds by the shipped rules after its end, in which nobody may be told again."""
GAME: Final = {"rules": "trebor", "players": 4, "move_seconds": 5}
KEPT: Final = 12
"""Games that are read again and again."""


class Scene(NamedTuple):
    """The system of a drill: the replica of its Redis, the load of callers, and the watchers."""

    served: Deployed
    copy: Redis
    players: "Players"
    load: Load
    prometheus: Prometheus
    told: list[Notification]


Act: TypeAlias = Callable[[Scene], object]


class Drill(NamedTuple):
    """A failure, its end, and the alert that tells it. Unit: `before` in seconds by the shipped rules."""

    harm: Act
    heal: Act
    alert: str
    before: float = CALM


class Players:
    """A caller who opens games with a time limit, deals, reads them, and counts refusals."""

    def __init__(self, served: Deployed) -> None:
        self.refused = Counter[str]()
        self._client = Client(served.ports)
        self._games: list[str] = []
        self._rng = Random(1)

    async def run(self) -> None:
        """Go on until cancelled."""
        while True:
            await asyncio.sleep(0.6)
            with suppress(OSError, EOFError):
                await self._open()
            for path in self._rng.sample(self._games, min(3, len(self._games))):
                with suppress(OSError, EOFError):
                    await self._ask(Call("GET", path))

    async def _open(self) -> None:
        opened = await self._ask(Call("POST", "/v1/games", GAME))
        if opened is not None:
            path = "/v1/games/" + opened["id"]
            self._games = [*self._games, path][-KEPT:]
            await self._ask(Call("POST", f"{path}/deals", {}, opened["host_token"], f'"{opened["version"]}"'))

    async def _ask(self, call: Call) -> Any:
        answer = await self._client.ask(call)
        if answer.status < 400:
            return answer.json
        self.refused[f"{answer.status} {answer.json['code']}"] += 1
        return None


def _config(name: str, value: str) -> Act:
    def configure(scene: Scene) -> None:
        assert scene.served.redis.answers("CONFIG", "SET", name, value) == b"+OK\r\n"

    return configure


def _lock(scene: Scene) -> None:
    """Change the password of Redis, and start a replica of the service anew, as a rollout does."""
    redis, replica = scene.served.redis, scene.served.replicas[0]
    with Connection(port=redis.port) as client:
        client.config_set("requirepass", "another")
        client.client_kill_filter(_type="normal", skipme=True)
    replica.kill()
    replica.start()


def _unlock(scene: Scene) -> None:
    with Connection(port=scene.served.redis.port, password="another") as client:
        client.config_set("requirepass", "")


def _signal(number: signal.Signals) -> Act:
    def send(scene: Scene) -> None:
        for replica in scene.served.replicas:
            os.kill(replica.pid, number)

    return send


def _kill(scene: Scene) -> None:
    scene.served.redis.kill()


def _start(scene: Scene) -> None:
    scene.served.redis.start()


def _kill_copy(scene: Scene) -> None:
    scene.copy.kill()


def _start_copy(scene: Scene) -> None:
    scene.copy.start()


def _hang(number: signal.Signals) -> Act:
    return lambda scene: os.kill(scene.served.redis.pid, number)


def _lose(scene: Scene) -> None:
    """Kill a replica of the service, and let discovery forget it."""
    scene.served.replicas[0].kill()
    scene.prometheus.discover(scene.served.ports[1:])


def _find(scene: Scene) -> None:
    scene.served.replicas[0].start()
    scene.prometheus.discover(scene.served.ports)


def _block_log(scene: Scene) -> None:
    """Put a file in the place of the log of Redis, and have the log written anew."""
    (log,) = scene.served.redis.log.parent.rglob("appendonlydir")
    log.rename(log.with_name("kept"))
    log.touch()
    scene.served.redis.answers("BGREWRITEAOF")


def _free_log(scene: Scene) -> None:
    (kept,) = scene.served.redis.log.parent.rglob("kept")
    log = kept.with_name("appendonlydir")
    log.unlink()
    kept.rename(log)
    scene.served.redis.answers("BGREWRITEAOF")


def _flush(scene: Scene) -> None:
    assert scene.served.redis.answers("FLUSHALL") == b"+OK\r\n"


def _go_on(_: Scene) -> None:
    """Do nothing: what is lost stays lost."""


DRILLS: Final = {
    "Redis is down": Drill(_kill, _start, "StoreDown"),
    "Redis hangs": Drill(_hang(signal.SIGSTOP), _hang(signal.SIGCONT), "StoreDown"),
    "wrong secret": Drill(_lock, _unlock, "StoreDown"),
    "replica missing": Drill(_kill_copy, _start_copy, "StoreDown"),
    "stuck clock": Drill(_config("min-replicas-to-write", "3"), _config("min-replicas-to-write", "0"), "StoreDown"),
    "full store": Drill(_config("maxmemory", "1"), _config("maxmemory", "0"), "StoreFull"),
    "log not rewritten": Drill(_block_log, _free_log, "StoreUnsafe"),
    "games lost": Drill(_flush, _go_on, "GamesLost"),
    "all replicas late": Drill(_signal(signal.SIGSTOP), _signal(signal.SIGCONT), "Down"),
    "replica gone": Drill(_lose, _find, "InstanceDown", before=300.0),
}


async def _until(sign: Callable[[], bool], seconds: float) -> bool:
    """Wait for a sign, and return if it came in so many seconds."""
    end = monotonic() + seconds
    while not sign():
        if monotonic() > end:
            return False
        await asyncio.sleep(0.2)
    return True


@asynccontextmanager
async def watched(folder: Path, times: float) -> AsyncGenerator[Scene]:
    """Run the system with players and callers, and who watches it a number of times faster, until the end."""
    with deployed(folder, "--appendonly", "yes", store_replicas=1, commit="test") as served:
        following = ("--replicaof", "127.0.0.1", str(served.redis.port))
        at = (served.ports, served.balancer.metrics_port, times)
        with (
            Redis(folder / "copy", *QUICKLY, *following) as copy,
            Alertmanager(folder / "alertmanager", times) as pager,
            Prometheus(folder / "prometheus", *at, pager.port) as prometheus,
        ):
            await asyncio.to_thread(wait_until, lambda: has_replica(served.redis), "no replica")
            players, load = Players(served), Load(served.balancer.port, (*QUESTIONS, REFUSED))
            playing = asyncio.create_task(players.run())
            try:
                async with load.running(1):
                    yield Scene(served, copy, players, load, prometheus, pager.told)
            finally:
                playing.cancel()


async def carry_out(name: str, times: float, scene: Scene) -> Result:
    """Harm, wait for the notification, heal, wait for its end and a while longer; return the notifications."""
    drill, told = DRILLS[name], scene.told
    await asyncio.sleep(drill.before / times)
    early = list(told)
    scene.players.refused.clear()
    harmed = monotonic()
    await asyncio.to_thread(drill.harm, scene)
    came = await _until(lambda: any(each.alert == drill.alert for each in told), PATIENCE / times)
    await asyncio.sleep(CALM / times)
    refused, failed = dict(scene.players.refused.most_common(2)), len(scene.load.failed)
    healed = monotonic()
    await asyncio.to_thread(drill.heal, scene)
    went = await _until(lambda: bool(told) and told[-1].status == "resolved", PATIENCE / times)
    await asyncio.sleep(QUIET / times)
    lines = [
        f"{each.receiver}: {each.alert} {each.status} {(each.at - since) * times:+.0f} s"
        for each in told
        for since in [harmed if each.status == "firing" else healed]
    ]
    found = (("early", early), ("missing", not came), ("stays", not went), ("told twice", len(told) > 2))
    counted = f"{name}: {refused}, {failed} of {scene.load.answered + failed} questions; {', '.join(lines)}"
    return Result(counted, [f"{name}: {fault}" for fault, is_so in found if is_so])


async def _drill(name: str, times: float, folder: Path) -> list[str]:
    async with watched(folder, times) as scene:
        result = await carry_out(name, times, scene)
    print(result.counted, flush=True)
    return [*result.failed]


def main() -> int:
    """Run the drills, and print the notifications of each."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.monitor.drills", description=__doc__)
    parser.add_argument("--times", type=float, default=2.0, help="how much faster than shipped (2)")
    parser.add_argument("--only", choices=DRILLS, action="append", help="only this one; may be given again")
    chosen = parser.parse_args()
    return max(run(partial(_drill, name, chosen.times)) for name in chosen.only or DRILLS)


if __name__ == "__main__":
    sys.exit(main())
