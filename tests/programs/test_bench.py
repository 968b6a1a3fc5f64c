"""The parts that `make bench` puts in place of the service's own fit them, and its games are games of the service."""

import asyncio
import re
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

import msgspec
import pytest
from redis import Redis

from service.app import make_store
from service.game.cards import card_code
from service.platform.settings import Settings
from tests.programs.bench.comparisons import PEERED
from tests.programs.bench.courses import AT_ONCE, TOKENS, begin, draw_courses, end, write_plays
from tests.programs.bench.floor import answer
from tests.programs.bench.foretold import FORETOLD
from tests.programs.bench.goals import GOALS
from tests.programs.bench.peers import make_litestar
from tests.programs.bench.report import Figure, Section, until_failure, write_summary
from tests.programs.bench.sizing import GUIDE, write_sizing
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
def _served(redis_port: int) -> Generator[tuple[Live, Relay]]:
    """Serve as the measuring does, with every nonce known beforehand."""
    with asyncio.Runner() as runner, ExitStack() as stack:
        for each in FORETOLD:
            stack.enter_context(patch.object(*each))
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


def test_a_part_that_fails_is_told_after_what_it_has_measured(capsys: pytest.CaptureFixture[str]) -> None:
    def measure() -> Iterator[Section]:
        yield Section("worker")
        raise RuntimeError("plays are refused")

    worker, failure = until_failure("memory", measure())
    assert (worker, failure.failed) == (Section("worker"), True)
    assert "plays are refused" in failure.text
    assert "plays are refused" in capsys.readouterr().err


def test_a_figure_that_misses_its_goal_says_what_stands_in_the_way() -> None:
    name = "live play, µs"
    reached, missed = (write_summary([Figure(name, value)]) for value in (GOALS[name].bound, 10 * GOALS[name].bound))
    assert GOALS[name].obstacle not in reached
    assert f"{GOALS[name].why}; in the way: {GOALS[name].obstacle}" in missed


def test_every_figure_of_the_operators_guide_is_measured() -> None:
    written = write_sizing([], GUIDE.read_text("utf-8"))
    names = set(re.findall(r"{(.*?)}", written.partition("<!-- figures -->")[2].partition("<!-- /figures -->")[0]))
    assert len(names) == 9
    filled = write_sizing([Figure(name, 1234.5) for name in names], written)
    assert "{" not in filled.partition("<!-- figures -->")[2].partition("<!-- /figures -->")[0]
    assert filled.count("1,200") == 9


@pytest.mark.parametrize("name", PEERED)
def test_litestar_answers_as_the_floor_does(name: str, workloads: dict[str, Workload]) -> None:
    workload, app = workloads[name], make_litestar()
    for body in workload.bodies[:5]:
        told = ask(Request(workload.path, (body,), headers=(("content-type", JSON),)), app)
        assert (told.status, told.read(dict[str, object])) == _read(answer(workload.path, body))


def _read(told: tuple[int, bytes]) -> tuple[int, object]:
    return told[0], msgspec.json.decode(told[1])


def test_every_workload_is_answered_by_the_floor(workloads: dict[str, Workload]) -> None:
    for workload in workloads.values():
        assert {answer(workload.path, body)[0] for body in workload.bodies[:5]} == {200}
