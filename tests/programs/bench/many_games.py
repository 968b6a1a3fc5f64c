"""Live plays where Redis holds few games and where it holds very many."""

from collections.abc import Iterator
from typing import Final

from redis import Redis

from tests.programs.bench.courses import draw_courses, fill
from tests.programs.bench.live import STORE_TIMEOUT, playing
from tests.programs.bench.plan import Plan
from tests.programs.bench.report import Section, at_least, table
from tests.programs.bench.rounds import take_turns
from tests.programs.bench.targets import FORETOLD, started
from tests.support.redis_server import running

FEW: Final = 1000


def measure_many_games(plan: Plan) -> Iterator[Section]:
    """Play in turn over two servers of Redis that hold different numbers of games."""
    courses = draw_courses()
    sizes = (FEW, plan.games)
    names = [f"{size:,} games in Redis" for size in sizes]
    with running() as few, running() as many, Redis(port=few) as small, Redis(port=many) as large:
        for port, redis, size in ((few, small, sizes[0]), (many, large, sizes[1])):
            fill(port, courses, size)
            if redis.dbsize() != size:
                raise RuntimeError(f"Redis holds {redis.dbsize()} games, not {size}")
        urls = [f"redis://127.0.0.1:{port}" for port in (few, many)]
        with (
            started((FORETOLD,), plan.serving, REDIS_URL=urls[0], STORE_TIMEOUT=STORE_TIMEOUT) as (one,),
            started((FORETOLD,), plan.serving, REDIS_URL=urls[1], STORE_TIMEOUT=STORE_TIMEOUT) as (other,),
        ):
            contestants = [
                playing(name, server, redis, courses, plan)
                for name, server, redis in zip(names, (one, other), (small, large), strict=True)
            ]
            taken = take_turns(contestants, plan.rounds, "many games")
    ratio = taken[names[1]].ratio(taken[names[0]])
    head = ("live plays", "a second", "ratio", "p50 µs", "p99 µs", "spread")
    rows = [
        (
            name,
            f"{each.rate:,.0f}",
            f"{each.ratio(taken[names[0]]):.2f}",
            f"{each.middle(lambda sample: sample.p50):,.0f}",
            f"{each.middle(lambda sample: sample.p99):,.0f}",
            f"{each.spread:.0%}",
        )
        for name, each in taken.items()
    ]
    text = f"## Live plays beside many other games\n\n{table([head, *rows])}"
    asked = f"live plays/s with {plan.games:,} games in Redis, of those with {FEW:,}"
    yield Section(text, (at_least(asked, 0.9, ratio),))
