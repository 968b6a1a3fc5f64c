"""What a process knows of games: read once for all who ask, bounded, and given up when a game is gone."""

import asyncio
from random import Random
from unittest.mock import patch

import pytest

import service.games.repository
from service.games.repository import RECENT, Repository
from service.store.memory import MemoryStore
from service.wire.refusal import Refusal
from tests.support.games.callers import Live, Table


class Counting(MemoryStore):
    """A store that counts how often a log is read, takes its time, and may lose the game meanwhile."""

    def __init__(self) -> None:
        super().__init__(100, 2**20)
        self.reads = 0
        self.lost_after = 10**9

    async def load(self, game: str, start: int = 0, known: bytes = b"") -> list[bytes]:
        self.reads += 1
        await asyncio.sleep(0.01)
        return await super().load(game, start, known) if self.reads <= self.lost_after else []


@pytest.fixture
def store() -> Counting:
    return Counting()


@pytest.fixture
def table(runner: asyncio.Runner, store: Counting, chance: Random) -> Table:
    table = Live(runner, store).open("denexa", 2)
    table.deal()
    for _ in range(10):
        table.play_any(chance)
    store.reads = 0
    return table


def test_of_many_who_ask_for_the_same_news_one_reads_it(table: Table, store: Counting) -> None:
    keeper = Repository(store)

    async def ask() -> list[int]:
        asked = (keeper.steps_after(table.opened.id, 10, until=12) for _ in range(50))
        return [len(steps) for steps in await asyncio.gather(*asked)]

    assert table.live.run(ask()) == [2] * 50
    assert store.reads == 1


@pytest.mark.parametrize("version", range(13))
def test_the_steps_after_any_version_are_told(table: Table, store: Counting, version: int) -> None:
    keeper = Repository(store)
    for _ in range(2):
        steps = table.live.run(keeper.steps_after(table.opened.id, version))
        assert [step.game.version for step in steps] == list(range(version + 1, 13))


def test_many_who_look_at_once_see_the_same(table: Table, store: Counting, chance: Random) -> None:
    keeper = Repository(store)

    async def look() -> set[int]:
        return {game.version for game in await asyncio.gather(*(keeper.latest(table.opened.id) for _ in range(20)))}

    assert table.live.run(look()) == {12}
    table.play_any(chance)
    assert table.live.run(look()) == {13}
    assert len(keeper._recent[table.opened.id]) == RECENT


def test_a_game_that_vanishes_between_two_reads_is_not_found(table: Table, store: Counting) -> None:
    keeper = Repository(store)
    table.live.run(keeper.latest(table.opened.id))
    store.lost_after = store.reads + 1
    with pytest.raises(Refusal) as refusal:
        table.live.run(keeper.steps_after(table.opened.id, 1))
    assert refusal.value.code == "not_found"


def test_a_game_that_is_gone_is_forgotten(table: Table, store: Counting) -> None:
    keeper = Repository(store)
    table.live.run(keeper.latest(table.opened.id))
    store.lost_after = 0
    with pytest.raises(Refusal):
        table.live.run(keeper.latest(table.opened.id))
    assert keeper.remembered(table.opened.id) is None


def test_the_games_whose_changes_were_seen_last_are_remembered(table: Table, chance: Random) -> None:
    live = table.live
    keeper, others = Repository(live.store), [live.open("trebor", 2) for _ in range(2)]
    with patch.object(service.games.repository, "REMEMBERED", 2):
        for game in (table, others[0]):
            live.run(keeper.latest(game.opened.id))
        table.play_any(chance)
        for game in (table, others[1]):
            live.run(keeper.latest(game.opened.id))
    known = [keeper.remembered(game.opened.id) is not None for game in (table, *others)]
    assert known == [True, False, True]


def test_a_play_reads_nothing_where_the_process_knows_the_version(table: Table, store: Counting) -> None:
    turn = table.turn()
    store.reads = 0
    assert table.play(turn.seat, turn.legal[0], turn.version).status == 200
    assert store.reads == 0
