"""Laws of both stores: a log begins once, grows by one entry at the version seen, and is gone after its time."""

import asyncio
import tracemalloc
from random import Random

import pytest

from service.live.store.memory import MAX_GONE, MemoryStore
from service.live.store.protocol import GONE_SECONDS, Store, StoreFull
from service.schemas.ids import Caller, GameId
from service.schemas.revision import revision_of
from tests.support.games.callers import Live
from tests.support.games.listeners import Waiting


@pytest.fixture
def game(chance: Random) -> GameId:
    return GameId(f"{chance.getrandbits(128):032x}")


def test_a_log_begins_once(live: Live, game: GameId) -> None:
    store = live.store
    assert live.run(store.create(game, b"first", 60)) == (b"first", True)
    for again in (b"second", b"first"):
        assert live.run(store.create(game, again, 60)) == (b"first", False)
    assert live.run(store.load(game)).entries == [b"first"]


def test_a_log_grows_only_at_its_length_and_after_the_entry_that_was_seen(live: Live, game: GameId) -> None:
    store = live.store
    assert not live.run(store.append(game, 1, b"none", 60, b"0"))
    live.run(store.create(game, b"0", 60))
    for version, after in ((0, b"0"), (2, b"0"), (99, b"0"), (1, b""), (1, b"00"), (1, b"other")):
        assert not live.run(store.append(game, version, b"x", 60, after))
    assert live.run(store.append(game, 1, b"1", 60, b"0"))
    assert not live.run(store.append(game, 1, b"1", 60, b"0"))
    assert live.run(store.load(game)).entries == [b"0", b"1"]


def test_of_many_who_append_at_once_one_does(live: Live, game: GameId) -> None:
    store = live.store

    async def append() -> list[bool]:
        return await asyncio.gather(*(store.append(game, 1, b"%d" % at, 60, b"0") for at in range(20)))

    live.run(store.create(game, b"0", 60))
    assert sum(live.run(append())) == 1
    assert len(live.run(store.load(game)).entries) == 2


def test_a_debt_grows_up_to_what_it_may_be_and_no_further(live: Live, game: GameId) -> None:
    hour = 3600 * 1_000_000
    admitted = [live.run(live.store.consume(game, hour // 4, hour)) for _ in range(6)]
    assert [taken for taken, _ in admitted] == [True] * 4 + [False] * 2
    assert [round(owed / hour, 2) for _, owed in admitted] == [0.25, 0.5, 0.75, 1, 1, 1]
    assert live.run(live.store.consume(f"{game}-other", hour, hour))[0]


def test_a_debt_melts_away(live: Live, game: GameId) -> None:
    assert live.run(live.store.consume(game, 20_000, 20_000)) == (True, 20_000)
    while not (again := live.run(live.store.consume(game, 20_000, 20_000)))[0]:
        assert 0 < again[1] <= 20_000
    assert again == (True, 20_000)


def test_a_debt_may_be_longer_than_a_life(live: Live, game: GameId) -> None:
    year = 365 * 86_400 * 1_000_000
    assert live.run(live.store.consume(game, 30 * year, 31 * year)) == (True, 30 * year)
    admitted, owed = live.run(live.store.consume(game, 2 * year, 31 * year))
    assert not admitted
    assert 29 * year < owed <= 30 * year


def test_of_too_many_who_owe_the_one_charged_longest_ago_is_let_off() -> None:
    store = MemoryStore(1, 1024, lambda: 1.0, max_debtors=2)

    async def consume() -> list[bool]:
        return [(await store.consume(name, 2, 3))[0] for name in ("a", "b", "a", "c", "b", "c", "a", "b")]

    assert asyncio.run(consume()) == [True, True, False, True, False, False, True, True]


def test_of_many_who_are_charged_at_once_no_more_pass_than_the_quota_has_room_for(live: Live, game: GameId) -> None:
    async def consume() -> list[tuple[bool, int]]:
        return await asyncio.gather(*(live.store.consume(game, 10**12, 5 * 10**12) for _ in range(20)))

    assert sum(taken for taken, _ in live.run(consume())) == 5


def test_a_log_is_read_from_any_entry_on(live: Live, game: GameId) -> None:
    store = live.store
    lines = [bytes([at]) * at for at in range(5)]
    live.run(store.create(game, lines[0], 60))
    for at in range(1, 5):
        live.run(store.append(game, at, lines[at], 60, lines[at - 1]))
    for start in range(7):
        assert live.run(store.load(game, start)).entries == lines[start:]
        for stop in range(1, 7):
            assert live.run(store.load(game, start, stop=stop)).entries == lines[start:stop]
    assert live.run(store.load(GameId("none"))).entries == []


def test_what_was_read_does_not_change_afterwards(live: Live, game: GameId) -> None:
    live.run(live.store.create(game, b"0", 60))
    read = live.run(live.store.load(game)).entries
    live.run(live.store.append(game, 1, b"1", 60, b"0"))
    assert read == [b"0"]


def test_a_holder_is_absent_from_the_moment_at_which_its_last_lease_ended(live: Live, game: GameId) -> None:
    store = live.store

    async def find() -> list[float | None]:
        return [await store.find_absence(game, holder) for holder in "01"]

    async def come_and_go() -> None:
        await store.create(game, b"0", 60)
        assert await find() == [None, None]
        for process in ("one", "two"):
            await store.mark(game, f"1/{process}", 60)
        await store.mark(game, "1/one", 60, stays=False)
        assert await find() == [None, 0]
        await store.mark(game, "1/two", 60, stays=False)
        await asyncio.sleep(0.2)
        await store.mark(game, "0/one", 60)
        here, gone = await find()
        assert here == 0
        assert gone is not None
        assert gone >= 0.15
        await store.mark(game, "1/one", 60)
        assert await find() == [0, 0]

    live.run(come_and_go())


def test_a_log_that_is_dropped_is_gone_and_does_not_begin_anew(live: Live, game: GameId) -> None:
    store = live.store
    live.run(store.create(game, b"0", 60))
    live.run(store.drop(game))
    live.run(store.drop(game))
    assert live.run(store.load(game)).entries == []
    assert not live.run(store.append(game, 1, b"1", 60, b"0"))
    assert live.run(store.create(game, b"again", 60)) is None
    assert live.run(store.load(game)).entries == []


def test_only_a_log_that_was_there_is_gone(live: Live, game: GameId) -> None:
    store = live.store
    live.run(store.drop(game))
    assert not live.run(store.is_gone(game))
    live.run(store.create(game, b"0", 60))
    live.run(store.append(game, 1, b"1", 60, b"0"))
    assert not live.run(store.is_gone(game))
    live.run(store.drop(game))
    assert live.run(store.is_gone(game))


def test_only_a_log_that_was_dropped_is_deleted(live: Live, game: GameId) -> None:
    store = live.store
    live.run(store.create(game, b"entry", 600))
    assert not live.run(store.is_deleted(game))
    assert live.run(store.append(game, 1, b"more", 3600, b"entry"))
    assert not live.run(store.is_deleted(game))
    live.run(store.drop(game))
    assert live.run(store.is_deleted(game))
    assert not live.run(store.is_deleted(GameId(game + "x")))


def test_a_value_that_is_forgotten_is_no_game_that_is_gone(live: Live, game: GameId) -> None:
    live.run(live.store.remember(game, b"value", 1))
    live.run(asyncio.sleep(1.1))
    assert not live.run(live.store.is_gone(game))


def test_a_log_that_is_to_begin_once_more_expires_when_it_would_have(live: Live, game: GameId) -> None:
    store = live.store
    live.run(store.create(game, b"0", 60))
    live.run(store.create(game, b"again", 1))
    live.run(asyncio.sleep(1.1))
    assert live.run(store.load(game)).entries == [b"0"]


def test_the_first_value_under_a_key_is_kept(live: Live, game: GameId) -> None:
    store = live.store
    assert live.run(store.remember(game, b"first", 60)) == b"first"
    assert live.run(store.remember(game, b"second", 60)) == b"first"


def test_what_no_call_renews_is_forgotten_and_a_change_renews(live: Live, game: GameId) -> None:
    store = live.store
    live.run(store.create(game, b"0", 3))
    live.run(store.create(GameId(game + "b"), b"0", 3))
    live.run(store.remember(game + "c", b"0", 3))
    live.run(store.remember(game + "c", b"again", 60))
    live.run(store.append(game, 1, b"1", 60, b"0"))
    live.run(asyncio.sleep(3.1))
    assert live.run(store.load(game)).entries == [b"0", b"1"]
    assert live.run(store.load(GameId(game + "b"))).entries == []
    assert [live.run(store.is_gone(GameId(name))) for name in (game, game + "b", game + "c")] == [False, True, False]
    assert live.run(store.remember(game + "c", b"new", 60)) == b"new"


def test_a_watcher_is_told_of_changes_and_of_the_end(live: Live, game: GameId) -> None:
    store, watcher = live.store, Waiting()
    live.run(store.create(game, b"0", 60))
    live.run(begin_to_watch(store, game, watcher))
    live.run(store.append(game, 1, b"1", 60, b"0"))
    live.run(watcher.until(lambda: watcher.notified == revision_of(2, b"1")))
    watcher.resync = False
    live.run(store.drop(game))
    live.run(watcher.until(lambda: watcher.resync))
    store.unwatch(game, watcher)


async def begin_to_watch(store: Store, game: GameId, watcher: Waiting) -> None:
    """Watch a game, and wait until the store listens: then it asks a watcher to resync; in memory it always listens."""
    store.watch(game, watcher)
    if not isinstance(store, MemoryStore):
        await watcher.until(lambda: watcher.resync)


def test_the_store_gives_a_sign_of_life(live: Live) -> None:
    live.run(live.store.ping())


# ── In the process: bounded, with a clock of the test ────────────────────────────────────────────────────────────


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def small(clock: Clock) -> MemoryStore:
    return MemoryStore(3, 10_000, clock)


def test_time_runs_from_the_last_change(runner: asyncio.Runner, clock: Clock, small: MemoryStore) -> None:
    runner.run(small.create(GameId("a"), b"0", 60))
    clock.now = 59
    assert runner.run(small.append(GameId("a"), 1, b"1", 60, b"0"))
    clock.now = 118
    assert runner.run(small.load(GameId("a"))).entries
    clock.now = 119
    assert not runner.run(small.load(GameId("a"))).entries
    assert not runner.run(small.append(GameId("a"), 2, b"2", 60, b"1"))


def test_a_log_that_expired_does_not_begin_anew_either(
    runner: asyncio.Runner, clock: Clock, small: MemoryStore
) -> None:
    runner.run(small.create(GameId("a"), b"0", 60))
    clock.now = 61
    assert runner.run(small.create(GameId("a"), b"0", 60)) is None
    assert runner.run(small.is_gone(GameId("a")))
    clock.now = 61 + GONE_SECONDS
    assert not runner.run(small.is_gone(GameId("a")))
    assert runner.run(small.create(GameId("a"), b"0", 60))


def test_of_too_many_games_that_are_gone_the_one_that_ended_first_is_forgotten(runner: asyncio.Runner) -> None:
    store = MemoryStore(3, 10_000)

    async def end_many() -> list[bool]:
        for at in range(MAX_GONE + 1):
            await store.create(GameId(f"{at}"), b"0", 60)
            await store.drop(GameId(f"{at}"))
        return [await store.is_gone(GameId(f"{at}")) for at in (0, 1, MAX_GONE)]

    assert runner.run(end_many()) == [False, True, True]


def test_a_full_store_refuses_and_loses_nothing(runner: asyncio.Runner, clock: Clock, small: MemoryStore) -> None:
    for name in "abc":
        assert runner.run(small.create(GameId(name), b"0", 60))
    for refused in (small.create(GameId("d"), b"0", 60), small.remember("d", b"0", 60)):
        with pytest.raises(StoreFull):
            runner.run(refused)
    assert [runner.run(small.load(GameId(name))).entries for name in "abcd"] == [[b"0"]] * 3 + [[]]
    assert runner.run(small.append(GameId("a"), 1, b"1", 60, b"0"))
    clock.now = 60
    assert runner.run(small.create(GameId("d"), b"0", 60))


def test_one_owner_has_no_more_than_half_of_the_games(runner: asyncio.Runner, clock: Clock) -> None:
    store = MemoryStore(8, 100_000, clock)
    for name in "abcd":
        assert runner.run(store.create(GameId(name), b"0", 60, owner=Caller("me")))
    for refused in (
        store.create(GameId("e"), b"0", 60, owner=Caller("me")),
        store.remember("e", b"0", 60, owner=Caller("me")),
    ):
        with pytest.raises(StoreFull):
            runner.run(refused)
    assert runner.run(store.create(GameId("e"), b"0", 60, owner=Caller("you")))
    runner.run(store.drop(GameId("a")))
    assert runner.run(store.create(GameId("f"), b"0", 120, owner=Caller("me")))
    clock.now = 61
    for name in "ghi":
        assert runner.run(store.create(GameId(name), b"0", 60, owner=Caller("me")))
    clock.now = 200
    runner.run(store.stats())
    assert not store._logs.owned
    assert not store._logs.owned_bytes


def test_one_owner_has_no_more_than_half_of_the_bytes(runner: asyncio.Runner, clock: Clock) -> None:
    store = MemoryStore(100, 10_000, clock)
    assert runner.run(store.create(GameId("a"), b"x" * 2300, 60, owner=Caller("me")))
    assert runner.run(store.append(GameId("a"), 1, b"y" * 2000, 60, b"x" * 2300))
    for refused in (
        store.append(GameId("a"), 2, b"z" * 100, 60, b"y" * 2000),
        store.create(GameId("b"), b"0", 60, owner=Caller("me")),
    ):
        with pytest.raises(StoreFull):
            runner.run(refused)
    assert runner.run(store.create(GameId("b"), b"0", 60, owner=Caller("you")))


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_store_out_of_room_refuses_to_grow(runner: asyncio.Runner, small: MemoryStore, name: str) -> None:
    runner.run(small.create(GameId("a"), b"x" * 4000, 60))
    runner.run(small.create(GameId("b"), b"x" * 4000, 60))
    with pytest.raises(StoreFull):
        runner.run(small.append(GameId(name), 1, b"x" * 2000, 60, b"x" * 4000))
    assert len(runner.run(small.load(GameId(name))).entries) == 1
    assert runner.run(small.append(GameId(name), 1, b"x" * 500, 60, b"x" * 4000))


def test_what_cannot_be_kept_at_all_is_refused(runner: asyncio.Runner, small: MemoryStore) -> None:
    with pytest.raises(StoreFull):
        runner.run(small.create(GameId("a"), b"x" * 20_000, 60))


def test_the_memory_of_a_full_store_is_within_its_bound(runner: asyncio.Runner) -> None:
    bound = 2**20
    store = MemoryStore(10**6, bound)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    with pytest.raises(StoreFull):
        runner.run(fill(store))
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert bound / 3 < taken < bound * 1.1


async def fill(store: MemoryStore) -> None:
    """Play short games until the store is full."""
    game = 0
    while True:
        game += 1
        last = b"x" * 400
        await store.create(GameId(f"{game:022}"), last, 60)
        for version in range(1, 50):
            after, last = last, b"%014d" % version
            await store.append(GameId(f"{game:022}"), version, last, 60, after)
