"""Let one thing after the other fail, and write down what a real Prometheus says of it, and when.

python -m tests.programs.monitor.drills; the exit code is 0 when each failure raised its alerts and each of them ended.
The rules of deploy/ are made twice as fast, and so is Prometheus; `--times 1 --only "Redis is down"` takes them as they
are. Times in the table are those of the shipped rules: what was measured, times two.
"""

import argparse
import asyncio
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final, NamedTuple, TypeAlias

from redis import Redis as Connection

from tests.programs.harness import Deployed, Load, deployed, run
from tests.programs.monitor.prometheus import Prometheus
from tests.support.games.client import Call, Client
from tests.support.processes import Redis
from tests.support.redis_groups import QUICKLY, has_replica, wait_until

PATIENCE: Final = 1200.0
"""Seconds by the shipped rules after which an alert should have come, or gone."""
CALM: Final = 45.0
"""Seconds by the shipped rules before each failure, and for which it lasts after its alerts have come."""
GAME: Final = {"rules": "trebor", "players": 4, "move_seconds": 5}
KEPT: Final = 12
"""Games that are looked at again and again."""


class Scene(NamedTuple):
    """The system of a drill, the replica of its Redis, and what callers are asking meanwhile."""

    served: Deployed
    copy: Redis
    players: "Players"


Act: TypeAlias = Callable[[Scene], object]


class Drill(NamedTuple):
    """A failure, its end, and the alerts that it has to raise."""

    harm: Act
    heal: Act
    alerts: frozenset[str]


class Players:
    """Somebody who opens games with a limit for moves, deals, and looks at them; and counts what is refused."""

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


def _flush(scene: Scene) -> None:
    assert scene.served.redis.answers("FLUSHALL") == b"+OK\r\n"


def _go_on(_: Scene) -> None:
    """Do nothing: what is lost stays lost."""


DRILLS: Final = {
    "Redis is down": Drill(_kill, _start, frozenset({"StoreDown"})),
    "wrong secret": Drill(_lock, _unlock, frozenset({"StoreDown"})),
    "full store": Drill(_config("maxmemory", "1"), _config("maxmemory", "0"), frozenset({"StoreFull"})),
    "replica missing": Drill(_kill_copy, _start_copy, frozenset({"StoreReplicaMissing", "StoreDown"})),
    "games lost": Drill(_flush, _go_on, frozenset({"GamesLost"})),
    "all replicas late": Drill(_signal(signal.SIGSTOP), _signal(signal.SIGCONT), frozenset({"Down", "InstanceDown"})),
    "stuck clock": Drill(
        _config("min-replicas-to-write", "3"), _config("min-replicas-to-write", "0"), frozenset({"MovesOverdue"})
    ),
}


class Watch:
    """The alerts that fire, each with when it came and when it went."""

    def __init__(self, prometheus: Prometheus) -> None:
        self.came: dict[str, float] = {}
        self.went: dict[str, float] = {}
        self._prometheus = prometheus

    async def look(self) -> set[str]:
        """Look once, and return what fires."""
        firing = {name.removeprefix("Catchten") for name, _ in await asyncio.to_thread(self._prometheus.firing)}
        now = monotonic()
        for name in firing:
            self.came.setdefault(name, now)
            self.went.pop(name, None)
        for name in self.came.keys() - firing:
            self.went.setdefault(name, now)
        return firing

    async def until(self, enough: Callable[[set[str]], bool], seconds: float) -> bool:
        """Look until it is enough, or for so long, and return if it was."""
        end = monotonic() + seconds
        while not enough(await self.look()):
            if monotonic() > end:
                return False
            await asyncio.sleep(0.2)
        return True


async def _drill(name: str, times: float, folder: Path) -> list[str]:
    drill = DRILLS[name]
    with deployed(folder, "--appendonly", "yes", store_replicas=1) as served:
        following = ("--replicaof", "127.0.0.1", str(served.redis.port))
        with (
            Redis(folder / "copy", *QUICKLY, *following) as copy,
            Prometheus(folder / "prometheus", served.ports, served.balancer.metrics_port, times) as prometheus,
        ):
            await asyncio.to_thread(wait_until, lambda: has_replica(served.redis), "no replica")
            players, load = Players(served), Load(served.balancer.port)
            playing = asyncio.create_task(players.run())
            try:
                async with load.running(1):
                    return await _carry_out(name, drill, times, Scene(served, copy, players), prometheus, load)
            finally:
                playing.cancel()


async def _carry_out(
    name: str, drill: Drill, times: float, scene: Scene, prometheus: Prometheus, load: Load
) -> list[str]:
    """Harm, wait for the alerts, heal, wait until they end, and print a row of the table."""
    watch = Watch(prometheus)
    await asyncio.sleep(CALM / times)
    early = await watch.look()
    scene.players.refused.clear()
    harmed = monotonic()
    await asyncio.to_thread(drill.harm, scene)
    came = await watch.until(lambda _: drill.alerts <= watch.came.keys(), PATIENCE / times)
    await watch.until(lambda _: False, CALM / times)
    refused, failed = dict(scene.players.refused.most_common(2)), len(load.failed)
    healed = monotonic()
    await asyncio.to_thread(drill.heal, scene)
    went = await watch.until(lambda firing: not firing & drill.alerts, PATIENCE / times)
    rows = [
        f"{alert} +{(at - harmed) * times:.0f} s, ended {(watch.went.get(alert, monotonic()) - healed) * times:+.0f} s"
        for alert, at in sorted(watch.came.items(), key=lambda each: each[1])
    ]
    print(f"| {name} | {refused}, {failed} of {load.answered + failed} questions | {'; '.join(rows)} |", flush=True)
    return [
        f"{name}: {fault}" for fault, is_so in (("early", early), ("missing", not came), ("stays", not went)) if is_so
    ]


def main() -> int:
    """Carry out the drills, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.monitor.drills", description=__doc__)
    parser.add_argument("--times", type=float, default=2.0, help="how much faster than shipped (2)")
    parser.add_argument("--only", choices=DRILLS, action="append", help="only this one; may be given again")
    chosen = parser.parse_args()
    names = chosen.only or list(DRILLS)
    return max(run(("prometheus", "haproxy"), partial(_drill, name, chosen.times)) for name in names)


if __name__ == "__main__":
    sys.exit(main())
