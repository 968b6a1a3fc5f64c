"""The limits of event streams: how many, how slow a reader, how long a silence, and what is left behind: nothing."""

import asyncio
from collections.abc import Iterator
from random import Random

import pytest

from service.live.store.memory import MemoryStore
from service.platform.settings import Settings
from service.schemas.revision import Revision
from tests.support.games.callers import Live, number_of
from tests.support.games.listeners import Follow, Listener
from tests.support.games.stores import Failing
from tests.support.http.client import refused


def quick(runner: asyncio.Runner, store: MemoryStore, stream_heartbeat: float = 0.03, max_streams: int = 100) -> Live:
    """A service of little patience."""
    settings = Settings(stream_heartbeat=stream_heartbeat, stream_timeout=0.1, max_streams=max_streams)
    return Live(runner, store, settings)


@pytest.fixture
def store_of_its_own() -> Iterator[MemoryStore]:
    """A store on which nobody watches any more at the end."""
    store = Failing()
    yield store
    assert not store._by_game


def test_a_stream_ends_when_its_game_has_expired(runner: asyncio.Runner, follow: Follow) -> None:
    now = 0.0
    live = quick(runner, MemoryStore(9, 10**6, clock=lambda: now))
    stream = follow(live.open(ttl=60))
    stream.hear(1)
    now = 61.0
    assert stream.end()[-1].event == "gone"


def test_a_quiet_stream_shows_that_it_is_alive(
    runner: asyncio.Runner, store_of_its_own: MemoryStore, follow: Follow
) -> None:
    table = quick(runner, store_of_its_own).open()
    stream = follow(table)
    stream.until(lambda: stream.heartbeats > 5)
    table.deal()
    assert [said.version for said in stream.hear(2)] == [1, 2]
    stream.leave()


def test_a_client_that_does_not_read_is_dropped(
    runner: asyncio.Runner, store_of_its_own: MemoryStore, follow: Follow, chance: Random
) -> None:
    table = quick(runner, store_of_its_own).open()
    table.deal()
    asleep, awake = follow(table), follow(table)
    asleep.hear(1)
    asleep.awake.clear()
    table.play_deal(chance)
    asleep.until(asleep.task.done)
    assert [said.version for said in asleep.said] == [2]
    assert awake.hear_version(table.number())
    awake.leave()


def test_no_more_streams_are_open_at_once_than_allowed(
    runner: asyncio.Runner, store_of_its_own: MemoryStore, follow: Follow
) -> None:
    table = quick(runner, store_of_its_own, max_streams=2).open()
    first, second = follow(table), follow(table, client="192.0.2.7")
    first.hear(1)
    second.hear(1)
    third = follow(table, client="192.0.2.8")
    third.end()
    refused(third.answer, "too_many_streams")
    assert third.headers["retry-after"] == "10"
    first.leave()
    assert follow(table).hear(1)
    second.leave()


def test_one_address_has_no_more_than_half_of_the_streams(
    runner: asyncio.Runner, store_of_its_own: MemoryStore, follow: Follow
) -> None:
    table = quick(runner, store_of_its_own, max_streams=5).open()
    mine = [follow(table) for _ in range(3)]
    for stream in mine:
        stream.hear(1)
    more = follow(table)
    more.end()
    assert refused(more.answer, "share_used_up").detail == "3 of 5 places for event streams are taken, 3 by you."
    yours = follow(table, client="192.0.2.7")
    yours.hear(1)
    for stream in (*mine, yours):
        stream.leave()
    assert follow(table).hear(1)


def test_streams_that_are_refused_take_no_place(
    runner: asyncio.Runner, store_of_its_own: MemoryStore, follow: Follow
) -> None:
    live = quick(runner, store_of_its_own, max_streams=1)
    table = live.open()
    for _ in range(3):
        refused(live.call("GET", f"{table.path}/events", headers=(("authorization", "Bearer x"),)), "unknown_token")
    assert follow(table).hear(1)


def test_a_client_that_leaves_is_forgotten(
    runner: asyncio.Runner, store_of_its_own: MemoryStore, follow: Follow
) -> None:
    table = quick(runner, store_of_its_own, stream_heartbeat=60).open()
    streams: list[Listener] = [follow(table) for _ in range(5)]
    for stream in streams:
        stream.hear(1)
    assert len(store_of_its_own._by_game[table.opened.id]) == 5
    for stream in streams:
        stream.leave()
    assert not store_of_its_own._by_game


def test_a_stream_outlives_a_store_that_is_away_for_a_while(
    runner: asyncio.Runner, follow: Follow, chance: Random
) -> None:
    store = Failing()
    table = quick(runner, store).open()
    table.deal()
    stream, seen_by = follow(table), table.number()
    stream.hear(1)
    store.away = True
    table.live.run(notify_all(store))
    stream.until(lambda: stream.heartbeats > 3)
    store.away = False
    version = number_of(table.play_any(chance).version)
    assert [said.version for said in stream.hear_version(version)] == [seen_by, version]


async def notify_all(store: Failing) -> None:
    """Ask every watcher to resync, in the loop of the service."""
    store.notify_all()


@pytest.mark.parametrize("again", [0, 2, 4])
def test_a_stream_goes_back_to_what_holds_where_the_store_has_lost_changes(
    runner: asyncio.Runner, follow: Follow, chance: Random, again: int
) -> None:
    store = Failing()
    table = quick(runner, store).open()
    table.deal()
    stream = follow(table)
    stream.hear(1)
    for _ in range(3):
        table.play_any(chance)
    assert [said.version for said in stream.hear_version(5)] == [2, 3, 4, 5]
    table.live.run(store.lose(table.opened.id, 2))
    seen = table.see()
    assert number_of(seen.version) == 3
    for _ in range(again):
        table.play_any(chance)
    stream.until(lambda: stream.said[-1].version == 3 + again)
    told = stream.said[4:]
    assert told[0].event == "game"
    assert [said.event for said in told[1:]] == ["change"] * (len(told) - 1)
    assert [said.version for said in told] == list(range(3 + again - len(told) + 1, 3 + again + 1))
    assert stream.said[-1].version == table.number()


@pytest.mark.parametrize("ahead", [1, 2, 3])
def test_a_stream_leaves_a_lost_past_where_another_process_has_gone_on_to_the_same_version(
    runner: asyncio.Runner, follow: Follow, ahead: int
) -> None:
    store = Failing()
    table = Live(runner, store).open("denexa", 2)
    table.deal()
    stream = follow(table)
    stream.hear(1)
    for at in range(ahead):
        table.play_any(Random(at))
    dead = table.revision(2 + ahead)
    assert stream.hear_version(dead.version)[-1].id == str(dead)
    runner.run(store.lose(table.opened.id, ahead, silently=True))
    there = table.over(Live(runner, store))
    for _ in range(ahead):
        there.play_any(Random(9))
    stream.until(lambda: stream.said[-1].id == str(table.revision(dead.version)))
    told = stream.said[1 + ahead :]
    assert [said.event for said in told] == ["game", *["change"] * (len(told) - 1)]
    assert told[-1].id != str(dead)


def test_a_client_that_comes_back_to_a_lost_past_gets_the_whole_game(
    live: Live, follow: Follow, chance: Random
) -> None:
    table = live.open("denexa", 2)
    table.deal()
    table.play_any(chance)
    there = table.revision(3)
    for seen in (Revision(3, "00000000"), Revision(2, there.tag), Revision(4, there.tag)):
        (said,) = follow(table, None, str(seen)).hear(1)
        assert (said.event, said.id) == ("game", str(there))
    table.play_any(chance)
    back = follow(table, None, str(there))
    assert [(said.event, said.version) for said in back.hear(1)] == [("change", 4)]
