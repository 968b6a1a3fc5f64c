"""A game that changes very often: its log has an end, and reading a long one lets others work."""

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from typing import TypeVar

import pytest
from msgspec.structs import replace

from service.live import repository
from service.live.decisions import MAX_CHANGES, NewEntry, decide_computer, decide_renewal
from service.live.entries import TokenEntry
from service.live.log import Game, Step, steps
from service.live.repository import Repository
from service.schemas.refusal import Refusal
from tests.support.games.callers import Live

Result = TypeVar("Result")


def test_seats_change_a_bounded_number_of_times_and_then_once_a_minute(live: Live) -> None:
    table = live.open("trebor", 4, first_dealer=0)
    game, token = live.run(Repository(live.store).load(table.opened.id)), table.opened.host_token
    for changes, minutes in ((MAX_CHANGES - 1, 0), (MAX_CHANGES, 1), (MAX_CHANGES + 9, 10)):
        late, at = replace(game, version=changes), game.opened_at + minutes * 60_000
        seated = decide_computer(late, token, late.revision, 2, "easy", at)
        assert isinstance(seated, NewEntry)
        later = replace(late, version=changes + 1)
        for decided in (
            decide_computer(later, token, later.revision, 2, "easy", at),
            decide_renewal(later, token, TokenEntry(1, b"", b"", b""), at),
        ):
            assert isinstance(decided, Refusal)
            assert decided.code == "too_many_changes"


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
    assert live.run(read(Repository(live.store, piece=2).steps(table.opened.id))) == whole
    assert live.run(read(Repository(live.store, piece=2).load(table.opened.id))) == whole[-1].game
    assert len(pieces) == 2 * -(-len(whole) // 2)
    assert max(size for size, _ in pieces) == 2
    assert len({turn for _, turn in pieces}) == len(pieces), "others had no turn between two pieces"
