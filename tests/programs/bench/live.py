"""Live plays over a real Redis, beside the bare script call on it and beside the pure question."""

import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from redis import Redis

from tests.programs.bench import bare_calls
from tests.programs.bench.courses import AT_ONCE, Begun, Course, begin, draw_courses, end, write_plays
from tests.programs.bench.load import Sample, run_script
from tests.programs.bench.plan import Plan
from tests.programs.bench.report import Section, at_least, table
from tests.programs.bench.rounds import Contestant, Taken, asked, take_turns, with_cpu
from tests.programs.bench.targets import ELSEWHERE, FORETOLD, FORGETFUL, ROOT, Server, started
from tests.support.redis_server import running

CONNECTIONS: Final = 16
STORE_TIMEOUT: Final = "10"
"""Seconds; a machine that is busy with other work is to slow the measuring down, not to break it off."""
_PLAYS_A_SECOND: Final = 20_000
"""More than any service on one core plays; what is prepared and not played costs nothing but the preparing."""
_CALLS_A_SECOND: Final = 90_000
QUESTION: Final = "the pure question (next state)"
HELD: Final = "live play, this version held"
ELSEWHERE_LAST: Final = "live play, the last one made by another worker"
NOT_SEEN: Final = "live play, game not seen before"
TOGETHER: Final = "bare script call, as many together as the load has connections"
ALONE: Final = "bare script call, each by itself"
_ABOUT: Final = """\
The service over one Redis. Every play carries a token and If-Match, is judged, and is one script call that compares
the length of the log, appends the event, renews the expiry and tells those that watch. The bare script call is the
same script with redis-py, from the service's core. Games were opened and dealt beforehand, and
every entry has the same nonce, so that the load knows each version's ETag. Where the last play was
made by another worker, the service reads what is new before it plays; a game not seen before is read as a whole."""


def measure_live(plan: Plan) -> Iterator[Section]:
    """Measure plays, calls and questions in turn."""
    with running() as port, Redis(port=port) as redis:
        targets, url = (FORETOLD, ELSEWHERE, FORGETFUL), f"redis://127.0.0.1:{port}"
        with started(targets, plan.serving, REDIS_URL=url, STORE_TIMEOUT=STORE_TIMEOUT) as (held, elsewhere, forgetful):
            courses = draw_courses()
            contestants = [
                _calling(ALONE, "alone", redis, courses, plan),
                _calling(TOGETHER, "together", redis, courses, plan),
                *(asked(held, question, plan, QUESTION) for question in plan.named("next_states")),
                playing(HELD, held, redis, courses, plan),
                playing(ELSEWHERE_LAST, elsewhere, redis, courses, plan),
                playing(NOT_SEEN, forgetful, redis, courses, plan),
            ]
            taken = take_turns(contestants, plan.rounds, "live plays")
    yield _write(taken)


def playing(name: str, server: Server, redis: Redis, courses: Sequence[Course], plan: Plan) -> Contestant:
    """Make a contestant that plays live games, which the server has seen once."""
    expected = float(_PLAYS_A_SECOND)

    def play() -> Sample:
        nonlocal expected
        with _prepared(redis, courses, int(expected * plan.seconds)) as (begun, plays, count):
            _see(server, begun)
            how = (CONNECTIONS, plan.seconds, plan.loading)
            sample = with_cpu(server, lambda: run_script("live.lua", server.url, plays, how))
        if sample.broken or sample.refused or not 0 < sample.requests < count - CONNECTIONS:
            raise RuntimeError(f"{name} went wrong: {sample} of {count} plays")
        expected = min(expected, 2 * sample.rate + 2000)
        return sample

    return Contestant(name, play)


def _calling(name: str, how: str, redis: Redis, courses: Sequence[Course], plan: Plan) -> Contestant:
    """Make a contestant that calls the script, in a process on the service's core."""
    port: int = redis.connection_pool.connection_kwargs["port"]
    command = ["taskset", "-c", str(plan.serving), sys.executable, "-m", bare_calls.__name__]

    def call() -> Sample:
        with _prepared(redis, courses, _CALLS_A_SECOND * plan.seconds) as (_, plays, _count):
            asked = [*command, f"redis://127.0.0.1:{port}", str(plan.seconds), how, str(plays)]
            ran = subprocess.run(asked, check=True, stdout=subprocess.PIPE, cwd=ROOT, timeout=plan.seconds + 60)
        return msgspec.json.decode(ran.stdout, type=Sample)

    return Contestant(name, call)


@contextmanager
def _prepared(redis: Redis, courses: Sequence[Course], plays: int) -> Generator[tuple[list[Begun], Path, int]]:
    """Begin games for a number of plays, write the plays to a file, and take the games away afterwards."""
    begun = begin(redis, courses, plays + AT_ONCE * 36)  # the last games are not played out
    with TemporaryDirectory() as folder:
        to = Path(folder, "plays")
        yield begun, to, write_plays(begun, to)
    end(redis, begun)


def _see(server: Server, begun: Sequence[Begun]) -> None:
    """Look at every game once, so that the process knows it."""
    connection = HTTPConnection(server.address, timeout=30)
    for each in begun:
        connection.request("GET", f"/v1/games/{each.id}")
        response = connection.getresponse()
        response.read()
        if response.status != 200:
            raise RuntimeError(f"a game is not there: {response.status}")
    connection.close()


def _write(taken: Mapping[str, Taken]) -> Section:
    head = ("contestant", "a second", "of the question", "of the script call", "CPU µs", "p50 µs", "p99 µs", "spread")
    rows = [head, *(_row(name, each, taken) for name, each in taken.items())]
    figures = [
        at_least(f"{name}, of the pure question", least, taken[name].ratio(taken[QUESTION]))
        for name, least in ((HELD, 0.8), (ELSEWHERE_LAST, 0.65))
    ]
    return Section(f"## Live plays\n\n{_ABOUT}\n\n{table(rows)}", tuple(figures))


def _row(name: str, each: Taken, taken: Mapping[str, Taken]) -> tuple[str, ...]:
    return (
        name,
        f"{each.rate:,.0f}",
        f"{each.ratio(taken[QUESTION]):.2f}",
        f"{each.ratio(taken[TOGETHER]):.2f}",
        f"{1e6 * each.cpu_each:.1f}" if each.cpu_each else "",
        f"{each.middle(lambda sample: sample.p50):,.0f}",
        f"{each.middle(lambda sample: sample.p99):,.0f}",
        f"{each.spread:.0%}",
    )
