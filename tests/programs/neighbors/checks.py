"""What is run behind a load balancer.

The timers are a tenth or less of the real ones, in the same proportion, and the line to the replicas takes 10 ms.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

import httpx

from tests.programs.binaries import surroundings
from tests.programs.chaos.histories.feeds import API_KEYS, APP_KEY
from tests.programs.harness import NEW_GAME, QUESTIONS, Balancer, Load
from tests.programs.neighbors.balancers import READ, REST, SOFTWARE, SUB_PATH, find_balancer, make_neighbor
from tests.programs.neighbors.line import DelayedLine
from tests.programs.neighbors.rows import Result, Row
from tests.programs.neighbors.tools import run
from tests.support.games.client import Call, Client
from tests.support.games.player import SHORT, Player
from tests.support.games.streams import stream
from tests.support.http.samples import EVERY, PATHS
from tests.support.patience import WAIT
from tests.support.processes import ROOT, Redis, Service

KEEP_ALIVE: Final = 5
"""Seconds after which a replica closes an idle connection, in the place of 75."""
HEARTBEAT: Final = 1.5
"""Seconds between two comments of a stream, in the place of 15."""
STREAM_SECONDS: Final = 60.0
"""Seconds of a quiet stream, in the place of ten minutes."""
CALLERS: Final = 50
OFFSETS: Final = (-0.05, -0.04, -0.03, -0.02, -0.01, 0.0)
"""Seconds before a timer after which connections are used; answers and questions are 0.01 on the line."""
LONGEST_WAIT: Final = 20
"""Seconds of the longest poll, which HAProxy lets come to its end: its timers are the real ones."""
POLLS: Final = 4
"""Long polls that are held at once: each replica gets one at least."""
LARGE: Final = b'{"state":"' + b"x" * 700_000 + b'"}'


async def rest_and_post(port: int, timers: Sequence[int] = (REST, KEEP_ALIVE), below: str = "") -> Result:
    """Rest all connections to the replicas for about as long as each timer, then use them all at once."""
    statuses = Counter[str]()
    question = Call("POST", below + PATHS["verdicts"], EVERY["verdicts"])

    async def post(client: Client) -> None:
        try:
            statuses[str((await client.ask(question)).status)] += 1
        except (OSError, EOFError) as exc:
            statuses[repr(exc)] += 1

    with ExitStack() as stack:
        clients = [stack.enter_context(Client([port])) for _ in range(CALLERS)]
        for timer in timers:
            for offset in OFFSETS:
                await asyncio.gather(*map(post, clients))
                await asyncio.sleep(timer + offset)
                await asyncio.gather(*map(post, clients))
    good = statuses.pop("200", 0)
    return Result(f"{good} POSTs", [f"{number} × {status}" for status, number in statuses.items()])


async def follow_quiet_stream(port: int, below: str = "") -> Result:
    """Follow a game on which nothing happens for long, and then see every change of it."""
    with Client([port]) as client:
        player = Player(client, SHORT, Random(1))
        await player.open()
        async with stream(port, below + player.path) as events:
            first = await events.next()
            await asyncio.sleep(STREAM_SECONDS)
            await player.finish()
            seen = {first.version}
            async with asyncio.timeout(WAIT):
                while max(seen) < player.version:
                    seen.add((await events.next()).version)
    missing = {*range(1, player.version + 1)} - seen
    return Result(f"{len(seen)} events after {STREAM_SECONDS:g} s of rest", [f"lost: {each}" for each in missing])


async def refuse_body(port: int) -> Result:
    """Send a body that is too large: the problem of the service has to come through."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        headers = {"content-type": "application/json"}
        answers = [await client.post(PATHS["verdicts"], content=LARGE, headers=headers) for _ in range(20)]
    told = Counter(
        "problem" if b'"body_too_large"' in each.content else f"{each.status_code} {each.text}" for each in answers
    )
    good = told.pop("problem", 0)
    return Result(f"{good} refusals", [f"{number} × {answer}" for answer, number in told.items()])


async def _poll(port: int, seconds: int) -> str:
    """Wait for a finished game, and return what came, and whether it came before the time was over."""
    began = monotonic()
    with Client([port]) as client:
        try:
            answer = await client.ask(Call("GET", f"/v1/finished-games?wait={seconds}", app=APP_KEY))
        except (OSError, EOFError) as exc:
            return repr(exc)
    if answer.status != 200:
        return f"{answer.status} {answer.body!r}"
    when = "early" if monotonic() - began < seconds else "in time"
    return f"{len(answer.json['games'])} games {when}"


async def hold_long_polls(port: int, replica: Service, seconds: int) -> Result:
    """Hold long polls until nothing has come, until a replica is restarted, and until a game ends."""

    async def delete_game() -> None:
        with Client([port]) as client:
            player = Player(client, SHORT, Random(1), app=APP_KEY)
            await player.open()
            await client.insist(Call("DELETE", player.path, None, player.host))

    async def restart() -> None:
        await asyncio.to_thread(replica.stop)
        await asyncio.to_thread(replica.start)

    told = list[set[str]]()
    for end in (partial(asyncio.sleep, 0), restart, delete_game):
        polls = [asyncio.create_task(_poll(port, seconds)) for _ in range(POLLS)]
        await asyncio.sleep(1)  # all of them wait now
        await end()
        told.append({*await asyncio.gather(*polls)})
    due = [{"0 games in time"}, {"0 games early", "0 games in time"}, {"1 games early"}]
    return Result(f"{len(due) * POLLS} long polls of {seconds} s", [] if told == due else [f"long polls: {told}"])


async def check_long_polls(name: str, folder: Path, redis_url: str) -> Result:
    """Hold the long polls of an app behind a load balancer, before replicas that have the key of the app."""
    settings = {"redis_url": redis_url, "drain_seconds": 1, "api_keys": API_KEYS}
    with ExitStack() as stack:
        replicas = [stack.enter_context(Service(folder / f"with_key{at}.log", **settings)) for at in (1, 2)]
        balancer = make_neighbor(name, folder / "app", [each.port for each in replicas])
        stack.enter_context(balancer)
        return await hold_long_polls(balancer.port, replicas[0], LONGEST_WAIT if name == "HAProxy" else READ - 1)


async def speak_http2(port: int) -> Result:
    """Ask over one connection with TLS and HTTP/2, many questions at once."""
    url = f"https://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=url, http2=True, verify=False, timeout=WAIT) as client:
        asked = [client.post(PATHS["verdicts"], json=EVERY["verdicts"]) for _ in range(200)]
        told = Counter(f"{each.status_code} by {each.http_version}" for each in await asyncio.gather(*asked))
    good = told.pop("200 by HTTP/2", 0)
    return Result(f"{good} POSTs by HTTP/2 with TLS", [f"{number} × {answer}" for answer, number in told.items()])


async def roll(port: int, replicas: list[Service]) -> Result:
    """Restart the replicas in turn under load."""
    load, codes = Load(port, (*QUESTIONS, NEW_GAME)), list[int]()
    async with load.running(4):
        for replica in replicas:
            await asyncio.sleep(4)  # the balancer finds the other one ready
            codes.append(await asyncio.to_thread(replica.stop))
            await asyncio.to_thread(replica.start)
        await asyncio.sleep(2)
    return Result(f"{load.answered} answers", load.failed + [f"a replica ended with {code}" for code in codes if code])


async def _check(name: str, folder: Path) -> list[Result]:
    """Run every check behind a load balancer."""
    async with AsyncExitStack() as stack:
        redis = stack.enter_context(Redis(folder / "redis"))
        settings = {"redis_url": redis.url, "drain_seconds": 3, "stream_heartbeat": HEARTBEAT}
        made = [Service(folder / f"{at}.log", keep_alive_seconds=KEEP_ALIVE, **settings) for at in (1, 2)]
        replicas = [stack.enter_context(each) for each in made]
        lines = [await stack.enter_async_context(DelayedLine(each.port)) for each in replicas]
        far = make_neighbor(name, folder / "far", [each.port for each in lines])
        near = make_neighbor(name, folder / "near", [each.port for each in replicas])
        for balancer in (far, near):
            stack.enter_context(balancer)
        below = SUB_PATH if name == "nginx" else ""
        quiet = [rest_and_post(far.port, below=below), follow_quiet_stream(far.port, below), refuse_body(far.port)]
        quiet.append(check_long_polls(name, folder, redis.url))
        if isinstance(far, Balancer):
            quiet.append(speak_http2(far.tls_port))
        return [*await asyncio.gather(*quiet), await roll(near.port, replicas)]


def _check_in(name: str, folder: Path) -> list[Result]:
    return asyncio.run(_check(name, folder))


def _tell(name: str) -> str:
    """Return the version that a program tells. Errors: NoProgram."""
    said = run(find_balancer(SOFTWARE[name].program), SOFTWARE[name].version, folder=ROOT, settings=surroundings())
    found = re.search(r"\d+\.\d+\.\d+", said)
    assert found, f"{name} tells no version: {said}"
    return found[0]


BALANCERS: Final = tuple(
    Row(name, partial(_tell, name), partial(_check_in, name), is_quick=False, is_alone=True) for name in SOFTWARE
)
"""The load balancers, one after the other, as their timers are short."""
