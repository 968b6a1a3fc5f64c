"""An Idempotency-Key: a game asked for twice is opened once, and its tokens are the same both times."""

import asyncio
from collections.abc import Coroutine
from hashlib import sha256
from random import Random
from typing import Any

import msgspec
import pytest

from service.api.games.games import OpenedGame
from service.http.guards.api_keys import draw_key
from service.platform.settings import Settings
from tests.support.games.callers import GAMES, Live, Table, number_of
from tests.support.games.stores import Failing
from tests.support.http.client import MSGPACK, Answer, Request, refused, send_request

BODY = {"rules": "denexa", "players": 3}
BODY_JSON = msgspec.json.encode(BODY)


@pytest.fixture
def key(chance: Random) -> str:
    return f"{chance.getrandbits(128):032x}"


def post(live: Live, key: str, body: object = None) -> Answer:
    return live.call("POST", GAMES, BODY if body is None else body, (("idempotency-key", key),))


def test_a_repeat_gives_the_same_game_and_the_same_tokens(live: Live, twin: Live, key: str) -> None:
    first = post(live, key)
    assert first.status == 201
    assert post(live, key) == post(twin, key) == first
    table = Table(twin, first)
    assert table.see(2).seat == 2


def test_a_repeat_is_answered_as_the_first_when_the_game_has_gone_on(live: Live, key: str) -> None:
    first = post(live, key)
    table = Table(live, first)
    table.deal()
    assert post(live, key) == first
    assert table.number() == 2


def test_another_key_gives_another_game(live: Live, key: str) -> None:
    assert post(live, key).read(OpenedGame).id != post(live, key + "x").read(OpenedGame).id


def test_the_key_of_another_address_is_another_key(live: Live, key: str) -> None:
    def sent_by(client: str) -> Coroutine[Any, Any, Answer | None]:
        request = Request(GAMES, (BODY_JSON,), headers=(("idempotency-key", key),), client=client)
        return send_request(request, live.app)

    mine, yours = (live.run(sent_by(client)) for client in ("192.0.2.1", "192.0.2.2"))
    assert mine is not None
    assert yours is not None
    mine_has, yours_has = ({seat.token for seat in answer.read(OpenedGame).seats} for answer in (mine, yours))
    assert not mine_has & yours_has


def test_the_key_of_another_app_is_another_key(runner: asyncio.Runner, live: Live, key: str) -> None:
    (mine, my_line), (yours, your_line) = (draw_key(name) for name in ("mine", "yours"))
    keyed = Live(runner, live.store, Settings(api_keys=f"{my_line},{your_line}"))

    def opened(app: str) -> OpenedGame:
        answer = keyed.call("POST", GAMES, BODY, (("idempotency-key", key), ("x-api-key", app)))
        return answer.read(OpenedGame)

    assert opened(mine) == opened(mine)
    assert opened(mine).id != opened(yours).id


def test_another_body_with_the_same_key_is_refused(live: Live, key: str) -> None:
    post(live, key)
    refused(post(live, key, {**BODY, "ttl": 60}), "idempotency_key_reused")


def test_the_same_body_in_another_form_is_the_same(live: Live, key: str) -> None:
    first = post(live, key)
    body = msgspec.msgpack.encode({"players": 3, "rules": "denexa", "ttl": 24 * 3600})
    again = live.call("POST", GAMES, body, (("idempotency-key", key), ("content-type", MSGPACK), ("accept", "*/*")))
    assert again.read(OpenedGame) == first.read(OpenedGame)


@pytest.mark.parametrize("odd", ["", "x" * 15, "x" * 257])
def test_a_key_of_a_length_that_cannot_be_safe_is_refused(live: Live, odd: str) -> None:
    refused(post(live, odd), "bad_idempotency_key")


def test_a_key_may_be_of_any_characters(live: Live, key: str) -> None:
    odd = key + 'ÿ "/:\t'
    assert post(live, odd) == post(live, odd)


def test_a_body_that_is_refused_leaves_its_key_free(live: Live, key: str) -> None:
    refused(post(live, key, {**BODY, "players": 8}), "players_not_in_ruleset")
    assert post(live, key).status == 201


def test_many_who_ask_at_once_get_the_same_game(live: Live, twin: Live, key: str) -> None:
    async def ask() -> list[Answer]:
        asked = (on.asked("POST", GAMES, BODY, (("idempotency-key", key),)) for on in (live, twin) * 5)
        return list(await asyncio.gather(*asked))

    answers = live.run(ask())
    assert answers == [answers[0]] * 10


def test_a_deleted_game_is_not_opened_again(live: Live, twin: Live, key: str) -> None:
    first = post(live, key)
    table = Table(live, first)
    table.call("host", "DELETE")
    for again in (post(twin, key), post(live, key)):
        assert "another key" in refused(again, "game_gone").detail
    refused(table.call(None, "GET"), "game_gone")
    assert post(live, key + "x").status == 201


@pytest.mark.parametrize(("moment", "step"), [("before", "remember"), ("before", "create"), ("after", "create")])
def test_a_failure_between_the_key_and_the_game_or_after_both_is_mended_by_the_repeat(
    runner: asyncio.Runner, key: str, moment: str, step: str
) -> None:
    store = Failing()
    live = Live(runner, store)
    getattr(store, moment).append(step)
    lost = post(live, key)
    refused(lost, "store_down")
    assert lost.headers["retry-after"] == "1"
    first = post(live, key)
    assert post(live, key) == first
    assert number_of(Table(live, first).see(0).version) == 1


def test_a_game_that_the_store_has_lost_is_opened_again_as_the_very_same(runner: asyncio.Runner, key: str) -> None:
    store = Failing()
    live = Live(runner, store)
    first = post(live, key)
    table = Table(live, first)
    before = table.see()
    table.deal()
    runner.run(store.forget(table.opened.id))
    assert post(live, key) == first
    assert table.see() == before
    table.deal(version=1)
    assert table.see().shuffles[0].commitment == before.shuffles[0].commitment


def test_neither_a_token_nor_a_key_is_kept(runner: asyncio.Runner, key: str) -> None:
    store = Failing()
    live = Live(runner, store)
    table = Table(live, post(live, key))
    plain = live.open()
    for secret in (key, *table.secrets, *plain.secrets):
        assert secret.encode() not in store.kept
        assert msgspec.json.decode(f'"{secret}"').encode() not in store.kept


def test_what_else_the_store_keeps_is_no_game(live: Live, key: str) -> None:
    game = post(live, key).read(OpenedGame).id
    for name in ("key:" + sha256(key.encode()).hexdigest(), f"{game}:made"):
        refused(live.call("GET", f"{GAMES}/{name}"), "no_such_game")
