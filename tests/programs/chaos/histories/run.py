"""A run: games, streams and failures for a while, then an end in peace, and the judgment."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from service.live.store.redis.store import key_of
from tests.programs.chaos.histories.chairs import Chair, Lost
from tests.programs.chaos.histories.feeds import Reader, wait_for_games
from tests.programs.chaos.histories.harmed import Harmed
from tests.programs.chaos.histories.history import History, Session
from tests.programs.chaos.histories.judge import (
    Logs,
    count_absent,
    find_finished,
    find_wrong_games,
    is_unnamed,
    judge,
    name,
)
from tests.programs.chaos.histories.servers import Deployment, served
from tests.programs.chaos.histories.short_games import EXPIRY, ShortGames
from tests.programs.chaos.histories.streams import Follower
from tests.programs.chaos.histories.topologies import grouped
from tests.support.games.client import Call, Client

STREAMS: Final = 2
"""Streams to a game."""
SOON: Final = 0.5
"""Seconds within which a stream shows a change, without failures."""
LEASE: Final = 15.0
"""Seconds after which a seat is absent whose stream ended without a word."""
SWEPT: Final = 75.0
"""Seconds in which the sweep finds a game that is over: twice its interval, and some."""
READER_STRIKES: Final = 0.02
"""Share of the requests for the feed during which the process that is asked is killed."""
LOOKED_AT: Final = 6
"""Games, the last ones, whose presence is looked at."""


Topology: TypeAlias = Literal["servers", "sentinels", "cluster"]


class Plan(NamedTuple):
    """The plan of a run; `limited` is the share of games in which a limit for moves runs.

    Shape: in the other games a player stays away from a turn for minutes with the chance `away`. `topology` is
    `servers` without a watcher, `sentinels`, or a `cluster` of three primaries. A change waits for the `replicas` of
    each primary; with 0 there is one replica, and no change waits. `planned` is the share of handovers among the
    failovers. With `has_feed`, every process has the feed of finished games. `short_games` callers end one game after
    the other. The feed has to show `finished` games.

    Unit: seconds: `pause`, between two turns of a game; `quiet`, between two failures of a kind; `peace`, without a
    failure after each round of them; `stay`, with a stream, at most.
    """

    failovers: int
    kills: int
    plays: int
    replicas: int
    processes: int = 3
    chairs: int = 16
    pause: float = 0.0
    quiet: float = 0.3
    peace: float = 0.0
    rounds: int = 1
    stay: float = 6.0
    limited: float = 0.0
    seed: int = 1
    topology: Topology = "servers"
    planned: float = 0.3
    away: float = 0.01
    has_feed: bool = True
    short_games: int = 0
    finished: int = 0

    @property
    def is_lossless(self) -> bool:
        """Return True if nothing may be lost: changes wait for replicas, or every failover is planned."""
        return self.replicas > 0 or not self.failovers or (self.planned == 1 and not self.kills)


Serve: TypeAlias = Callable[[Plan, Path, Random, asyncio.Runner], AbstractContextManager[Deployment]]
"""Starts the servers of a plan in a folder, until the end."""


class Outcome(NamedTuple):
    """The findings, and how much happened for them; `absent` counts the cards that were played for absent seats."""

    findings: list[str]
    done: dict[str, int]
    games: int
    plays: int
    absent: int
    repeated: int
    connections: int
    shown_anew: int
    finished: int

    def __str__(self) -> str:
        """Write the figures in one paragraph."""
        done = ", ".join(f"{name.replace('_', ' ')} {times}" for name, times in sorted(self.done.items()))
        return (
            f"{done}; {self.plays} changes acknowledged in {self.games} games, {self.absent} cards "
            f"played for absent seats, {self.repeated} calls sent again; {self.finished} finished games in the feed; "
            f"{self.connections} connections of streams, {self.shown_anew} times shown anew; {len(self.findings)} wrong"
        )


class Run:
    """Games, streams and failures, with their history.

    Shape: `read` returns the log of every game.
    """

    def __init__(self, plan: Plan, servers: Harmed, rng: Random, read: Callable[[History], Logs]) -> None:
        self.history = History(lossless=plan.is_lossless)
        self.chairs: list[Chair] = []
        self.followers: list[Follower] = []
        self._plan = plan
        self._servers = servers
        self._rng = rng
        self._read = partial(read, self.history)
        self._stop = asyncio.Event()
        self._following: list[asyncio.Task[None]] = []

    async def go(self) -> list[str]:
        """Play and harm until enough was done of both, let all come to rest, and judge."""
        strikes = READER_STRIKES if self._plan.short_games else 0.0
        feed = Reader(self._servers, self.history, Random(self._rng.random()), strikes)
        readers = [feed] if self._plan.has_feed else []
        following = [asyncio.create_task(reader.follow(self._stop)) for reader in readers]
        async with asyncio.TaskGroup() as group:
            for _ in range(self._plan.chairs):
                group.create_task(self._play())
            for _ in range(self._plan.short_games):
                rng = Random(self._rng.random())
                group.create_task(ShortGames(self._servers, self.history, rng, self._plan.quiet).play(self._stop))
            await self._harm()
            self._stop.set()
        await self._rest()
        for reader in readers:
            await self._check_feed(reader)
        await self._check_presence(self._list_sitting)
        for task in (*following, *self._following):
            task.cancel()
        await asyncio.wait(self._following)
        await self._check_presence(lambda _: [])
        return judge(self.history, self._read())

    async def _play(self) -> None:
        plan, rng = self._plan, Random(self._rng.random())
        chair = Chair(self._servers, self.history, rng, pause=plan.pause, limited=plan.limited, away=plan.away)
        self.chairs.append(chair)
        following: str | None = None
        while not self._stop.is_set():
            game, following = following or await chair.sit_down(), None
            for seat in range(STREAMS):
                self._follow(chair, game, seat)
            try:
                following = await chair.play(self._stop)
            except Lost:
                if self.history.lossless:
                    self.history.wrong.append(f"lost: {game}")
            except (AssertionError, LookupError, ValueError) as exc:  # of an answer that should not be
                self.history.wrong.append(describe_failure(exc))
        chair.leave()

    def _follow(self, chair: Chair, game: str, seat: int) -> None:
        session, rng = Session(game), Random(self._rng.random())
        self.history.sessions.append(session)
        follower = Follower(self._servers.ports, session, chair.path, rng, self._plan.stay)
        self.followers.append(follower)
        self._following.append(asyncio.create_task(follower.follow(seat, chair.token(seat) if seat else "")))

    async def _harm(self) -> None:
        """Do all the harm, round by round, and wait for the plays that are still to come."""
        plan = self._plan
        for at in range(plan.rounds):
            failovers, kills = (
                times // plan.rounds + (at < times % plan.rounds) for times in (plan.failovers, plan.kills)
            )
            await asyncio.gather(
                self._repeat(self._servers.fail_over, failovers), self._repeat(self._servers.kill, kills)
            )
            await self._rest()
        while len(self.history.acknowledged) < plan.plays or len(self.history.finished) < plan.finished:  # noqa: ASYNC110 – chairs tell nobody
            await asyncio.sleep(SOON)

    async def _repeat(self, harm: Callable[[], Awaitable[None]], times: int) -> None:
        for _ in range(times):
            await asyncio.sleep(self._rng.uniform(0, 2 * self._plan.quiet))
            await harm()

    async def _rest(self) -> None:
        """Wait for peace, in which every stream comes to where its game is."""
        await self._servers.heal()
        await asyncio.sleep(self._plan.peace)
        clock = asyncio.get_running_loop().time
        until = clock() + self._servers.patience  # a game goes on meanwhile: one look may come just after a change
        while behind := await self._find_behind():
            if clock() > until and self._servers.calm_for() > self._servers.patience:
                self.history.wrong += [f"a stream of {each.game} stays at {each.last or 'an end'}" for each in behind]
                return

    async def _find_behind(self) -> list[Session]:
        """Find the streams that did not soon show all stored changes."""
        kept = self._read()
        await asyncio.sleep(SOON)
        ends = {game: name(len(raws), raws[-1]) if raws else "" for game, raws in kept.items()}
        return [each for each in self.history.sessions if each.game in ends and not each.has_seen(ends[each.game])]

    async def _check_feed(self, reader: Reader) -> None:
        """Wait until the feed has all finished games, and compare the earlier reads with the whole feed."""
        if not self.history.lossless:
            return
        while not self._servers.calm_for():  # noqa: ASYNC110 – one process may still be about to start again
            await asyncio.sleep(SOON)
        over = find_finished(self.history, self._read())
        await wait_for_games(self.history, over, SWEPT + EXPIRY)
        again = Reader(self._servers, self.history, Random(1))
        whole = await again.read_all()
        again.leave()
        told = {*list_games(self.history)}
        known = {*over, *(each["id"] for each in whole)}  # a limit for moves may have ended another game meanwhile
        ended = find_finished(self.history, self._read())
        due = {game: version for game, version in ended.items() if game in known}
        named = [each for each in whole if each["id"] in told or not is_unnamed(each)]
        self.history.wrong += [*find_wrong_games(due, named, self.history.outcomes)]
        shown = self.history.finished[: len(whole)]
        if shown != whole[: len(shown)] or len(shown) < len(over):
            ids = [[each["id"] for each in games] for games in (shown, whole)]
            self.history.wrong.append(f"the feed was read as {ids[0]}, but it is {ids[1]}")

    async def _check_presence(self, list_expected: Callable[[str], list[int]]) -> None:
        """Wait until those are present whose streams are open, and no others."""
        clock, games = asyncio.get_running_loop().time, list({each.game: None for each in self.history.sessions})
        with Client(self._servers.ports) as client:
            for game in games[-LOOKED_AT:]:
                until = clock() + LEASE
                while (seen := await self._look(client, game)) != (
                    expected := list_expected(game)
                ) and seen is not None:
                    if clock() > until:
                        self.history.wrong.append(f"present in {game}: {seen}, but {expected} have a stream")
                        break
                    await asyncio.sleep(SOON)

    @staticmethod
    async def _look(client: Client, game: str) -> list[int] | None:
        answer = await client.insist(Call("GET", f"/v1/games/{game}"))
        seats: list[Any] = answer.json["seats"] if answer.status == 200 else []
        return [seat["seat"] for seat in seats if seat["present"]] if seats else None

    def _list_sitting(self, game: str) -> list[int]:
        return [each.seat for each in self.history.sessions if each.game == game and each.seat is not None]


def run(plan: Plan, folder: Path, serve: Serve | None = None) -> Outcome:
    """Carry out a plan, and check what came of it; `serve` starts other servers than those of its topology."""
    rng = Random(plan.seed)
    with asyncio.Runner() as runner, (serve or _serve)(plan, folder, rng, runner) as servers:

        def read(history: History) -> Logs:
            with servers.client() as client:
                redis: Any = client  # whose answers the library leaves without types
                return {game: redis.lrange(key_of(game), 0, -1) for game in list_games(history)}

        what = Run(plan, servers, rng, read)
        findings = runner.run(what.go())
        kept = read(what.history)
    return Outcome(
        findings,
        servers.done,
        len(kept),
        len(what.history.acknowledged),
        count_absent(kept),
        sum(chair.repeated for chair in what.chairs),
        sum(follower.connections for follower in what.followers),
        sum(session.shown_anew for session in what.history.sessions),
        len(what.history.finished),
    )


def _serve(plan: Plan, folder: Path, rng: Random, runner: asyncio.Runner) -> AbstractContextManager[Deployment]:
    if plan.topology == "servers":
        return served(folder, plan.processes, plan.replicas, rng, plan.planned, runner)
    return grouped(folder, plan.topology, plan.processes, plan.replicas, rng, plan.planned)


def list_games(history: History) -> list[str]:
    """List the games of a history."""
    followed = [session.game for session in history.sessions]
    changed = (change.game for change in history.acknowledged)
    return list(dict.fromkeys([*followed, *changed, *history.outcomes]))


def describe_failure(exc: BaseException) -> str:
    """Write an exception, and where it was raised, on a line."""
    where = traceback.extract_tb(exc.__traceback__)[-1]
    return f"{type(exc).__name__}: {exc} ({Path(where.filename).name}:{where.lineno})"
