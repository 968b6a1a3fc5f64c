"""A game that changes very often: its log has an end, and reading a long one lets others work."""

import asyncio

import pytest

from service.games import repository, seating
from service.games.repository import Repository
from tests.support.games.callers import Live
from tests.support.http.client import refused


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
    whole = Repository(live.store)
    steps = live.run(whole.steps(table.opened.id))

    async def rounds(another: Repository) -> tuple[int, bool]:
        tasks = [
            asyncio.create_task(another.steps(table.opened.id)),
            asyncio.create_task(another.load(table.opened.id)),
        ]
        count = 0
        while not all(task.done() for task in tasks):
            await asyncio.sleep(0)
            count += 1
        return count, await tasks[0] == steps and await tasks[1] == steps[-1].game

    at_once, same = live.run(rounds(Repository(live.store)))
    assert same
    monkeypatch.setattr(repository, "PIECE", 2)
    in_pieces, same = live.run(rounds(Repository(live.store)))
    assert same
    assert in_pieces - at_once >= 20
