"""A player looks at up to fifty games at once: each answer is by itself, and shows no card, no token and no secret."""

import asyncio
from random import Random
from typing import Final, TypeAlias

import pytest

from service.api.games.acts import Rematch
from service.api.games.my_games import LOADED_AT_ONCE, MAX_GAMES, GameAnswer, GameAnswers
from service.game.cards import CODES
from service.http.guards.api_keys import draw_key
from service.live.log import Game
from service.live.repository import Repository
from service.live.store.protocol import Store
from service.platform.settings import Settings
from service.schemas.finished_game import GameSummary
from service.schemas.ids import GameId
from service.schemas.refusal import Refusal
from tests.support.games.callers import Bearer, Headers, Live, Table
from tests.support.http.client import refused

PATH: Final = "/v1/my-games"
Asked: TypeAlias = dict[str, object]


def entry(table: Table, bearer: Bearer) -> Asked:
    """Return what is sent of a game by a bearer."""
    if bearer is None:
        return {"id": table.opened.id}
    return {"id": table.opened.id, "token": table.opened.host_token if bearer == "host" else table.tokens[bearer]}


def look(live: Live, *games: Asked, headers: Headers = ()) -> tuple[GameAnswer, ...]:
    answer = live.call("POST", PATH, {"games": games}, headers)
    assert answer.status == 200, answer
    return answer.read(GameAnswers).answers


def shown(answer: GameAnswer) -> GameSummary:
    assert (answer.status, answer.problem) == (200, None)
    assert answer.answer is not None
    return answer.answer


@pytest.mark.parametrize("bearer", [0, 3, "host", None])
def test_a_game_stands_as_it_does_when_it_is_asked_for_alone(live: Live, bearer: Bearer) -> None:
    table = live.open(seats=[{"name": "Ann"}, {"computer": "easy"}, {}, {}], first_dealer=2)
    for _ in range(2):
        game, alone = shown(look(live, entry(table, bearer))[0]), table.see()
        assert (game.id, game.version, game.phase) == (alone.id, alone.version, alone.phase)
        assert (game.rules, game.expires_at, game.rematch) == (alone.rules, alone.expires_at, None)
        assert game.turn == (alone.dealer if alone.position is None else alone.position.turn)
        assert game.turn_since == (alone.opened_at if alone.position is None else alone.changed_at)
        assert [(seat.name, seat.computer) for seat in game.seats] == [(one.name, one.computer) for one in alone.seats]
        table.deal("host")


def test_a_game_that_is_over_names_the_next_one_and_nobodys_turn(live: Live) -> None:
    table = live.open()
    table.deal()
    assert table.resign(1).status == 200
    following = table.rematch().read(Rematch)
    game = shown(look(live, entry(table, 2))[0])
    assert (game.phase, game.turn, game.turn_since, game.rematch) == ("game_over", None, None, following.id)


def test_each_answer_is_by_itself_and_in_the_order_of_the_request(live: Live) -> None:
    table, other, gone = live.open(), live.open(), live.open()
    assert gone.call("host", "DELETE").status == 204
    assert table.call(1, "POST", "/seats/1/tokens", {}).status == 200  # a token of the opening is void
    asked: tuple[Asked, ...] = (
        entry(table, 0),
        entry(table, 1),
        entry(table, 0) | {"token": other.tokens[0]},
        entry(table, 0) | {"token": ""},
        entry(gone, 0),
        {"id": "A" * 22},
        *(dict[str, object](id=text) for text in ("", "A" * 21, "key:" + "0" * 18, "ü" * 22, "*", "A" * 100)),
        entry(other, None),
        entry(table, 0),
    )
    answers = look(live, *asked)
    codes = [each.problem and each.problem.code for each in answers]
    wrong = ["unknown_token"] * 3
    assert codes == [None, *wrong, "game_gone", *["no_such_game"] * 7, None, None]
    assert [each.status for each in answers] == [200, *[401] * 3, 410, *[404] * 7, 200, 200]
    assert all((each.answer is None) != (each.problem is None) for each in answers)
    assert shown(answers[-2]).id == other.opened.id
    assert answers[0] == answers[-1]


def test_a_store_that_does_not_answer_for_one_game_leaves_the_others_alone(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, other, load = live.open(), live.open(), Repository.load
    lost = {table.opened.id}

    async def fail(repository: Repository, game: GameId) -> Game:
        if game in lost:
            raise Refusal("store_down", "No server keeps this game now.")
        return await load(repository, game)

    monkeypatch.setattr(Repository, "load", fail)
    first, second = look(live, entry(table, 0), entry(other, 0))
    assert first.problem is not None
    assert (first.problem.code, first.status, shown(second).id) == ("store_down", 503, other.opened.id)
    lost.add(other.opened.id)
    answer = live.call("POST", PATH, {"games": [entry(table, 0), entry(other, 0)]})
    refused(answer, "store_down")
    assert answer.headers["retry-after"] == "1", "so that clients ask again by themselves"


def test_fifty_games_are_loaded_a_few_at_a_time(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, load = [live.open("take-ten", 2) for _ in range(MAX_GAMES)], Repository.load
    under_way, most = 0, 0

    async def count(repository: Repository, game: GameId) -> Game:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        try:
            return await load(repository, game)
        finally:
            under_way -= 1

    monkeypatch.setattr(Repository, "load", count)
    answers = look(live, *(entry(table, 0) for table in tables))
    assert [shown(each).id for each in answers] == [table.opened.id for table in tables]
    assert most == LOADED_AT_ONCE


@pytest.mark.parametrize(
    "games",
    [[], [{"id": "A" * 22}] * (MAX_GAMES + 1), [{"id": "A" * 101}], [{}], [{"id": "A" * 22, "seat": 0}], None],
)
def test_a_list_of_another_form_is_refused(live: Live, games: object) -> None:
    refused(live.call("POST", PATH, {"games": games}), "invalid_body")


def test_no_answer_has_a_card_a_token_or_a_secret(live: Live) -> None:
    table = live.open(first_dealer=0, seats=[{"name": name} for name in ("Ann", "Bob", "Cho", "Dee")])
    table.deal()
    for at in range(6):
        table.play_any(Random(at))
    asked = [entry(table, bearer) for bearer in (*table.seats, "host", None)]
    text = live.call("POST", PATH, {"games": [*asked, entry(table, 0) | {"token": "wrong"}]}).body.decode()
    assert [card for card in CODES if f'"{card}"' in text] == []
    assert [secret for secret in (*table.secrets, "wrong") if secret in text] == []


def test_a_look_changes_nothing_and_is_a_query(live: Live) -> None:
    table = live.open()
    before = live.run(live.store.load(table.opened.id)).entries
    answers = [live.call(method, PATH, {"games": [entry(table, 0)]}) for method in ("POST", "QUERY")]
    assert answers[0].body == answers[1].body
    assert {answer.headers["cache-control"] for answer in answers} == {"private, no-store"}
    assert live.run(live.store.load(table.opened.id)).entries == before


def test_players_need_no_key_and_each_game_counts_for_their_quota(runner: asyncio.Runner, store: Store) -> None:
    key, line = draw_key("arran")
    live = Live(runner, store, Settings(api_keys=line, rate_limit="100/day"))
    table = Table(live, live.call("POST", "/v1/games", {"rules": "trebor", "players": 4}, (("x-api-key", key),)))
    for headers in ((), (("x-api-key", key),)):
        answers = [live.call("POST", PATH, {"games": [entry(table, 0)] * games}, headers) for games in (1, 20)]
        left = [int(answer.headers["ratelimit"].partition("r=")[2].partition(";")[0]) for answer in answers]
        assert left[0] - left[1] == 20
    refused(live.call("POST", PATH, {"games": [entry(table, 0)]}, (("x-api-key", "x"),)), "unknown_api_key")
