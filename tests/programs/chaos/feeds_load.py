"""The cost of finished games and long polls, and the service to a second app beside a greedy one.

python -m tests.programs.chaos.feeds_load
"""

import asyncio
import time
from collections import Counter
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from service.live.store.redis.store import key_of
from tests.programs.chaos.histories.short_games import make_last_position
from tests.reference import engine
from tests.support.games.client import Answer, Call, Client
from tests.support.games.player import SHORT, Player
from tests.support.processes import Redis, Service, resident

APPS: Final = ("second", "hog")
API_KEYS: Final = ",".join(f"{app}:{sha256(app.encode()).hexdigest()}" for app in APPS)
GAMES: Final = 100
"""Games whose end is measured."""
PLAYS: Final = 30
"""Cards that are played in each of them before."""
POLLS: Final = 400
"""Idle long polls."""
IDLE: Final = 15.0
"""Seconds for which they are measured."""
SECONDS: Final = 20.0
"""Seconds for which the second app works, alone and beside the other."""
HOG_READERS: Final = 8
"""Connections over which the other app reads its whole feed again and again."""
HOG_POLLS: Final = 700
"""Long polls that it asks for; the service has 1,000 places."""


def cpu_of(service: Service) -> float:
    """Return the seconds of CPU that a process has used so far."""
    tasks = Path(f"/proc/{service.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text(encoding="utf-8").split()[0]) for task in tasks) / 1e9


async def ask(client: Client, call: Call, status: int) -> Answer:
    """Send a call, whose answer has to have a status."""
    answer = await client.insist(call)
    assert answer.status == status, answer
    return answer


# ── A finished game ──


async def play_on(client: Client, app: str | None, seed: int) -> Player:
    """Open a game, and play some cards."""
    player = Player(client, SHORT, Random(seed))
    opened = await ask(client, player.opening()._replace(app=app), 201)
    player.take_tokens(opened.json)
    player.etag = opened.headers["etag"]
    player.version = 1
    for _ in range(PLAYS):
        if player.position.get("phase") != "playing":
            await player.deal()
        await player.play()
    return player


async def measure_ends(service: Service, client: Client, app: str | None) -> float:
    """Return the CPU that the resignation of a game takes with all that follows, in seconds."""
    players = [await play_on(client, app, seed) for seed in range(GAMES)]
    began = cpu_of(service)
    for player in players:
        await ask(client, Call("POST", f"{player.path}/resignations", {}, player.tokens[0], player.etag), 200)
    await asyncio.sleep(1)
    return (cpu_of(service) - began) / GAMES


async def read_feed(client: Client, app: str, limit: int, place: str | None = None) -> tuple[list[Any], str | None]:
    """Read a feed from a place on to its end. Return its games, and the place behind them."""
    games, more = list[Any](), True
    while more:
        after = f"&after={place}" if place else ""
        page = (await ask(client, Call("GET", f"/v1/finished-games?limit={limit}{after}", app=app), 200)).json
        games, place, more = games + page["games"], page["next"], page["more"]
    return games, place


async def measure_games(service: Service, keyless: Service, redis: Redis) -> None:
    """Print the cost of a finished game, with and without API keys."""
    with Client([keyless.port]) as client:
        bare = await measure_ends(keyless, client, None)
    with Client([service.port]) as client:
        kept = await measure_ends(service, client, APPS[0])
        began = cpu_of(service)
        games, _ = await read_feed(client, APPS[0], 100)
        read = (cpu_of(service) - began) / len(games)
    memory = redis.answers("MEMORY", "USAGE", f"{key_of(f'key/{APPS[0]}')}:feed", "SAMPLES", "0")
    size = int(memory[1:]) / len(games)
    print(
        f"the end of a game of {PLAYS} cards: {bare * 1e6:.0f} µs of CPU without an app, {kept * 1e6:.0f} with one",
        flush=True,
    )
    print(f"reading it: {read * 1e6:.0f} µs; memory of Redis: {size:.0f} bytes")


# ── An idle long poll ──


async def poll(client: Client, app: str, place: str | None) -> Answer:
    """Wait for a game behind a place in a feed."""
    after = f"&after={place}" if place else ""
    return await client.ask(Call("GET", f"/v1/finished-games?wait=20{after}", app=app))


async def measure_polls(service: Service) -> None:
    """Print what an idle long poll costs."""
    with ExitStack() as stack:
        clients = [stack.enter_context(Client([service.port])) for _ in range(POLLS)]
        _, place = await read_feed(clients[0], APPS[0], 100)
        memory = resident(service.pid)
        polls = [asyncio.create_task(poll(client, APPS[0], place)) for client in clients]
        await asyncio.sleep(3)
        size, began = (resident(service.pid) - memory) / POLLS, cpu_of(service)
        await asyncio.sleep(IDLE)
        used = (cpu_of(service) - began) / IDLE / POLLS
        assert {answer.status for answer in await asyncio.gather(*polls)} == {200}
    print(f"an idle long poll: {size:.1f} KiB, {used * 1e6:.1f} µs of CPU a second")


# ── A second app ──


async def end_games(port: int, rng: Random, stop: asyncio.Event, ended: dict[str, float]) -> None:
    """Open games of the second app and resign them until the end, and write down when."""
    with Client([port]) as client:
        while not stop.is_set():
            state, player = make_last_position(rng), Player(client, SHORT, rng)
            body = {"rules": SHORT.rules, "state": state, "ttl": 3600}
            opened = await ask(client, player.opening()._replace(body=body, app=APPS[0]), 201)
            player.take_tokens(opened.json)
            token = player.tokens[engine.turn(state) or 0]
            ended[player.id] = time.monotonic()
            await ask(client, Call("POST", f"{player.path}/resignations", {}, token, opened.headers["etag"]), 200)


async def follow(port: int, app: str, stop: asyncio.Event, place: str | None, seen: dict[str, float]) -> str | None:
    """Follow a feed from a place on until the end, and write down when each game came. Return the place behind them."""
    with Client([port]) as client:
        while not stop.is_set():
            after = f"&after={place}" if place else ""
            page = (await ask(client, Call("GET", f"/v1/finished-games?wait=2{after}", app=app), 200)).json
            place = page["next"]
            seen |= {game["id"]: time.monotonic() for game in page["games"]}
    return place


async def read_again(port: int, app: str, stop: asyncio.Event, read: list[int]) -> None:
    """Read a whole feed again and again."""
    with Client([port]) as client:
        while not stop.is_set():
            games, _ = await read_feed(client, app, 100)
            read.append(len(games))


async def poll_again(port: int, app: str, stop: asyncio.Event, place: str | None, statuses: Counter[int]) -> None:
    """Hold a long poll, and ask for another one a second after a refusal."""
    with Client([port]) as client:
        while not stop.is_set():
            status = (await poll(client, app, place)).status
            statuses[status] += 1
            await asyncio.sleep(status != 200)


async def _take_all(port: int, place: str | None, measuring: Connection) -> None:
    stop, statuses, read = asyncio.Event(), Counter[int](), list[int]()
    hogs = [asyncio.create_task(read_again(port, APPS[1], stop, read)) for _ in range(HOG_READERS)]
    hogs += [asyncio.create_task(poll_again(port, APPS[1], stop, place, statuses)) for _ in range(HOG_POLLS)]
    while not statuses[429] or len(read) < HOG_READERS:  # noqa: ASYNC110 – the hog is not yet at its share
        await asyncio.sleep(0.1)
    measuring.send(None)
    asyncio.get_running_loop().add_reader(measuring.fileno(), stop.set)
    await asyncio.gather(*hogs)
    measuring.send((len(read), statuses))


def take_all(port: int, place: str | None, measuring: Connection) -> None:
    """Take the other app's whole share; report when it is reached and, at the end, what was taken."""
    asyncio.run(_take_all(port, place, measuring))


@contextmanager
def beside_hog(port: int, place: str | None) -> Generator[None]:
    """Run the other app, and print what it got. Its process is another one: it takes none of the second app's time."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    hog = context.Process(target=take_all, args=(port, place, theirs), daemon=True)
    hog.start()
    ours.recv()
    yield
    ours.send(None)
    read, statuses = ours.recv()
    hog.join()
    print(f"the other read its feed {read} times; its long polls were answered {dict(statuses)}")


async def measure_second(service: Service, name: str, place: str | None) -> tuple[float, str | None]:
    """Print what the second app has. Return how many games a second, and the place behind them."""
    stop, ended, seen = asyncio.Event(), dict[str, float](), dict[str, float]()
    began = cpu_of(service)
    ending = asyncio.create_task(end_games(service.port, Random(name), stop, ended))
    following = asyncio.create_task(follow(service.port, APPS[0], stop, place, seen))
    await asyncio.sleep(SECONDS)
    used = (cpu_of(service) - began) / SECONDS
    stop.set()
    await ending
    place = await following
    late = sorted(seen[game] - ended[game] for game in seen.keys() & ended.keys())
    p50, p99 = late[len(late) // 2] * 1000, late[len(late) * 99 // 100] * 1000
    rate = len(ended) / SECONDS
    feed = f"in its feed p50 {p50:.0f} ms, p99 {p99:.0f} ms"
    print(f"the second app {name}: {rate:.1f} games a second, {feed}; {used:.2f} of a core", flush=True)
    return rate, place


async def measure_hog(service: Service) -> None:
    """Print the results of the second app, alone and beside the other."""
    with Client([service.port]) as client:
        for seed in range(GAMES):
            player = await play_on(client, APPS[1], seed)
            await ask(client, Call("DELETE", player.path, None, player.host), 204)
        await asyncio.sleep(1)
        _, end = await read_feed(client, APPS[1], 100)
        _, place = await read_feed(client, APPS[0], 100)
    alone, place = await measure_second(service, "alone", place)
    with beside_hog(service.port, end):
        beside, _ = await measure_second(service, "beside the other", place)
    print(f"beside the other the second app has {beside / alone:.0%} of its games a second")


@contextmanager
def served(folder: Path) -> Generator[tuple[Service, Service, Redis]]:
    """Serve from a process with API keys, and from one without, over one Redis."""
    with ExitStack() as stack:
        redis = stack.enter_context(Redis(folder / "redis"))
        settings = {"redis_url": redis.url, "log_level": "warning"}
        service = stack.enter_context(Service(folder / "service", **settings, api_keys=API_KEYS))
        yield service, stack.enter_context(Service(folder / "keyless", **settings)), redis


async def measure(service: Service, keyless: Service, redis: Redis) -> None:
    """Measure all."""
    await measure_games(service, keyless, redis)
    await measure_polls(service)
    await measure_hog(service)


def main() -> None:
    """Measure once, and print the result."""
    with TemporaryDirectory() as folder, served(Path(folder)) as (service, keyless, redis):
        asyncio.run(measure(service, keyless, redis))


if __name__ == "__main__":
    main()
