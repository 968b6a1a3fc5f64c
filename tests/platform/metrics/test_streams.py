"""Event streams: how many are open, and which were refused or dropped."""

import asyncio
from collections.abc import Iterator
from random import Random

import pytest

from service.live.store.memory import MemoryStore
from service.platform.settings import Settings
from tests.platform.metrics.readings import changed, series, value
from tests.support.games.callers import Live, Table
from tests.support.games.listeners import Listener


@pytest.fixture
def table() -> Iterator[Table]:
    """A game of a service that lets one stream be open, and has little patience."""
    with asyncio.Runner() as runner:
        settings = Settings(stream_heartbeat=0.03, stream_timeout=0.1, max_streams=1)
        yield Live(runner, MemoryStore(10, 2**20), settings).open()


def _listen(table: Table) -> Listener:
    return Listener(table.live, f"{table.path}/events")


def test_a_stream_is_open_until_its_client_leaves_and_is_no_request_in_flight(table: Table) -> None:
    before = series()
    stream = _listen(table)
    stream.hear(1)
    assert value("catchten_streams_open") == 1
    assert value("catchten_requests_in_flight") == 0
    stream.leave()
    assert value("catchten_streams_open") == 0
    assert value("catchten_requests_in_flight") == 0
    assert changed(before)["streams_opened_total"] == 1


def test_a_stream_too_many_is_refused_and_counted(table: Table) -> None:
    before = series()
    first, second = _listen(table), _listen(table)
    first.hear(1)
    second.until(second.task.done)
    first.leave()
    grown = changed(before)
    assert second.status == 503
    assert (grown["streams_opened_total"], grown["streams_dropped_total too_many"]) == (1, 1)


def test_a_client_that_does_not_read_is_counted_as_slow(table: Table) -> None:
    before = series()
    table.deal()
    stream = _listen(table)
    stream.hear(1)
    stream.awake.clear()
    table.play_deal(Random(1))
    stream.until(stream.task.done)
    assert changed(before)["streams_dropped_total slow"] == 1
    assert value("catchten_streams_open") == 0
