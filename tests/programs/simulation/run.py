"""A run of one seed: games, streams and failures, then an end in peace, and the judgment."""

import gc
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from service.http.guards import request_id
from service.live.store.redis.store import key_of
from tests.programs.chaos.histories.history import History
from tests.programs.chaos.histories.judge import Logs, count_absent
from tests.programs.chaos.histories.run import Plan, Run, describe_failure, list_games
from tests.programs.simulation.border import BORDER
from tests.programs.simulation.loop import Loop
from tests.programs.simulation.network import Network
from tests.programs.simulation.servers import REPLICAS, Servers
from tests.programs.simulation.services import Service

SKEW = 20.0
"""Seconds at most by which the clock of a process of the service is wrong."""


def plan_seed(seed: int, failovers: int) -> Plan:
    """Return the plan of a seed. Every fourth asks for no replicas, so that changes may be lost.

    In every fourth, too, some games end at once, and processes die in that moment.
    """
    rng = Random(f"{seed} plan")
    return Plan(
        failovers=failovers,
        kills=failovers,
        plays=0,
        replicas=REPLICAS if seed % 4 else 0,
        processes=rng.choice((2, 2, 3)) if seed % 4 else 3,
        chairs=rng.choice((1, 1, 2)),
        pause=rng.choice((0.03, 0.1)),
        quiet=rng.choice((0.05, 0.3)),
        peace=7.0,
        rounds=max(1, failovers // 10),
        stay=rng.choice((6, 60)),
        limited=rng.choice((0.0, 0.5, 1.0)),
        short_games=seed % 4 == 3,
    )


class Result(NamedTuple):
    """The outcome of a seed.

    Shape: `digest` covers every byte and its time. `seconds` are of virtual time. `absent` counts the cards played for
    absent seats. `failovers` are the failovers of a service that asks for `replicas`.
    """

    seed: int
    digest: str
    seconds: float
    replicas: int
    changes: int
    absent: int
    done: dict[str, int]
    faults: list[str]

    @property
    def failovers(self) -> int:
        """How often a replica took over."""
        return sum(times for name, times in self.done.items() if name.startswith("replace"))


def run_seed(seed: int, failovers: int, trace: Path | None = None) -> Result:
    """Play the run that a seed makes of a number of failovers, and judge the outcome."""
    plan = plan_seed(seed, failovers)
    gc.collect()
    gc.disable()  # what the collector ends would end at any time
    chances = {name: Random(f"{seed} {name}") for name in ("border", "loop", "network", "redis", "harm", "run", "id")}
    loop = BORDER.loop = Loop(chances["loop"])
    BORDER.chance = chances["border"]
    request_id._random.seed(seed)
    network, skewed = Network(loop, chances["network"], keeps_trace=trace is not None), Random(f"{seed} skew")
    services = [
        Service(loop, network, number, plan.replicas, skewed.uniform(-SKEW, SKEW)) for number in range(plan.processes)
    ]
    version = chances["redis"].choice((6, 7))
    servers = Servers(loop, network, chances["harm"], services, version)

    def read(history: History) -> Logs:
        return {game: servers.primary.database.find_list(key_of(game).encode()) for game in list_games(history)}

    what = Run(plan, servers, chances["run"], read)
    try:
        faults = loop.run_until_complete(_play(what, servers))
    except Exception as exc:  # noqa: BLE001 – any failure is what is looked for
        faults = [*_list_causes(exc)]
    finally:
        loop.close()
        gc.enable()
    if trace is not None:
        trace.write_bytes(b"".join(network.trace))
    done, absent = dict(sorted(servers.done.items())), count_absent(read(what.history))
    changes = len(what.history.acknowledged)
    return Result(seed, network.digest, loop.time(), plan.replicas, changes, absent, done, [*faults, *loop.failures])


def _list_causes(exc: BaseException) -> Iterator[str]:
    """Yield what has failed, in a group of tasks each."""
    group: tuple[BaseException, ...] = getattr(exc, "exceptions", ())
    for each in group:
        yield from _list_causes(each)
    if not group:
        yield describe_failure(exc)


async def _play(what: Run, servers: Servers) -> list[str]:
    await servers.start()
    return await what.go()
