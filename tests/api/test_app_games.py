"""The games of an app: its feed has each finished game, however it ended, and its list has the open ones."""

import asyncio
from hashlib import sha256
from itertools import count
from random import Random
from time import time_ns
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from redis import Redis

from service.api.games.acts import Rematch
from service.app import make_store
from service.game.rules.record import Record
from service.live import feed, log
from service.live.ending import pack_ended
from service.live.feed import Feeds, FoundGames
from service.live.repository import Repository
from service.live.store.memory import MemoryStore
from service.live.store.protocol import FeedPage, Store
from service.live.store.redis.store import key_of
from service.platform.limits import POLLS
from service.platform.settings import Settings
from service.schemas.adjudication import Adjudication
from service.schemas.finished_game import EndedGame, FinishedGame, FinishedGames, OpenGames
from service.schemas.ids import Caller, GameId, app_of
from tests.platform.metrics.readings import value
from tests.support.games.callers import GAMES, Headers, Live, Table, number_of
from tests.support.http.client import refused
from tests.support.patience import WAIT

FEED: Final = "/v1/finished-games"
DAY: Final = 24 * 3600 * 1000
_NUMBERS: Final = count()


class App:
    """An app with a key of its own, at a process of the service whose clock is `ahead` by some milliseconds."""

    def __init__(self, runner: asyncio.Runner, store: Store, name: str = "", *others: str) -> None:
        self.name = name or f"app-{next(_NUMBERS)}"
        self.ahead = 0
        keys = ",".join(f"{one}:{sha256(one.encode()).hexdigest()}" for one in (self.name, *others))
        self.live = Live(runner, store, Settings(api_keys=keys), clock=self.read_clock)
        self.feeds = Feeds(Repository(store), self.read_clock, 3600, lambda: [self.caller])
        """The feeds as another process keeps them."""

    @property
    def caller(self) -> Caller:
        return app_of(self.name)

    @property
    def key(self) -> Headers:
        return (("x-api-key", self.name),)

    def read_clock(self) -> int:
        return time_ns() // 1_000_000 + self.ahead

    def open(self, rules: str = "trebor", players: int = 4, **more: object) -> Table:
        answer = self.live.call("POST", GAMES, {"rules": rules, "players": players, **more}, self.key)
        assert answer.status == 201, answer
        return Table(self.live, answer)

    def read(self, **query: object) -> FinishedGames:
        answer = self.live.call("GET", f"{FEED}?{urlencode(query)}", headers=self.key)
        assert answer.status == 200, answer
        return answer.read(FinishedGames)

    def await_games(self, number: int = 1, after: str | None = None) -> list[FinishedGame]:
        """Read the feed until it has a number of games."""
        games = list[FinishedGame]()
        while len(games) < number:
            page = self.read(wait=20, **({"after": after} if after else {}))
            assert page.games, f"{len(games)} of {number} games came in time"
            games, after = [*games, *page.games], page.next
        return games

    def list_open(self, **query: object) -> OpenGames:
        answer = self.live.call("GET", f"{GAMES}?{urlencode(query)}", headers=self.key)
        assert answer.status == 200, answer
        return answer.read(OpenGames)

    def list_ids(self) -> list[GameId]:
        return [each.id for each in self.list_open(limit=100).games]


@pytest.fixture
def app(runner: asyncio.Runner, store: Store, request: pytest.FixtureRequest) -> App:
    return App(runner, store, f"{sha256(request.node.name.encode()).hexdigest()[:16]}")


def ids_of(games: list[FinishedGame]) -> list[GameId]:
    return [each.id for each in games]


def end(table: Table, seat: int = 1) -> Table:
    """Let a seat resign."""
    assert table.deal().status == 200
    assert table.resign(seat).status == 200
    return table


def die_before_announcing(patch: pytest.MonkeyPatch) -> None:
    """Let processes die between the end of a game and its announcement."""

    def die(*_: object) -> None: ...

    patch.setattr(Feeds, "note_end", die)


def test_a_game_that_is_won_comes_with_its_record_which_an_adjudication_confirms(app: App) -> None:
    table = app.open(seats=[{"name": name} for name in ("Ann", "Bob", "Cho", "Dee")])
    table.play_game(Random(1))
    (game,) = app.await_games()
    seen, record = table.see(), table.call(None, "GET", "/record")
    assert (game.id, game.version, game.outcome, game.ended_at) == (seen.id, seen.version, "won", seen.changed_at)
    assert [seat.name for seat in game.seats] == ["Ann", "Bob", "Cho", "Dee"]
    assert seen.position is not None
    assert (game.winners, game.totals) == (seen.position.winners, seen.position.totals)
    assert record.read(Record) == game.record
    judged = app.live.call("POST", "/v1/adjudications", game.record, app.key).read(Adjudication)
    assert judged.winners == game.winners


@pytest.mark.parametrize("seat", [0, 3])
def test_a_game_that_is_resigned_comes_with_the_deal_that_was_not_played_out(app: App, seat: int) -> None:
    table = end(app.open(), seat)
    (game,) = app.await_games()
    assert game.won_by is not None
    assert (game.outcome, game.won_by.how, game.record.resigned) == ("won", "resignation", seat)
    assert game.winners == (1 - table.see().seats[seat].side,)
    assert [len(deal.plays) for deal in game.record.deals] == [0]


def test_a_game_that_is_lost_by_a_revoke_says_so(app: App) -> None:
    table = app.open("trebor", on_revoke="penalise")
    turn, card = table.turn_with_illegal_card(Random(2))
    assert table.play(turn.seat, card, turn.version).status == 200
    (game,) = app.await_games()
    assert game.won_by is not None
    assert (game.outcome, game.won_by.how) == ("won", "revoke")


def test_a_game_that_is_deleted_comes_with_the_record_so_far(app: App) -> None:
    table = app.open()
    table.deal()
    played = [table.play_any(Random(at)) for at in range(3)]
    assert table.call("host", "DELETE").status == 204
    (game,) = app.await_games()
    assert (game.outcome, game.won_by, game.winners, game.version) == ("deleted", None, (), played[-1].version)
    assert len(game.record.deals[0].plays) == 3
    assert all(isinstance(hand, tuple) for hand in game.record.deals[0].hands)


def test_a_game_that_is_won_and_then_deleted_counts_as_won(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        die_before_announcing(patch)
        table = end(app.open())
        assert table.call("host", "DELETE").status == 204
    assert app.list_ids() == []
    (game,) = app.await_games()
    assert (game.id, game.outcome) == (table.opened.id, "won")


def test_a_game_that_nobody_goes_on_with_comes_as_abandoned_and_ends_then(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, other = app.open(ttl=3600), app.open(ttl=7200)
    for each in (table, other):
        each.deal()
    change = table.play_any(Random(1))
    monkeypatch.setattr(log, "KEPT_SECONDS", log.KEPT_SECONDS + 3600)  # as if an hour had passed for the store
    app.ahead = 3600 * 1000 + 60_000
    assert app.list_ids() == [other.opened.id]
    (game,) = app.await_games()
    assert (game.id, game.outcome, game.version, game.winners) == (table.opened.id, "abandoned", change.version, ())
    assert len(game.record.deals[0].plays) == 1
    refused(table.call(0, "GET"), "game_gone")
    refused(table.play(0, "6C", number_of(change.version)), "game_gone")


def test_a_game_out_of_time_that_a_seat_still_waits_at_goes_on(app: App) -> None:
    table = app.open()
    app.ahead = 700 * 1000
    live, game = app.live, table.opened.id
    assert app.list_ids() == [game], "by the clock of the store it has time left"
    live.run(live.store.mark(game, "0/process", 30, ttl=600 + log.KEPT_SECONDS))
    assert app.list_ids() == [game]


def test_what_happens_after_the_end_changes_nothing_in_the_feed(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        die_before_announcing(patch)
        table = end(app.open())
        version = table.see().version
        assert table.call(2, "POST", "/seats/2/tokens", {"name": "Late"}).status == 200
        rematch = table.rematch()
        assert rematch.status == 201
    assert len(app.list_ids()) == 1
    (game,) = app.await_games()
    assert (game.version, [seat.name for seat in game.seats]) == (version, [None] * 4)


def test_the_next_game_of_the_same_people_is_the_apps_as_well(app: App) -> None:
    table = end(app.open())
    rematch = table.rematch().read(Rematch)
    assert app.list_ids() == [rematch.id]


def test_a_next_game_that_lost_the_race_for_its_name_is_neither_open_nor_finished(
    app: App, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    create, table = store.create, end(app.open())
    renewals = iter(range(1))

    async def renew_then_create(*arguments: Any) -> tuple[bytes, bool] | None:
        for seat in renewals:
            await app.live.asked("POST", f"{table.path}/seats/{seat}/tokens", headers=table.token(seat))
        return await create(*arguments)

    monkeypatch.setattr(store, "create", renew_then_create)
    rematch = table.rematch().read(Rematch)
    assert table.see().version.startswith("5-")  # renewed in between, then named
    assert app.list_ids() == [rematch.id]
    assert ids_of(app.await_games()) == [table.opened.id]


def test_a_game_of_computers_comes_without_anybody_who_plays(app: App) -> None:
    table = app.open("take-ten", 2, seats=[{"computer": "easy"}, {"name": "Ann"}], move_seconds=None)
    table.deal()
    assert table.resign(1).status == 200
    assert app.await_games()[0].seats[0].computer == "easy"


def test_games_come_in_the_order_in_which_they_ended_whatever_the_page(app: App) -> None:
    tables = [app.open() for _ in range(7)]
    Random(3).shuffle(tables)
    for at, table in enumerate(tables):
        end(table)
        app.await_games(at + 1)
    wanted = [table.opened.id for table in tables]
    for limit in (1, 2, 3, 7, 100):
        found, page = list[GameId](), app.read(limit=limit)
        while page.games:
            assert len(page.games) <= limit
            assert page.more == (len(found) + len(page.games) < len(wanted))
            found += ids_of([*page.games])
            page = app.read(limit=limit, after=page.next)
        assert found == wanted
        assert page.next is not None


def test_a_process_that_dies_before_it_announces_leaves_that_to_whoever_lists_or_sweeps(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        die_before_announcing(patch)
        listed, swept = end(app.open()), app.open()
        assert app.list_ids() == [swept.opened.id]
        assert ids_of([*app.read().games]) == [listed.opened.id]
        end(swept)
    app.live.run(sweep(app, 2))
    assert ids_of([*app.read().games]) == [listed.opened.id, swept.opened.id]


def test_a_game_that_cannot_be_announced_keeps_no_other_one_from_the_feed(
    app: App, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as patch:
        die_before_announcing(patch)
        broken, sound = end(app.open()), end(app.open())

    def fail(game: EndedGame) -> bytes:
        if game.id == broken.opened.id:
            raise ValueError("a fault that nobody thought of")
        return pack_ended(game)

    with monkeypatch.context() as patch:
        patch.setattr(feed, "pack_ended", fail)
        app.live.run(sweep(app, 1))
    assert ids_of([*app.read().games]) == [sound.opened.id]
    assert "a fault that nobody thought of" in caplog.text
    assert app.list_ids() == []
    assert ids_of([*app.read().games]) == [sound.opened.id, broken.opened.id]


def test_a_game_that_comes_before_the_feed_is_watched_is_not_waited_for(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, load = app.open(), app.live.store.load_feed
    with monkeypatch.context() as patch:
        die_before_announcing(patch)
        end(table)

    async def announce_meanwhile(*place: Any) -> FeedPage:
        page = await load(*place)
        await app.feeds.list_open(app.caller, 0, 1)
        return page

    async def wait() -> FoundGames:
        async with asyncio.timeout(WAIT):
            return await app.feeds.find(app.caller, None, 1, int(2 * WAIT))

    monkeypatch.setattr(app.live.store, "load_feed", announce_meanwhile)
    assert len(app.live.run(wait()).entries) == 1


async def sweep(app: App, games: int) -> None:
    """Sweep as another process does, until a number of games is in the feed."""
    await app.feeds.open()
    async with asyncio.timeout(WAIT):
        while len((await app.feeds.find(app.caller, None, games, 0)).entries) < games:  # noqa: ASYNC110 – or of another test
            await asyncio.sleep(0.01)
    await app.feeds.close()


def test_a_game_that_the_store_has_lost_is_counted_and_listed_no_more(app: App) -> None:
    table, lost = app.open(), app.open()
    app.live.run(app.live.store.drop(lost.opened.id))
    before = value("catchten_feed_dropped_total", reason="lost")
    assert app.list_ids() == [table.opened.id]
    assert app.read().games == ()
    assert value("catchten_feed_dropped_total", reason="lost") == before + 1


def test_a_game_that_was_never_there_is_waited_for_for_a_day(runner: asyncio.Runner, redis_url: str) -> None:
    store = make_store(Settings(redis_url=redis_url, store_timeout=60))
    app = App(runner, store, "app-of-a-game-that-never-was")
    game = app.open().opened.id
    with Redis.from_url(redis_url) as redis:
        redis.delete(key_of(game), f"{key_of(game)}:made")  # as if its process had died after the index
    for ahead, there in ((0, True), (DAY - 60_000, True), (DAY + 60_000, False)):
        other = App(runner, store, app.name)
        other.ahead = ahead
        assert other.list_ids() == []
        assert bool(runner.run(store.list_open(app.caller, 0, 10))) == there
    runner.run(store.close())


def test_the_list_says_whose_turn_it_is_and_since_when(app: App) -> None:
    table = app.open(seats=[{"name": "Ann"}, {"computer": "easy"}, {}, {}], first_dealer=0)
    (shown,) = app.list_open().games
    seen = table.see()
    assert (shown.id, shown.version, shown.phase, shown.turn) == (seen.id, seen.version, "to_deal", seen.dealer)
    assert (shown.turn_since, shown.expires_at, shown.rules) == (seen.opened_at, seen.expires_at, "trebor")
    assert [(seat.name, seat.computer) for seat in shown.seats] == [("Ann", None), (None, "easy"), *[(None, None)] * 2]
    other = app.open()
    other.deal()
    change = other.play_any(Random(1))
    assert other.call(2, "POST", "/seats/2/tokens", {}).status == 200
    shown = app.list_open().games[-1]
    assert change.position is not None
    assert (shown.phase, shown.turn, shown.turn_since) == ("playing", change.position.turn, change.at)


def test_the_list_is_read_in_pages_and_by_phase(app: App) -> None:
    tables = [app.open() for _ in range(5)]
    for table in tables[::2]:
        table.deal()
    ids = [table.opened.id for table in tables]
    assert app.list_ids() == ids
    first = app.list_open(limit=2)
    second = app.list_open(limit=2, after=first.next)
    last = app.list_open(limit=2, after=second.next)
    assert [each.id for page in (first, second, last) for each in page.games] == ids
    assert last.next is None
    assert [each.id for each in app.list_open(phase="playing").games] == ids[::2]
    assert [each.id for each in app.list_open(phase="to_deal").games] == ids[1::2]
    for query in ("phase=game_over", "limit=0", "limit=101", "limit=x", "after=-1", "phase=null"):
        refused(app.live.call("GET", f"{GAMES}?{query}", headers=app.key), "invalid_query")


def test_an_app_sees_its_own_games_and_no_others(runner: asyncio.Runner, store: Store, app: App) -> None:
    other = App(runner, store, f"{app.name}-other", app.name)
    mine, theirs = end(app.open()), end(other.open())
    open_game = app.open()
    for one, table in ((app, mine), (other, theirs)):
        assert ids_of(one.await_games()) == [table.opened.id]
    assert (app.list_ids(), other.list_ids()) == ([open_game.opened.id], [])


@pytest.mark.parametrize("path", [FEED, GAMES])
def test_only_the_key_of_an_app_shows_its_games(app: App, live: Live, path: str) -> None:
    table = app.open()
    refused(app.live.call("GET", path), "api_key_missing")
    refused(app.live.call("GET", path, headers=(("x-api-key", "x"),)), "unknown_api_key")
    refused(app.live.call("GET", path, headers=table.token("host")), "api_key_missing")
    answer = live.call("GET", path)
    refused(answer, "no_apps")
    assert answer.status == 403
    refused(live.call("GET", path, headers=app.key), "no_apps")


def test_a_place_that_the_store_has_lost_begins_the_feed_again(app: App) -> None:
    end(app.open())
    app.await_games()
    page = app.read()
    assert page.next is not None
    for lost in ("9" + page.next, page.next[:-1] + ("1" if page.next[-1] == "0" else "0")):
        assert app.read(after=lost) == page
    assert app.read(after=page.next).games == ()
    for wrong in ("x", "1", "1-", "0-00000000", ""):
        refused(app.live.call("GET", f"{FEED}?after={wrong}", headers=app.key), "invalid_query")


def test_what_is_kept_no_longer_is_told_in_the_next_page(runner: asyncio.Runner) -> None:
    app = App(runner, MemoryStore(1000, 16 * 3000))
    end(app.open())
    first = app.read(wait=20)
    tables = [end(app.open()) for _ in range(9)]
    room = value("catchten_feed_dropped_total", reason="room")
    while ids_of([*app.read(limit=100).games])[-1:] != [tables[-1].opened.id]:
        runner.run(asyncio.sleep(0.01))
    page = app.read(after=first.next)
    assert page.dropped > 0
    assert page.dropped + len(page.games) == 9
    assert app.read().dropped == 0
    assert value("catchten_feed_dropped_total", reason="room") >= room


async def ask(app: App, path: str) -> FinishedGames:
    answer = await app.live.asked("GET", path, headers=app.key)
    assert answer.status == 200, answer
    return answer.read(FinishedGames)


def test_a_request_that_waits_is_answered_when_a_game_ends_at_another_process(app: App, twin: Live) -> None:
    table = app.open()
    table.deal()
    over = table.over(App(app.live.runner, twin.store, app.name).live)

    async def wait_and_resign() -> FinishedGames:
        waiting = asyncio.create_task(ask(app, f"{FEED}?wait=20"))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        headers = table.headers(1, table.last_seen)
        answer = await over.live.asked("POST", f"{over.path}/resignations", {}, headers)
        assert answer.status == 200
        async with asyncio.timeout(WAIT):
            return await waiting

    assert ids_of([*app.live.run(wait_and_resign()).games]) == [table.opened.id]


def test_a_request_that_waits_is_answered_empty_in_the_end_and_at_once_when_the_process_stops(app: App) -> None:
    assert app.read(wait=1).games == ()

    async def wait_and_stop() -> FinishedGames:
        waiting = asyncio.create_task(ask(app, f"{FEED}?wait=20"))
        await asyncio.sleep(0.05)
        app.live.stop.end()
        async with asyncio.timeout(WAIT):
            return await waiting

    assert app.live.run(wait_and_stop()).games == ()


def test_an_app_that_waits_as_often_as_it_may_leaves_room_for_another(
    runner: asyncio.Runner, store: Store, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "POLLS", POLLS.__class__(POLLS.what, POLLS.unit, 4, POLLS.refusal))
    hog = App(runner, store, f"{app.name}-hog", f"{app.name}-other")

    async def crowd() -> list[int]:
        waiting = [asyncio.create_task(hog.live.asked("GET", f"{FEED}?wait=20", headers=hog.key)) for _ in range(4)]
        refusals = asyncio.as_completed(waiting, timeout=WAIT)
        for _ in range(2):
            refused(await next(refusals), "share_used_up")
        other = (("x-api-key", f"{app.name}-other"),)
        answer = await hog.live.asked("GET", f"{FEED}?wait=1", headers=other)
        hog.live.stop.end()
        return sorted([answer.status, *[(await each).status for each in waiting]])

    assert runner.run(crowd()) == [200, 200, 200, 429, 429]
