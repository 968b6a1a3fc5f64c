"""Laws of both stores: the index of an app's open games, its feed, and the log that an ended game leaves."""

import asyncio
from random import Random
from time import time_ns

import pytest

from service.app import make_store
from service.live.store.memory import MemoryStore
from service.live.store.protocol import MAX_FEED_BYTES, MAX_FEED_SHARE, FeedPage, Store
from service.platform.settings import Settings
from service.schemas.ids import Caller, GameId, app_of
from tests.support import redis_server
from tests.support.games.callers import Live
from tests.support.games.listeners import Waiting


@pytest.fixture
def app(chance: Random) -> Caller:
    return app_of(f"app-{chance.getrandbits(64):016x}")


async def open_games(store: Store, app: Caller, *names: str, ttl: int = 60) -> list[GameId]:
    games = [GameId(f"{app}/{name}") for name in names]
    for game in games:
        assert await store.create(game, b"opened", ttl, app) == (b"opened", True)
    return games


async def list_names(store: Store, app: Caller, after: int = 0, limit: int = 100) -> list[str]:
    return [each.game.rpartition("/")[2] for each in await store.list_open(app, after, limit)]


def announce(live: Live, app: Caller, game: GameId, entry: bytes, ttl: int = 60) -> int | None:
    return live.run(live.store.announce(app, game, entry, ttl))


def fill(live: Live, app: Caller, *entries: bytes, ttl: int = 60) -> None:
    """Open a game for each entry, and announce it with that."""
    games = live.run(open_games(live.store, app, *[f"{at}-{time_ns()}" for at in range(len(entries))]))
    for game, entry in zip(games, entries, strict=True):
        assert announce(live, app, game, entry, ttl) is not None


def test_the_games_of_an_app_are_listed_in_the_order_in_which_they_were_opened(live: Live, app: Caller) -> None:
    names = [*"badcfe"]
    live.run(open_games(live.store, app, *names))
    listed = live.run(live.store.list_open(app, 0, 100))
    assert [each.game.rpartition("/")[2] for each in listed] == names
    places = [each.at for each in listed]
    assert places == sorted(set(places))
    assert live.run(list_names(live.store, app, places[1])) == names[2:]
    assert live.run(list_names(live.store, app, places[1], limit=2)) == names[2:4]
    assert live.run(list_names(live.store, app, places[-1])) == []


def test_a_game_of_nobody_and_of_an_address_has_no_index(live: Live, app: Caller) -> None:
    for owner in (Caller(""), Caller("address/10.0.0.1")):
        live.run(live.store.create(GameId(f"{app}/{owner}"), b"opened", 60, owner))
        assert live.run(list_names(live.store, owner)) == []


def test_a_game_that_is_opened_again_keeps_its_place_and_does_not_come_back_once_it_was_announced(
    live: Live, app: Caller
) -> None:
    store = live.store
    first, _ = live.run(open_games(store, app, "first", "second"))
    assert live.run(store.create(first, b"again", 60, app)) == (b"opened", False)
    assert live.run(list_names(store, app)) == ["first", "second"]
    announce(live, app, first, b"entry")
    assert live.run(store.create(first, b"again", 60, app)) == (b"opened", False)
    assert live.run(list_names(store, app)) == ["second"]


def test_a_game_moves_from_the_index_to_the_feed_once(live: Live, app: Caller) -> None:
    store = live.store
    (game,) = live.run(open_games(store, app, "game"))

    async def announce_often() -> list[int | None]:
        return await asyncio.gather(*(store.announce(app, game, b"entry %d" % at, 60) for at in range(10)))

    assert sorted(live.run(announce_often()), key=str) == [0, *[None] * 9]
    page = live.run(store.load_feed(app, 0, 10))
    assert (page.first, page.end, page.start, len(page.entries)) == (0, 1, 0, 1)
    assert live.run(list_names(store, app)) == []
    assert announce(live, app, GameId("never opened"), b"entry") is None


def test_a_game_that_is_lost_leaves_the_index_and_is_not_in_the_feed(live: Live, app: Caller) -> None:
    (game,) = live.run(open_games(live.store, app, "game"))
    assert announce(live, app, game, b"") == 0
    assert live.run(list_names(live.store, app)) == []
    assert live.run(live.store.load_feed(app, 0, 10)) == FeedPage(0, 0, 0, [])


def test_a_feed_is_read_from_any_position_and_from_its_beginning_behind_its_end(live: Live, app: Caller) -> None:
    entries = [b"%d" % at for at in range(5)]
    fill(live, app, *entries)
    for start in range(6):
        assert live.run(live.store.load_feed(app, start, 10)) == FeedPage(0, 5, start, entries[start:])
    assert live.run(live.store.load_feed(app, 1, 2)) == FeedPage(0, 5, 1, entries[1:3])
    assert live.run(live.store.load_feed(app, 6, 10)) == FeedPage(0, 5, 0, entries)


def test_the_entries_of_a_page_are_bounded_in_bytes_but_two_come_in_any_case(live: Live, app: Caller) -> None:
    entries = [bytes([at]) * (MAX_FEED_BYTES * 2 // 5) for at in range(4)]
    fill(live, app, *entries)
    assert live.run(live.store.load_feed(app, 0, 10)).entries == entries[:2]
    assert live.run(live.store.load_feed(app, 3, 10)).entries == entries[3:]


def test_an_entry_goes_after_its_time_with_the_next_one(live: Live, app: Caller) -> None:
    fill(live, app, b"old", ttl=1)
    live.run(asyncio.sleep(1.2))
    fill(live, app, b"new", b"newer", ttl=1)
    page = live.run(live.store.load_feed(app, 0, 10))
    assert page.entries == [b"new", b"newer"]
    assert page.end - page.first == 2


def test_the_feed_of_one_app_keeps_its_latest_entries_and_leaves_the_feed_of_another_alone(
    runner: asyncio.Runner, app: Caller
) -> None:
    live, other = Live(runner, MemoryStore(1000, MAX_FEED_SHARE * 10_000)), app_of("other")
    fill(live, other, b"other")
    fill(live, app, *[b"%03d" % at + b"x" * 900 for at in range(100)])
    page = runner.run(live.store.load_feed(app, 0, 100))
    assert page.end == 100
    assert 5 < len(page.entries) == page.end - page.first <= 11
    assert page.entries[-1].startswith(b"099")
    assert runner.run(live.store.load_feed(other, 0, 10)).entries == [b"other"]


def test_in_redis_a_feed_has_a_bound_as_well_and_says_how_many_entries_went(
    runner: asyncio.Runner, app: Caller
) -> None:
    with redis_server.running("--maxmemory", "8mb", "--maxmemory-policy", "noeviction") as port:
        live = Live(runner, make_store(Settings(redis_url=f"redis://127.0.0.1:{port}", store_timeout=60)))
        live.run(live.store.stats())
        games = live.run(open_games(live.store, app, *map(str, range(10))))
        dropped = [announce(live, app, game, b"x" * 120_000) for game in games]
        page = live.run(live.store.load_feed(app, 0, 10))
        live.run(live.store.close())
    assert dropped == [0] * 4 + [1] * 6, "four of them are not yet a sixteenth of 8 MiB"
    assert (page.first, page.end) == (6, 10)


def test_a_log_that_is_kept_aside_says_how_and_when_its_game_ended(live: Live, app: Caller) -> None:
    store, now = live.store, time_ns() // 1_000_000
    deleted, late, other = live.run(open_games(store, app, "deleted", "late", "other", ttl=60))
    live.run(store.drop(deleted, 60))
    assert not live.run(store.expire(late, b"another", 60)), "the log has moved on"
    assert not live.run(store.expire(late, b"opened", 30)), "it has time left"
    assert live.run(store.expire(late, b"opened", 60))
    for game, word in ((deleted, "deleted"), (late, "expired")):
        log, mark = live.run(store.load_ended(game)) or [b"", b""]
        how, at = mark.decode().split()
        assert (log, how) == (b"opened", word)
        assert abs(int(at) - now) < 60_000
        assert live.run(store.load(game)).entries == []
        assert live.run(store.is_gone(game))
        assert live.run(store.is_deleted(game))
        assert not live.run(store.append(game, 1, b"late", 60, b"opened"))
        live.run(store.forget_ended(game))
        assert live.run(store.load_ended(game)) == []
    assert live.run(store.load_ended(other)) is None
    assert live.run(store.load_ended(GameId("never opened"))) is None


def test_a_game_that_is_dropped_without_being_kept_leaves_nothing(live: Live, app: Caller) -> None:
    (game,) = live.run(open_games(live.store, app, "game"))
    live.run(live.store.drop(game))
    assert live.run(live.store.load_ended(game)) == []


def test_one_process_at_a_time_has_the_sweep_of_an_app(live: Live, twin: Live, app: Caller) -> None:
    assert live.run(live.store.take_sweep(app, 1))
    assert not twin.run(twin.store.take_sweep(app, 1))
    live.run(asyncio.sleep(1.1))
    assert twin.run(twin.store.take_sweep(app, 1))


def test_a_watcher_of_an_app_is_told_of_each_entry(live: Live, app: Caller) -> None:
    store, watcher = live.store, Waiting()

    async def wait_for_two() -> None:
        store.watch(GameId(app), watcher)
        for game in await open_games(store, app, "one", "two"):
            watcher.resync = False
            await store.announce(app, game, b"entry", 60)
            await watcher.until(lambda: watcher.resync)
        store.unwatch(GameId(app), watcher)

    live.run(wait_for_two())
