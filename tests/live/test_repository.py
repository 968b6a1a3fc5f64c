"""The games that a process remembers: read once for all who ask, bounded, and given up when a game is gone."""

import asyncio
import re
from random import Random
from typing import Final

import pytest
from msgspec import structs
from msgspec.structs import replace

from service.game.rulesets import RULESETS, Source, Sources
from service.live.entries import parse_entry
from service.live.repository import GAME_BYTES, GAME_LOST, RECENT, Repository, new_entry_bytes, size_of
from service.live.store.memory import MemoryStore
from service.live.store.protocol import Loaded
from service.schemas.ids import NOBODY, Caller, GameId
from service.schemas.refusal import Refusal
from service.schemas.revision import NO_REVISION, Revision
from tests.platform.metrics.readings import value
from tests.support.games.callers import Live, Table, number_of
from tests.support.games.stores import Failing
from tests.support.http.client import refused

ROLLED_BACK: Final = "catchten_games_rolled_back_total"


class Counting(MemoryStore):
    """A store that counts how often a log is read, takes its time, and may lose the game meanwhile."""

    def __init__(self) -> None:
        super().__init__(100, 2**20)
        self.reads = 0
        self.lost_after = 10**9

    async def load(self, game: GameId, start: int = 0, last_entry: bytes = b"", stop: int | None = None) -> Loaded:
        self.reads += 1
        await asyncio.sleep(0.01)
        return await super().load(game, start, last_entry, stop) if self.reads <= self.lost_after else Loaded([])


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
    repository, seen = Repository(store), (table.revision(10), table.revision(12))

    async def ask() -> list[int]:
        asked = (repository.steps_after(table.opened.id, *seen) for _ in range(50))
        return [len(steps or ()) for _, steps in await asyncio.gather(*asked)]

    assert table.live.run(ask()) == [2] * 50
    assert store.reads == 1


def test_the_steps_after_any_revision_are_told_and_none_after_one_of_another_past(
    table: Table, store: Counting
) -> None:
    for version in range(1, 13):
        repository = Repository(store)
        for _ in range(2):
            _check_steps(table, repository, version)


def _check_steps(table: Table, repository: Repository, version: int) -> None:
    now, steps = table.live.run(repository.steps_after(table.opened.id, table.revision(version)))
    assert now.version == 12
    assert steps is not None
    assert [step.game.version for step in steps] == list(range(version + 1, 13))
    assert table.live.run(repository.steps_after(table.opened.id, Revision(version, "00000000"))) == (now, None)


def test_there_is_nothing_after_a_revision_that_is_yet_to_come(table: Table, store: Counting) -> None:
    repository = Repository(store)
    for revision in (NO_REVISION, Revision(13, "00000000"), Revision(999_999_999, table.revision(12).tag)):
        assert table.live.run(repository.steps_after(table.opened.id, revision))[1] is None


def test_a_revision_that_is_known_to_be_there_is_read_if_another_past_is_remembered(
    runner: asyncio.Runner, chance: Random
) -> None:
    store = Failing()
    one, two = Live(runner, store), Repository(store)
    table = one.open("denexa", 2)
    table.deal()
    table.play_any(chance)
    dead = table.revision(3)
    assert runner.run(two.load(table.opened.id)).revision == dead
    runner.run(store.lose(table.opened.id, 1))
    table.play_any(chance)
    assert (table.revision(3).version, table.revision(3) != dead) == (dead.version, True)
    _, steps = runner.run(two.steps_after(table.opened.id, table.revision(2), table.revision(3)))
    assert [step.game.revision for step in steps or ()] == [table.revision(3)]
    assert runner.run(two.steps_after(table.opened.id, dead))[1] is None


def test_many_who_look_at_once_see_the_same(table: Table, store: Counting, chance: Random) -> None:
    repository = Repository(store)

    async def look() -> set[int]:
        return {game.version for game in await asyncio.gather(*(repository.load(table.opened.id) for _ in range(20)))}

    assert table.live.run(look()) == {12}
    table.play_any(chance)
    assert table.live.run(look()) == {13}
    assert len(repository._recent[table.opened.id]) == RECENT


def test_a_game_that_vanishes_between_two_reads_is_refused(table: Table, store: Counting) -> None:
    repository = Repository(store)
    table.live.run(repository.load(table.opened.id))
    store.lost_after = store.reads + 1
    with pytest.raises(Refusal) as refusal:
        table.live.run(repository.steps_after(table.opened.id, table.revision(1)))
    assert refusal.value.detail == GAME_LOST


def test_a_game_that_is_gone_is_forgotten(table: Table, store: Counting) -> None:
    repository = Repository(store)
    table.live.run(repository.load(table.opened.id))
    store.lost_after = 0
    with pytest.raises(Refusal):
        table.live.run(repository.load(table.opened.id))
    assert repository.remembered(table.opened.id) is None


def test_the_games_whose_changes_were_seen_last_are_remembered(table: Table, chance: Random) -> None:
    live = table.live
    repository, others = Repository(live.store, max_bytes=7000), [live.open("trebor", 2) for _ in range(2)]
    for game in (table, others[0]):
        live.run(repository.load(game.opened.id))
    table.play_any(chance)
    for game in (table, others[1]):
        live.run(repository.load(game.opened.id))
    known = [repository.remembered(game.opened.id) is not None for game in (table, *others)]
    assert known == [True, False, True]


def test_what_is_remembered_is_bounded_in_bytes_and_not_in_games(table: Table) -> None:
    live, long = table.live, "x" * 300
    repository = Repository(live.store, max_bytes=100_000)
    sources = Sources(**dict.fromkeys(Sources.__struct_fields__, Source("x", long)))
    opened = [live.open(replace(RULESETS["trebor"], id=f"own-{at}", sources=sources)).opened.id for at in range(20)]
    games = [live.run(repository.load(game)) for game in opened]
    known = [repository.remembered(game) is not None for game in opened]
    assert known == [False] * known.count(False) + [True] * known.count(True)
    assert 1 < known.count(True) == 100_000 // size_of(games[0]) < 10
    for game in opened:
        repository.forget(game)
    assert repository.remembered_bytes == 0


def test_a_game_takes_more_memory_with_every_shuffle(table: Table) -> None:
    live = table.live
    table, repository = live.open("denexa", 2), Repository(live.store)
    before = size_of(table.live.run(repository.load(table.opened.id)))
    assert table.deal().status == 200
    after = size_of(table.live.run(repository.load(table.opened.id)))
    assert GAME_BYTES == before < after == repository.remembered_bytes


def test_a_play_reads_nothing_where_the_process_knows_the_version(table: Table, store: Counting) -> None:
    turn = table.turn()
    store.reads = 0
    assert table.play(turn.seat, turn.legal[0], turn.version).status == 200
    assert store.reads == 0


def test_a_revision_has_a_tag_that_no_other_past_has(table: Table, store: Counting) -> None:
    one, two = Repository(store), Repository(store)
    games = [table.live.run(repository.load(table.opened.id)) for repository in (one, two)]
    assert games[0].revision == games[1].revision
    assert re.fullmatch("12-[0-9a-f]{8}", str(games[0].revision))
    entry = parse_entry(games[0].raw)
    assert len({structs.replace(games[0], raw=new_entry_bytes(entry, 0)).revision for _ in range(100)}) == 100


def test_a_revision_that_the_store_has_lost_is_none(runner: asyncio.Runner, chance: Random) -> None:
    store = Failing()
    table = Live(runner, store).open("denexa", 2)
    table.deal()
    made = table.play_any(chance)
    repository = Repository(store)
    before, after = (table.revision(number_of(made.version) - more) for more in (1, 0))
    assert table.live.run(repository.steps_after(table.opened.id, after))[1] == []
    table.live.run(store.lose(table.opened.id, 1))
    assert table.live.run(repository.steps_after(table.opened.id, after))[1] is None
    assert table.live.run(repository.steps_after(table.opened.id, before))[1] == []


def test_a_game_that_the_store_has_rolled_back_is_counted_once_and_one_that_is_gone_is_not(
    runner: asyncio.Runner, chance: Random
) -> None:
    store = Failing()
    table = Live(runner, store).open("denexa", 2)
    table.deal()
    table.play_any(chance)
    game, repository, before = table.opened.id, Repository(store), value(ROLLED_BACK)
    table.live.run(repository.load(game))
    table.live.run(repository.load(game))
    assert value(ROLLED_BACK) == before
    table.live.run(store.lose(game, 1))
    for _ in range(2):
        table.live.run(repository.load(game))
    assert value(ROLLED_BACK) == before + 1
    table.live.run(store.drop(game))
    with pytest.raises(Refusal):
        table.live.run(repository.load(game))
    assert value(ROLLED_BACK) == before + 1


class Refusing(MemoryStore):
    """A store that appends nothing, as where another server answers each call."""

    async def append(
        self, game: GameId, version: int, entry: bytes, ttl: int, after: bytes, owner: Caller = NOBODY
    ) -> bool:
        return False


def test_a_change_that_is_refused_though_the_game_has_not_moved_on_is_to_be_sent_again(runner: asyncio.Runner) -> None:
    problem = refused(Live(runner, Refusing(10, 2**20)).open().deal(), "store_down")
    assert "was not made" in (problem.detail or "")
