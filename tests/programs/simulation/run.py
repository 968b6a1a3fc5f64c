"""A run of one seed: games, streams and failures, then an end in peace, and the check of the histories."""

import gc
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from service.http.middleware import request_id
from service.live.log import Step, steps
from service.live.store.protocol import Store
from service.live.store.redis.store import key_of
from service.platform.settings import Settings
from tests.programs.chaos.histories.run import Plan, Run, count_absent
from tests.programs.simulation.border import BORDER
from tests.programs.simulation.loop import Loop
from tests.programs.simulation.network import Network
from tests.programs.simulation.redis.server import Server
from tests.programs.simulation.servers import Servers
from tests.programs.simulation.services import Service


def plan_seed(seed: int, failovers: int) -> Plan:
    """Return the plan of a seed.

    Every fourth asks for no replicas, so that changes may be lost; in every fifth, seats have a limit for their moves.
    """
    rng = Random(f"{seed} plan")
    plan = Plan(
        failovers=failovers,
        kills=failovers // 4,
        plays=0,
        replicas=int(seed % 4 > 0),
        processes=rng.choice((2, 2, 3)),
        chairs=rng.choice((1, 1, 1, 1, 1, 1, 1, 2)),
        pause=rng.choice((0.0, 0.03, 0.03, 0.03, 0.05, 0.05)),
        quiet=rng.choice((0.02, 0.05)),
        stay=rng.choice((6, 60)),
    )
    return plan._replace(limited=1.0, chairs=8, quiet=0.2) if seed % 5 == 0 else plan


class Result(NamedTuple):
    """The outcome of a seed.

    Shape: `digest` depends on every byte that was sent, and when; `seconds` passed in the virtual time; `absent` counts
    the cards that were played for absent seats.
    """

    seed: int
    digest: str
    seconds: float
    changes: int
    absent: int
    done: dict[str, int]
    faults: list[str]


def run_seed(seed: int, failovers: int, make_store: Callable[[Settings], Store], trace: Path | None) -> Result:
    """Play the run that a seed makes of a number of failovers, and check the outcome."""
    plan = plan_seed(seed, failovers)
    gc.collect()
    gc.disable()  # what the collector ends would end at any time
    chances = {name: Random(f"{seed} {name}") for name in ("border", "loop", "network", "redis", "harm", "run", "id")}
    loop = BORDER.loop = Loop(chances["loop"])
    BORDER.chance = chances["border"]
    request_id._random.seed(seed)
    network = Network(loop, chances["network"])
    services = [Service(loop, network, number, plan.replicas, make_store) for number in range(plan.processes)]
    version = chances["redis"].choice((6, 7))
    servers = Servers(loop, network, chances["harm"], services, version)
    what = Run(plan, servers, chances["run"])
    try:
        faults = loop.run_until_complete(_play(what, servers, plan.replicas))
    except Exception as exc:  # noqa: BLE001 – any failure is what is looked for
        faults = [*_list_causes(exc)]
    finally:
        loop.close()
        gc.enable()
    if trace is not None:
        trace.write_bytes(b"\n".join(network.trace))
    done = dict(sorted(servers.done.items()))
    absent = count_absent(_read(servers.primary, what))
    changes = len(what.history.acknowledged)
    return Result(seed, network.digest, loop.time(), changes, absent, done, faults + loop.failures)


def _list_causes(exc: BaseException) -> Iterator[str]:
    """Yield what has failed, in a group of tasks each."""
    group: tuple[BaseException, ...] = getattr(exc, "exceptions", ())
    for each in group:
        yield from _list_causes(each)
    if not group:
        where = traceback.extract_tb(exc.__traceback__)[-1]
        yield f"{type(exc).__name__}: {exc} ({Path(where.filename).name}:{where.lineno})"


async def _play(what: Run, servers: Servers, replicas: int) -> list[str]:
    await servers.start()
    await what.go()
    found = await what.end(lambda: _read(servers.primary, what))
    return [*map(str, found.lost), *map(str, found.taken_back), *found.wrong] if replicas else found.wrong


def _read(server: Server, what: Run) -> dict[str, list[Step]]:
    """Read the log of every game."""
    games = {session.game: key_of(session.game).encode() for session in what.history.sessions}
    return {game: list(steps(server.database.find_list(key))) for game, key in games.items()}
