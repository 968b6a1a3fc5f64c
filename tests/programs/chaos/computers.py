"""Games of one person and three computers, over two processes that are killed: each card once, and no stall.

python -m tests.programs.chaos.computers --games 200. The exit code is 1 when a card was lost or played twice, or a game
stalled.
"""

import argparse
import asyncio
import sys
import time
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from uuid import UUID

from redis import Redis as RedisClient

from service.game.cards import NUMBER
from service.live.entries import PlayEntry
from service.live.log import Step, steps
from service.live.store.redis.store import key_of
from tests.programs.chaos.histories.history import Change, History, Session, check
from tests.programs.chaos.histories.streams import read_message
from tests.support.games.client import Call, Client
from tests.support.games.streams import Event, NotServed, stream
from tests.support.processes import Redis, Service

MAX_STALL: Final = 1.0
"""Seconds for which a game may stand still at the computer's turn, since a process died or one was there again."""
LEVELS: Final = ("easy", "easy", "medium")
AWAY: Final = 0.3
"""Seconds at most until a process that was killed is started again."""


class Plan(NamedTuple):
    """What is done. Unit: `quiet`, between two kills, in seconds."""

    games: int = 200
    tables: int = 6
    quiet: float = 1.0
    seed: int = 1


class Outcome(NamedTuple):
    """What was found, and how much happened for it."""

    wrong: list[str]
    stalls: list[float]
    games: int
    plays: int
    kills: int
    connections: int

    def __str__(self) -> str:
        """Write the figures in one line."""
        longest = max(self.stalls, default=0.0)
        late = sum(stall > MAX_STALL for stall in self.stalls)
        return (
            f"{self.games} games, {self.plays} cards of computers, {self.kills} kills, {self.connections} connections "
            f"of streams; {len(self.wrong)} wrong, {late} stalled for more than {MAX_STALL:g} s, the longest for "
            f"{longest:.2f} s"
        )


class Disturbances:
    """The times at which a process was killed, or was back."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.kills = 0

    def note(self) -> None:
        self.times.append(time.monotonic())

    def last_before(self, moment: float) -> float:
        """Return the time of the last one before a moment."""
        at = bisect_right(self.times, moment)
        return self.times[at - 1] if at else 0.0


class Person:
    """One who plays seat 0 of one game after the other, and follows each in a stream of either process."""

    def __init__(self, ports: Sequence[int], history: History, disturbances: Disturbances, rng: Random) -> None:
        self._ports = ports
        self._history = history
        self._disturbances = disturbances
        self._rng = rng
        self._due: float | None = None
        self.connections = 0
        self.stalls: list[float] = []

    async def play_game(self) -> None:
        """Open a game and play it to its end."""
        with Client(self._ports, self._rng.randrange(2)) as client:
            body = {
                "rules": "trebor",
                "players": 4,
                "scores": [20, 20],
                "seats": [{}, *({"computer": self._rng.choice(LEVELS)} for _ in range(3))],
            }
            key = str(UUID(int=self._rng.getrandbits(128)))
            opened = (await client.insist(Call("POST", "/v1/games", body, key=key))).json
            session = Session(opened["id"])
            self._history.sessions.append(session)
            self._due = None
            while not await self._follow(client, session, opened):  # noqa: ASYNC110 – it is to connect again
                await asyncio.sleep(0.05)

    async def _follow(self, client: Client, session: Session, opened: dict[str, Any]) -> bool:
        """Follow the game while the connection lasts. Return True at its end."""
        path, token = f"/v1/games/{session.game}", opened["seats"][0]["token"]
        try:
            async with stream(self._rng.choice(self._ports), path, token, session.last) as events:
                self.connections += 1
                self._due = None if self._due is None else time.monotonic()  # it may have been done long since
                while True:
                    event = await events.next()
                    session.take(read_message(event))
                    self._measure(event.content)
                    if event.content["phase"] == "game_over":
                        return True
                    await self._act(client, session, event, opened)
        except (OSError, EOFError, NotServed):
            return False

    def _measure(self, shown: dict[str, Any]) -> None:
        """Note for how long the game has stood still at the computer's turn."""
        now = time.monotonic()
        if self._due is not None:
            self.stalls.append(now - max(self._due, self._disturbances.last_before(now)))
        playing = shown["phase"] == "playing" and shown["position"]["turn"] != 0
        self._due = now if playing else None

    async def _act(self, client: Client, session: Session, event: Event, opened: dict[str, Any]) -> None:
        """Play or deal, if that is for the person to do."""
        path, shown = f"/v1/games/{session.game}", event.content
        if shown["phase"] != "playing":
            if shown["dealer"] == 0 or self._rng.random() < 0.8:
                await client.insist(Call("POST", f"{path}/deals", {}, opened["host_token"], f'"{event.id}"'))
        elif shown["position"]["turn"] == 0:
            card = self._rng.choice(shown["position"]["legal_cards"])
            call = Call("POST", f"{path}/plays", {"card": card}, opened["seats"][0]["token"], f'"{event.id}"')
            answer = await client.insist(call)
            assert answer.status == 200, answer
            after = answer.headers["etag"].strip('"')
            self._history.acknowledged.add(Change(session.game, event.id, after, ("played", 0, NUMBER[card])))


async def _harm(services: Sequence[Service], disturbances: Disturbances, plan: Plan, rng: Random) -> None:
    """Kill one process or both, again and again."""
    while True:
        await asyncio.sleep(rng.uniform(0, 2 * plan.quiet))
        killed = rng.choice(([services[0]], [services[1]], services))
        for service in killed:
            await asyncio.to_thread(service.kill)
            disturbances.note()
            disturbances.kills += 1
        await asyncio.sleep(rng.uniform(0, AWAY))
        for service in killed:
            await asyncio.to_thread(service.start)
            disturbances.note()


async def _play(plan: Plan, services: Sequence[Service], history: History) -> tuple[list[Person], Disturbances]:
    rng, disturbances = Random(plan.seed), Disturbances()
    left = iter(range(plan.games))
    ports = [service.port for service in services]
    persons = [Person(ports, history, disturbances, Random(rng.random())) for _ in range(plan.tables)]

    async def play_games(person: Person) -> None:
        for _ in left:
            await person.play_game()

    harm = asyncio.create_task(_harm(services, disturbances, plan, Random(rng.random())))
    async with asyncio.TaskGroup() as group:
        for person in persons:
            group.create_task(play_games(person))
    harm.cancel()
    await asyncio.wait([harm])
    return persons, disturbances


def run(plan: Plan, folder: Path) -> Outcome:
    """Carry out a plan, and check what came of it."""
    history = History()
    with Redis(folder / "redis") as redis:
        one, two = (Service(folder / name, redis_url=redis.url) for name in ("one", "two"))
        with one, two:
            persons, disturbances = asyncio.run(_play(plan, (one, two), history))
            logs = one.said() + two.said()
        kept = _read(redis, history)
    findings = check(history, kept)
    wrong = [*findings.wrong, *map(str, (*findings.lost, *findings.taken_back))]
    wrong += ["a process failed: " + logs[-2000:]] if "Traceback" in logs else []
    played = [step.entry for course in kept.values() for step in course if isinstance(step.entry, PlayEntry)]
    return Outcome(
        wrong,
        [stall for person in persons for stall in person.stalls],
        len(kept),
        sum(entry.seat != 0 for entry in played),
        disturbances.kills,
        sum(person.connections for person in persons),
    )


def _read(redis: Redis, history: History) -> dict[str, list[Step]]:
    """Read the log of every game."""
    with RedisClient(port=redis.port) as client:
        untyped: Any = client  # whose answers the library leaves without types
        games = [session.game for session in history.sessions]
        return {game: list(steps(untyped.lrange(key_of(game), 0, -1))) for game in games}


def main() -> int:
    """Carry out the plan of the command line, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.chaos.computers", description=__doc__)
    usual: dict[str, int | float] = Plan()._asdict()
    for name, value in usual.items():
        parser.add_argument(f"--{name}", type=type(value), default=value, help=f"{value} unless named")
    plan, began = Plan(**vars(parser.parse_args())), time.monotonic()
    print(plan, flush=True)
    with TemporaryDirectory() as folder:
        outcome = run(plan, Path(folder))
    print(f"{outcome}; in {time.monotonic() - began:.0f} s")
    print(*outcome.wrong[:20], sep="\n", end="\n" if outcome.wrong else "")
    return bool(outcome.wrong) or max(outcome.stalls, default=0.0) > MAX_STALL


if __name__ == "__main__":
    sys.exit(main())
