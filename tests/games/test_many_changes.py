"""A game that changes very often: its log has an end, and reading a long one lets others work."""

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from typing import TypeVar

import pytest

from service.games import repository, seating
from service.games.log import Game, Step, steps
from service.games.repository import Repository
from tests.support.games.callers import Live
from tests.support.http.client import refused

Result = TypeVar("Result")


def test_seats_change_a_bounded_number_of_times_and_then_once_a_minute(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating, "CHANGES_AT_MOST", 4)
    table = live.open("trebor", 4, first_dealer=0)
    assert table.call("host", "POST", "/seats/1/tokens").status == 201
    assert table.call("host", "PUT", "/seats/2/computer", {"level": "easy"}).status == 200
    assert table.call("host", "DELETE", "/seats/2/computer").status == 200
    refused(table.call("host", "POST", "/seats/1/tokens"), "too_many_changes")
    refused(table.call("host", "PUT", "/seats/2/computer", {"level": "easy"}), "too_many_changes")
    assert table.deal(0).status == 201
    monkeypatch.setattr(seating, "CHANGES_AT_MOST", 5)
    monkeypatch.setattr(seating, "_MINUTE", 50)
    live.run(asyncio.sleep(0.06))
    assert table.call("host", "POST", "/seats/1/tokens").status == 201


def test_a_long_log_is_read_in_pieces(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    table = live.open("trebor", 4)
    for _ in range(50):
        table.call("host", "POST", "/seats/1/tokens")
    whole = live.run(Repository(live.store).steps(table.opened.id))
    turns, pieces = 0, list[tuple[int, int]]()

    def note(lines: Sequence[bytes], now: Game | None = None) -> Iterator[Step]:
        pieces.append((len(lines), turns))
        return steps(lines, now)

    async def read(reading: Coroutine[None, None, Result]) -> Result:
        nonlocal turns
        task = asyncio.create_task(reading)
        while not task.done():
            await asyncio.sleep(0)
            turns += 1
        return await task

    monkeypatch.setattr(repository, "steps", note)
    monkeypatch.setattr(repository, "PIECE", 2)
    assert live.run(read(Repository(live.store).steps(table.opened.id))) == whole
    assert live.run(read(Repository(live.store).load(table.opened.id))) == whole[-1].game
    assert len(pieces) == 2 * -(-len(whole) // 2)
    assert max(size for size, _ in pieces) == 2
    assert len({turn for _, turn in pieces}) == len(pieces), "others had no turn between two pieces"
