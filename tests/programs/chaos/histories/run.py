"""A run: games, streams and failures for a while, then an end in peace, and the check."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

from service.live.entries import AbsentPlayEntry
from service.live.log import Step, steps
from service.live.store.redis.store import key_of
from tests.programs.chaos.histories.chairs import Chair, Lost
from tests.programs.chaos.histories.history import Findings, History, Session, check, find_stuck
from tests.programs.chaos.histories.servers import served
from tests.programs.chaos.histories.streams import Follower
from tests.programs.chaos.histories.topologies import grouped

STREAMS: Final = 2
"""Streams to a game."""
SETTLE: Final = 20.0
"""Seconds in which every stream must have come to where its game is, once there is peace."""


Topology: TypeAlias = Literal["servers", "sentinels", "cluster"]


class Plan(NamedTuple):
    """The plan of a run; `limited` is the share of games in which a limit for moves runs.

    Shape: `topology` is `servers` that nothing watches, `sentinels` or a `cluster` of three primaries; each primary has
    `replicas` of them, which a change waits for, and with 0 one that it does not wait for; `planned` is the share of
    failovers in which the primary hands over.

    Unit: seconds: `pause`, between two turns of a game; `quiet`, between two failures; `stay`, with a stream, at most.
    """

    failovers: int
    kills: int
    plays: int
    replicas: int
    processes: int = 3
    chairs: int = 16
    pause: float = 0.0
    quiet: float = 0.3
    stay: float = 6.0
    limited: float = 0.0
    seed: int = 1
    topology: Topology = "servers"
    planned: float = 0.3


class Outcome(NamedTuple):
    """The findings, and how much happened for them; `absent` counts the cards that were played for absent seats."""

    findings: Findings
    done: dict[str, int]
    games: int
    plays: int
    absent: int
    repeated: int
    connections: int
    shown_anew: int

    def __str__(self) -> str:
        """Write the figures in one paragraph."""
        found = self.findings
        done = ", ".join(f"{name.replace('_', ' ')} {times}" for name, times in sorted(self.done.items()))
        return (
            f"{done}; {self.plays} changes acknowledged in {self.games} games, {self.absent} cards "
            f"played for absent seats, {self.repeated} calls sent again; "
            f"{self.connections} connections of streams, {self.shown_anew} times shown anew; {len(found.lost)} lost, "
            f"{len(found.taken_back)} shown and taken back, {len(found.wrong)} wrong"
        )


class Harmed(Protocol):
    """The servers that are harmed."""

    @property
    def ports(self) -> list[int]:
        """The ports of the service."""
        ...

    async def fail_over(self) -> None:
        """Let the replica of the store take over."""
        ...

    async def kill(self) -> None:
        """Do other harm."""
        ...

    async def heal(self) -> None:
        """Wait until all is well."""
        ...


class Run:
    """Games, streams and failures, and what was told meanwhile."""

    def __init__(self, plan: Plan, servers: Harmed, rng: Random) -> None:
        self.history = History()
        self.chairs: list[Chair] = []
        self.followers: list[Follower] = []
        self._plan = plan
        self._servers = servers
        self._rng = rng
        self._stop = asyncio.Event()
        self._following: list[asyncio.Task[None]] = []

    async def go(self) -> None:
        """Play and harm until enough was done of both, and let all come to rest."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self._plan.chairs):
                group.create_task(self._play())
            await self._harm()
            self._stop.set()
        await self._servers.heal()

    async def end(self, read: Callable[[], dict[str, list[Step]]]) -> Findings:
        """Wait until the streams have told all that is kept, let them go, and check.

        What is kept is read anew each time: where a change was lost, a computer may have its turn once more.
        """
        clock = asyncio.get_running_loop().time
        until, kept = clock() + SETTLE, read()
        while clock() < until and any(find_stuck(self.history, kept)):
            await asyncio.sleep(0.5)
            kept = read()
        for task in self._following:
            task.cancel()
        await asyncio.wait(self._following)
        return check(self.history, kept)

    async def _play(self) -> None:
        plan, rng = self._plan, Random(self._rng.random())
        chair = Chair(self._servers.ports, self.history, rng, plan.pause, plan.limited)
        self.chairs.append(chair)
        while not self._stop.is_set():
            game = await chair.sit_down()
            for seat in range(STREAMS):
                self._follow(chair, game, seat)
            with suppress(Lost):
                await chair.play(self._stop)
        chair.leave()

    def _follow(self, chair: Chair, game: str, seat: int) -> None:
        self.history.sessions.append(Session(game))
        token = chair.token(seat) if seat else ""
        rng = Random(self._rng.random())
        self.followers.append(
            Follower(self._servers.ports, self.history.sessions[-1], chair.path, token, rng, self._plan.stay)
        )
        self._following.append(asyncio.create_task(self.followers[-1].follow()))

    async def _harm(self) -> None:
        """Do all the harm in any order, and wait for the plays that are still to come."""
        plan = self._plan
        harms = [self._servers.fail_over] * plan.failovers + [self._servers.kill] * plan.kills
        self._rng.shuffle(harms)
        for done in count(1):
            await asyncio.sleep(self._rng.uniform(0, 2 * plan.quiet))
            if done <= len(harms):
                await self._servers.heal()
                await asyncio.sleep(self._rng.uniform(0, 2 * plan.quiet))
                await harms[done - 1]()
            elif len(self.history.acknowledged) >= plan.plays:
                return


def run(plan: Plan, folder: Path) -> Outcome:
    """Carry out a plan, and check what came of it."""
    rng = Random(plan.seed)
    with asyncio.Runner() as runner, _serve(plan, folder, rng, runner) as servers:
        what = Run(plan, servers, rng)
        runner.run(what.go())
        read = partial(_read, servers, what.history.sessions)
        findings = runner.run(what.end(read))
        absent = count_absent(read())
    return Outcome(
        findings,
        servers.done,
        len({session.game for session in what.history.sessions}),
        len(what.history.acknowledged),
        absent,
        sum(chair.repeated for chair in what.chairs),
        sum(follower.connections for follower in what.followers),
        sum(session.shown_anew for session in what.history.sessions),
    )


def _serve(plan: Plan, folder: Path, rng: Random, runner: asyncio.Runner) -> AbstractContextManager[Any]:
    if plan.topology == "servers":
        return served(folder, plan.processes, plan.replicas, rng, plan.planned, runner)
    return grouped(folder, plan.topology, plan.processes, plan.replicas, rng, plan.planned)


def count_absent(kept: Mapping[str, list[Step]]) -> int:
    """Count the cards that were played for absent seats."""
    return sum(isinstance(step.entry, AbsentPlayEntry) for kept_steps in kept.values() for step in kept_steps)


def _read(servers: Any, sessions: Sequence[Session]) -> dict[str, list[Step]]:
    """Read the log of every game."""
    with servers.client() as client:
        redis: Any = client  # whose answers the library leaves without types
        return {game: list(steps(redis.lrange(key_of(game), 0, -1))) for game in {session.game for session in sessions}}
