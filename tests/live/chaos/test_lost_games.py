"""A store that lost whole games: the loss is counted, logged once, and told to callers."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from time import time_ns
from typing import Final, cast

import pytest
from redis import Redis as Client

from service.app import make_store
from service.live.repository import GAME_GONE, GAME_LOST
from service.live.store.redis.store import key_of
from service.live.tokens import hash_game
from service.platform.settings import Settings
from tests.platform.metrics.readings import changed, series
from tests.support.games.callers import Live
from tests.support.http.client import refused
from tests.support.processes import Redis

ROLLED_BACK: Final = "games_rolled_back_total"
LOST: Final = "games_lost_total"


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    with Redis(tmp_path / "redis") as server:
        yield server


@pytest.fixture
def live(runner: asyncio.Runner, redis: Redis) -> Iterator[Live]:
    yield from _serve(runner, redis)


@pytest.fixture
def twin(runner: asyncio.Runner, redis: Redis) -> Iterator[Live]:
    yield from _serve(runner, redis)


def _serve(runner: asyncio.Runner, redis: Redis, clock: Callable[[], int] | None = None) -> Iterator[Live]:
    store = make_store(Settings(redis_url=redis.url, store_timeout=60))
    yield Live(runner, store, clock=clock)
    runner.run(store.close())


def _flush(redis: Redis) -> None:
    assert redis.answers("FLUSHALL") == b"+OK\r\n"


def _restart(redis: Redis) -> None:
    redis.kill()
    redis.start()


def _evict(redis: Redis) -> None:
    """Remove the games but leave their marks, like a server that is short of memory."""
    with Client(port=redis.port) as client:
        for key in cast("list[bytes]", client.keys("catchten:{*}")):
            if client.type(key) == b"list":
                client.delete(key)


def _losses(before: dict[tuple[str, tuple[tuple[str, str], ...]], float]) -> tuple[float, float]:
    grown = changed(before)
    return grown.get(LOST, 0), grown.get(ROLLED_BACK, 0)


@pytest.mark.parametrize("lose", [_flush, _restart, _evict])
def test_a_lost_game_is_counted_once_and_told_each_time_and_all_are_logged_in_one_line(
    live: Live, redis: Redis, lose: Callable[[Redis], None], caplog: pytest.LogCaptureFixture
) -> None:
    tables, before = [live.open() for _ in range(3)], series()
    for table in tables:
        table.deal()
    lose(redis)
    caplog.clear()
    answers = [table.call(bearer, "GET") for bearer in (None, 0) for table in tables]
    answers += [table.call("host", "POST", "/deals", {}, 2) for table in tables]
    assert {refused(answer, "game_gone").detail for answer in answers} == {GAME_LOST}
    assert _losses(before) == (3, 0)
    lines = [record.getMessage() for record in caplog.records if "has lost" in record.getMessage()]
    hashed = hash_game(tables[0].opened.id)
    line = f"the store has lost a live game that this process knew, of the hash {hashed} (since the last such line: 1)"
    assert lines == [line]


@pytest.mark.parametrize("lose", [_flush, _evict])
def test_a_game_that_nobody_has_looked_at_yet_is_lost_as_well(
    live: Live, redis: Redis, lose: Callable[[Redis], None]
) -> None:
    table, before = live.open(), series()
    lose(redis)
    for _ in range(2):
        assert refused(table.call(None, "GET"), "game_gone").detail == GAME_LOST
    assert _losses(before) == (1, 0)


def test_after_an_old_copy_was_put_back_games_without_their_latest_changes_and_games_without_any_are_counted(
    live: Live, redis: Redis
) -> None:
    older = live.open()
    older.deal()
    assert redis.answers("SAVE") == b"+OK\r\n"
    turn = older.turn()
    assert older.play(turn.seat, turn.legal[0], turn.version).status == 200
    younger, before = live.open(), series()
    younger.see()
    _restart(redis)
    assert older.call(None, "GET").status == 200
    assert refused(younger.call(None, "GET"), "game_gone").detail == GAME_LOST
    assert _losses(before) == (1, 1)


def test_a_game_that_is_back_is_a_game_again_and_can_be_lost_again(live: Live, redis: Redis) -> None:
    table, before = live.open(), series()
    table.see()
    with Client(port=redis.port) as client:
        for losses in (1, 2):
            key = key_of(table.opened.id)
            kept = client.dump(key) or b""
            client.flushall()
            assert refused(table.call(None, "GET"), "game_gone").detail == GAME_LOST
            client.restore(key, 600_000, kept)
            assert table.call(None, "GET").status == 200
            assert _losses(before) == (losses, 0)


def test_a_game_that_another_process_has_deleted_is_not_lost(live: Live, twin: Live) -> None:
    table, before = live.open(), series()
    table.see()
    assert table.over(twin).call("host", "DELETE").status == 204
    assert refused(table.call(None, "GET"), "game_gone").detail == GAME_GONE
    assert _losses(before) == (0, 0)


@pytest.mark.parametrize("lose", [_flush, _evict])
def test_a_game_that_has_expired_is_not_lost(
    runner: asyncio.Runner, redis: Redis, lose: Callable[[Redis], None]
) -> None:
    # The last change was made as long ago as the game lives without one, and the store removes it.
    for live in _serve(runner, redis, lambda: time_ns() // 1_000_000 - 60_000):
        table, before = live.open(ttl=60), series()
        table.deal()
        lose(redis)
        answer = table.call(None, "GET")
        assert answer.status in {404, 410}
        assert _losses(before) == (0, 0)


def test_a_game_that_this_process_never_knew_is_not_lost(live: Live, twin: Live, redis: Redis) -> None:
    table, before = live.open(), series()
    _flush(redis)
    refused(table.over(twin).call(None, "GET"), "no_such_game")
    assert _losses(before) == (0, 0)
