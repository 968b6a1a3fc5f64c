"""When the store is away or full: live games say so and when to come back, questions go on."""

import asyncio
from random import Random

import pytest

from service.live.store.memory import MemoryStore
from service.schemas.ids import GameId
from tests.support.games.callers import GAMES, Live, Table
from tests.support.games.stores import Failing
from tests.support.http.client import refused


@pytest.fixture
def failing() -> Failing:
    return Failing()


@pytest.fixture
def table(runner: asyncio.Runner, failing: Failing) -> Table:
    table = Live(runner, failing).open()
    table.deal()
    return table


def test_every_call_says_that_the_store_is_away_and_when_to_ask_again(table: Table, failing: Failing) -> None:
    turn = table.turn()
    failing.away = True
    for answer in (
        table.live.call("POST", GAMES, {"rules": "denexa", "players": 2}),
        table.live.call("POST", GAMES, {"rules": "denexa", "players": 2}, (("idempotency-key", "k" * 20),)),
        table.call(None, "GET"),
        table.call(None, "GET", "/record"),
        table.call(None, "GET", "/events"),
        table.play(turn.seat, turn.legal[0], turn.version),
        table.play(turn.seat, turn.legal[0], turn.version - 1),
        table.deal(),
        table.stir(0, "x"),
        table.call("host", "DELETE"),
    ):
        refused(answer, "store_down")
        assert answer.headers["retry-after"] == "1"


def test_questions_answer_while_the_store_is_away(table: Table, failing: Failing) -> None:
    failing.away = True
    assert table.live.call("POST", "/v1/deals", {"rules": "denexa", "players": 2, "dealer": 0}).status == 200
    assert table.live.call("GET", "/v1/rulesets").status == 200


def test_the_game_goes_on_when_the_store_is_back(table: Table, failing: Failing, chance: Random) -> None:
    turn = table.turn()
    failing.away = True
    refused(table.play(turn.seat, turn.legal[0], turn.version), "store_down")
    failing.away = False
    assert table.turn() == turn
    table.play_game(chance)


def test_a_full_store_takes_no_more_games_and_loses_none(runner: asyncio.Runner) -> None:
    store = MemoryStore(3, 2**20)
    live = Live(runner, store)
    tables = [live.open() for _ in range(2)]
    assert runner.run(store.create(GameId("somebody else's"), b"game", 60))
    answer = live.call("POST", GAMES, {"rules": "denexa", "players": 2})
    refused(answer, "store_full")
    assert answer.headers["retry-after"] == "60"
    assert [table.deal().status for table in tables] == [200] * 2
    tables[0].call("host", "DELETE")
    refused(live.call("POST", GAMES, {"rules": "denexa", "players": 2}), "share_used_up")
    live.client = "192.0.2.1"
    assert live.open().phase() == "to_deal"


def test_a_play_that_finds_the_store_full_is_not_made_and_can_be_made_later(runner: asyncio.Runner) -> None:
    live = Live(runner, MemoryStore(10, 2**20))
    first, second = live.open(), live.open()
    first.deal()
    turn = first.turn()
    live.store = store = live.store
    assert isinstance(store, MemoryStore)
    taken = 2**20 - round(store._logs.currsize)
    runner.run(store.remember("key:rest", b"x" * (taken - 512 - 64), 60))
    refused(first.play(turn.seat, turn.legal[0], turn.version), "store_full")
    assert first.turn() == turn
    second.call("host", "DELETE")
    assert first.play(turn.seat, turn.legal[0], turn.version).status == 200
