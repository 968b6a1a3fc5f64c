"""Many event streams of one process, while the games are played through another."""

import asyncio
from pathlib import Path

import pytest

from tests.programs.chaos.streams_load import Load, measure, served


@pytest.mark.nightly
def test_three_hundred_streams_get_every_event_soon_and_take_little_memory(tmp_path: Path) -> None:
    load = Load(streams=300, games=30, rate=50, seconds=4)
    with served(tmp_path, load.streams) as (holder, maker):
        seen = asyncio.run(measure(holder, maker, load))
    print(seen)
    assert seen.events == seen.expected
    assert seen.p50 < 1
    assert seen.memory < 200
