"""The parts that `make bench` puts in place of the service's own fit them, and its games are games of the service."""

import asyncio
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from redis import Redis

from service.app import create_app, make_store
from service.game.cards import card_code
from service.http.middleware.metrics import Metrics
from service.platform.settings import Settings
from service.server import startup
from tests.programs.bench.bare_calls import measure
from tests.programs.bench.comparisons import PEERED
from tests.programs.bench.courses import AT_ONCE, TOKENS, begin, draw_courses, end, fill, write_plays
from tests.programs.bench.floor import answer, floor
from tests.programs.bench.peers import make_litestar
from tests.programs.bench.report import Section, until_failure
from tests.programs.bench.server import CHANGES
from tests.programs.bench.workloads import Workload, draw_workloads
from tests.support import redis_server
from tests.support.games.callers import Live
from tests.support.http.client import JSON, Request, ask
from tests.support.redis_relay import Relay


@pytest.fixture(scope="module")
def redis_port() -> Iterator[int]:
    with redis_server.running() as port:
        yield port


@pytest.fixture(scope="module")
def workloads() -> dict[str, Workload]:
    return {workload.name: workload for workload in draw_workloads()}


@contextmanager
def _served(redis_port: int, change: str = "foretold") -> Generator[tuple[Live, Relay]]:
    """Serve as the measuring does, with a part of the service changed."""
    with asyncio.Runner() as runner, ExitStack() as stack:
        for each in CHANGES[change]:
            stack.enter_context(each)
        relay = Relay(redis_port)
        port = runner.run(relay.start())
        store = make_store(Settings(redis_url=f"redis://127.0.0.1:{port}", store_timeout=10))
        yield Live(runner, store), relay
        runner.run(store.close())
        runner.run(relay.stop())


def _play_courses(live: Live, relay: Relay, redis_port: int) -> list[int]:
    """Play two games in turn with the cards that the load knows; return the round trips of each play."""
    trips = list[int]()
    with Redis(port=redis_port) as redis:
        courses = draw_courses()
        begun = begin(redis, courses, 1 + len(courses[0].plays))
        for each in begun:
            assert live.call("GET", f"/v1/games/{each.id}").status == 200
        turns = [zip(each.course.revisions, each.course.plays, strict=False) for each in begun]
        for plays in zip(*turns, strict=False):
            for each, (revision, play) in zip(begun, plays, strict=True):
                before = relay.trips
                headers = (("authorization", f"Bearer {TOKENS[play.seat]}"), ("if-match", f'"{revision}"'))
                body = {"card": card_code(play.card)}
                assert live.call("POST", f"/v1/games/{each.id}/plays", body, headers).status == 200
                trips.append(relay.trips - before)
        end(redis, begun)
    return trips


def test_games_of_the_measuring_are_played_to_the_end_of_their_deal_in_one_round_trip_a_play(redis_port: int) -> None:
    with _served(redis_port) as (live, relay):
        _play_courses(live, relay, redis_port)  # after which Redis knows the script
        assert set(_play_courses(live, relay, redis_port)) == {1}


@pytest.mark.parametrize("change", ["elsewhere", "forgetful"])
def test_a_worker_that_is_made_to_read_first_takes_two_round_trips_a_play(change: str, redis_port: int) -> None:
    with _served(redis_port, change) as (live, relay):
        _play_courses(live, relay, redis_port)
        # Before the first play of each of the two games, no other worker has played.
        assert set(_play_courses(live, relay, redis_port)[2:]) == {2}


def test_plays_are_written_in_an_order_that_leaves_time_between_two_of_a_game(redis_port: int, tmp_path: Path) -> None:
    with Redis(port=redis_port) as redis:
        begun = begin(redis, draw_courses(), 40_000)
        count = write_plays(begun, tmp_path / "plays")
        end(redis, begun)
    lines = [line.split() for line in (tmp_path / "plays").read_text().splitlines()]
    assert len(lines) == count > 30_000
    last: dict[str, tuple[int, int]] = {}
    for at, (game, _, revision, _) in enumerate(lines):
        version = int(revision.partition("-")[0])
        before, place = last.get(game, (1, at - AT_ONCE))
        assert (version, at - place >= AT_ONCE) == (before + 1, True)
        last[game] = (version, at)


@pytest.mark.parametrize("how", ["alone", "together"])
def test_the_script_of_a_play_alone_appends_each_play(how: str, redis_port: int, tmp_path: Path) -> None:
    with Redis(port=redis_port) as redis:
        begun = begin(redis, draw_courses(), 36 * AT_ONCE)
        write_plays(begun, tmp_path / "plays")
        plays = (tmp_path / "plays").read_text().splitlines()
        sample = asyncio.run(measure(f"redis://127.0.0.1:{redis_port}", 0.05, how, plays))
        end(redis, begun)
    assert sample.requests > 0


def test_a_redis_is_filled_with_games_that_expire() -> None:
    with redis_server.running() as port, Redis(port=port) as client:
        redis: Any = client  # whose answers the library leaves without types
        fill(port, draw_courses(), 1500)
        assert redis.dbsize() == 1500
        key = redis.randomkey()
        assert redis.ttl(key) > 0
        assert redis.llen(key) > 10


def test_a_part_that_fails_is_named_after_what_it_has_measured(capsys: pytest.CaptureFixture[str]) -> None:
    def measure() -> Iterator[Section]:
        yield Section("worker")
        raise RuntimeError("plays are refused")

    worker, failure = until_failure("memory", measure())
    assert (worker, failure.failed) == (Section("worker"), True)
    assert "memory" in failure.figures[0].name
    assert "plays are refused" in failure.text
    assert "plays are refused" in capsys.readouterr().err


def test_metrics_and_the_whole_application_can_be_taken_away() -> None:
    assert type(create_app(Settings())) is Metrics
    with CHANGES["unmeasured"][0]:
        assert type(create_app(Settings())) is not Metrics
    with CHANGES["floor"][0]:
        assert vars(startup)["create_app"](Settings()) is floor


@pytest.mark.parametrize("name", PEERED)
def test_stock_litestar_answers_as_the_floor_does(name: str, workloads: dict[str, Workload]) -> None:
    workload, app = workloads[name], make_litestar(Settings())
    for body in workload.bodies[:5]:
        told = ask(Request(workload.path, (body,), headers=(("content-type", JSON),)), app)
        assert (told.status, told.read(dict[str, object])) == _read(answer(workload.path, body))


def _read(told: tuple[int, bytes]) -> tuple[int, object]:
    return told[0], msgspec.json.decode(told[1])


def test_every_workload_is_answered_by_the_floor_with_its_status(workloads: dict[str, Workload]) -> None:
    for workload in workloads.values():
        assert {answer(workload.path, body)[0] for body in workload.bodies[:5]} == {workload.status}
