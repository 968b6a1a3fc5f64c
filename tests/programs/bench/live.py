"""Live plays over a real Redis: bare and as shipped, beside the pure question."""

import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from redis import Redis

from tests.programs.bench.comparisons import RESTARTS
from tests.programs.bench.courses import AT_ONCE, Begun, Course, begin, draw_courses, end, write_plays
from tests.programs.bench.load import Sample, run_script
from tests.programs.bench.plan import Plan
from tests.programs.bench.report import Figure, Section, table
from tests.programs.bench.rounds import Contestant, Taken, take_turns, with_cpu
from tests.programs.bench.targets import FORETOLD, Server, as_shipped, started
from tests.support.redis_server import running

CONNECTIONS: Final = 16
STORE_TIMEOUT: Final = "10"
"""Seconds; a machine that is busy with other work is to slow the measuring down, not to break it off."""
HELD: Final = "live play"
SHIPPED: Final = "live play as shipped"
_PLAYS_A_SECOND: Final = 20_000
"""More than any service on one core plays; what is prepared and not played costs nothing but the preparing."""
_ABOUT: Final = """\
The service over one Redis. Every play carries a token and If-Match, is judged, and is one script call that compares
the version with the log, appends the entry, renews the expiry and tells those that watch. Games were opened and dealt
beforehand, and every entry has the same nonce, so that the load knows each version's ETag. The process has seen each
game."""


def measure_live(plan: Plan) -> Iterator[Section]:
    """Measure plays, bare and as shipped, in turn."""
    taken: dict[str, Taken] = {}
    courses = draw_courses()
    with running() as port, Redis(port=port) as redis:
        bare = FORETOLD.with_settings("bare", REDIS_URL=f"redis://127.0.0.1:{port}")
        for _ in range(RESTARTS):
            with started((bare, as_shipped(FORETOLD, port)), plan.serving, STORE_TIMEOUT=STORE_TIMEOUT) as servers:
                contestants = [
                    playing(name, server, redis, courses, plan)
                    for name, server in zip((HELD, SHIPPED), servers, strict=True)
                ]
                take_turns(contestants, -(-plan.rounds // RESTARTS), taken)
    print("measured live plays", file=sys.stderr)
    figures = (
        Figure("live play, µs", taken[HELD].micros),
        Figure("live play as shipped, µs more", taken[SHIPPED].above(taken[HELD])),
        Figure("live plays as shipped, a second", taken[SHIPPED].rate),
    )
    rows = [("what", "CPU µs", "a second", "p50 µs", "p99 µs", "spread"), *(_row(*each) for each in taken.items())]
    yield Section(f"## Live plays\n\n{_ABOUT}\n\n{table(rows)}", figures)


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


def _row(name: str, each: Taken) -> tuple[str, ...]:
    return (
        name,
        f"{each.micros:.1f}",
        f"{each.rate:,.0f}",
        f"{each.middle(lambda sample: sample.p50):,.0f}",
        f"{each.middle(lambda sample: sample.p99):,.0f}",
        f"{each.spread:.0%}",
    )
