"""The floor answers as the service does, and the games of `make bench` are games of the service."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from service.app import make_store
from service.platform.settings import Settings
from tests.programs.bench.floor import answer
from tests.programs.bench.live import TOKENS, begin, draw_courses, write_plays
from tests.programs.bench.report import GOALS, GUIDE, Figure, write_sizes, write_summary
from tests.programs.bench.workloads import Workload, draw_workloads
from tests.support import redis_server
from tests.support.games.callers import Live
from tests.support.http.client import JSON, Request, ask
from tests.support.redis_relay import Relay


@pytest.fixture(scope="module")
def redis_port() -> Iterator[int]:
    with redis_server.running() as port:
        yield port


def _play_course(live: Live, relay: Relay, redis: Redis) -> list[int]:
    """Play a game with the cards that the load knows; return the round trips of each play."""
    trips = list[int]()
    ((game, course),) = begin(redis, draw_courses(), 1).items()
    assert live.call("GET", f"/v1/games/{game}").status == 200
    etag = f'"{course.revision}"'
    for seat, card in course.plays:
        before = relay.trips
        headers = (("authorization", f"Bearer {TOKENS[seat]}"), ("if-match", etag))
        told = live.call("POST", f"/v1/games/{game}/plays", {"card": card}, headers)
        assert told.status == 200
        etag = told.headers["etag"]
        trips.append(relay.trips - before)
    return trips


def test_games_of_the_measuring_are_played_to_the_end_of_their_deal_in_one_round_trip_a_play(redis_port: int) -> None:
    with asyncio.Runner() as runner, Redis(port=redis_port) as redis:
        relay = Relay(redis_port)
        port = runner.run(relay.start())
        store = make_store(Settings(redis_url=f"redis://127.0.0.1:{port}", store_timeout=10))
        live = Live(runner, store)
        _play_course(live, relay, redis)  # after which Redis knows the script
        assert set(_play_course(live, relay, redis)) == {1}
        runner.run(store.close())
        runner.run(relay.stop())


def test_the_load_reads_each_game_with_the_revision_before_its_first_play(redis_port: int, tmp_path: Path) -> None:
    with Redis(port=redis_port) as redis:
        begun = begin(redis, draw_courses(), 100)
        write_plays(begun, tmp_path / "plays")
    lines = [line.split() for line in (tmp_path / "plays").read_text().splitlines()]
    assert len(lines) == sum(len(course.plays) for course in begun.values())
    assert {game: revision for game, _, revision, _ in lines if revision != "-"} == {
        game: str(course.revision) for game, course in begun.items()
    }


def test_a_figure_that_misses_its_goal_says_so() -> None:
    name = "live play, µs"
    reached, missed = (write_summary([Figure(name, times * GOALS[name][0])]) for times in (1, 10))
    assert "**no**" not in reached
    assert "≤ 140: **no**" in missed


def test_every_figure_of_the_operators_guide_is_measured() -> None:
    written = write_sizes([], GUIDE.read_text("utf-8"))
    names = set(re.findall(r"{(.*?)}", written.partition("<!-- figures -->")[2].partition("<!-- /figures -->")[0]))
    assert len(names) == 8
    filled = write_sizes([Figure(name, 1234.5) for name in names], written)
    assert "{" not in filled.partition("<!-- figures -->")[2].partition("<!-- /figures -->")[0]
    assert filled.partition("<!-- figures -->")[2].count("1,200") == 8


@pytest.mark.parametrize("workload", draw_workloads().values(), ids=lambda workload: workload.name)
def test_the_floor_answers_as_the_service_does(workload: Workload) -> None:
    for body in workload.bodies[:5]:
        told = ask(Request(workload.path, (body,), headers=(("content-type", JSON),)))
        assert told.status == 200
        assert answer(workload.path, body) == (200, told.body)
