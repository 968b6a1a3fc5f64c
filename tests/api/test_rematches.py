"""The next game for the same people: every token of the game that is over is one of it, and there is one."""

import asyncio
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any

import pytest

from service.api.games.acts import Rematch
from service.api.games.seats import RenewedToken
from service.live.decisions import MAX_REMATCHES
from service.live.log import open_game
from service.live.store.memory import MemoryStore
from service.live.store.protocol import Store
from service.platform.settings import Settings
from service.schemas.ids import GameId
from service.schemas.live_game import LiveGame
from tests.support import wire
from tests.support.games.callers import Bearer, Live, Table, computers_of
from tests.support.games.listeners import Follow
from tests.support.games.stores import Failing
from tests.support.http.client import Answer, refused


@pytest.fixture
def over(live: Live) -> Table:
    """A game of two pairs that a seat has resigned."""
    return end(live.open("trebor", seats=[{"name": name} for name in ("Ann", "Bob", "Cho", "Dee")]))


def end(table: Table) -> Table:
    assert table.deal().status == 200
    assert table.resign(1).status == 200
    return table


def read_id(answer: Answer) -> str:
    """Return the id of the next game."""
    assert answer.status == 201
    return answer.read(Rematch).id


def sit_down(table: Table, renewal: Answer) -> LiveGame:
    """Look at a game with a token that a renewal gave."""
    bearing = (("authorization", f"Bearer {renewal.read(RenewedToken).token}"),)
    answer = table.live.call("GET", table.path, headers=bearing)
    assert answer.status == 200, answer
    return answer.read(LiveGame)


def test_every_token_of_the_game_is_one_of_the_next_for_the_same_seat(over: Table) -> None:
    after = over.with_id(read_id(over.rematch()))
    bearers: tuple[Bearer, ...] = (*over.seats, "host", None)
    assert [(seen.role, seen.seat) for seen in map(after.see, bearers)] == [
        *(("seat", seat) for seat in over.seats),
        ("host", None),
        ("spectator", None),
    ]


def test_the_next_game_is_that_which_was_opened_with_the_players_of_the_end(live: Live) -> None:
    options: dict[str, Any] = {"move_seconds": 60, "take_back": True, "on_revoke": "penalise", "first_dealer": 3}
    over = end(live.open("trebor", computers=(None, None, "easy", None), **options))
    over.call("host", "POST", "/seats/0/tokens", {"name": "Zoe"})
    before, after = over.see(), over.with_id(read_id(over.rematch())).see()
    own = {"id", "version", "opened_at", "changed_at", "expires_at", "phase", "position", "resigned", "rematch"}
    kept = set(LiveGame.__struct_fields__) - own - {"shuffles", "move_ends_at", "dealer"}
    assert [(name, getattr(after, name)) for name in kept] == [(name, getattr(before, name)) for name in kept]
    assert (after.dealer, after.phase, after.position, after.rematch) == (3, "to_deal", None, None)
    assert (after.seats[0].name, computers_of(after)) == ("Zoe", (None, None, "easy", None))


def test_the_next_game_is_shuffled_and_drawn_for_anew(live: Live, chance: Random) -> None:
    over = live.open("denexa", 2)
    over.play_game(chance)
    after = over.with_id(read_id(over.rematch()))
    assert after.see().draw != over.see().draw
    commitments = [shuffle.commitment for table in (over, after) for shuffle in table.see().shuffles]
    assert len(set(commitments)) == len(commitments)
    after.play_game(chance)
    assert read_id(after.rematch()) not in {over.opened.id, after.opened.id}


def test_who_follows_the_game_and_who_comes_back_are_shown_the_next(over: Table, follow: Follow) -> None:
    streams = [follow(over, bearer) for bearer in (2, None)]
    answer = over.rematch()
    rematch = read_id(answer)
    for stream in streams:
        assert stream.hear_version(over.number())[-1].change.events == (wire.RematchOpened(GameId(rematch)),)
    assert over.see().rematch == over.see(3).rematch == rematch
    assert not [secret for secret in over.secrets if secret in answer.body.decode()]


def test_the_answer_leads_to_the_next_game_which_can_be_dealt_at_once(over: Table) -> None:
    answer = over.rematch()
    after, version = over.with_id(read_id(answer)), answer.read(Rematch).version
    assert (answer.headers["location"], answer.headers["etag"]) == (after.path, f'"{version}"')
    assert after.see().version == version
    assert after.deal(version=1).status == 200


def test_the_same_request_once_more_opens_no_other_game(over: Table, twin: Live) -> None:
    first = over.rematch()
    assert over.rematch().body == first.body
    assert over.over(twin).rematch().body == first.body
    assert over.number() == 4


@pytest.mark.parametrize("move_seconds", [None, 60])
def test_of_requests_at_once_one_opens_the_game(
    runner: asyncio.Runner, store: Store, monkeypatch: pytest.MonkeyPatch, move_seconds: int | None
) -> None:
    times = count(1_767_268_800_000)

    async def read_clock(_: str) -> int:
        return next(times)

    monkeypatch.setattr(store, "read_clock", read_clock)
    over = end(Live(runner, store, clock=lambda: next(times)).open("trebor", move_seconds=move_seconds))

    async def ask() -> list[Answer]:
        paths = [over.live.asked("POST", f"{over.path}/rematches", None, over.token("host")) for _ in range(8)]
        return await asyncio.gather(*paths)

    answers = over.live.run(ask())
    assert {answer.status for answer in answers} == {201}
    assert {answer.body for answer in answers} == {over.rematch().body}
    assert over.number() == 4


@pytest.mark.parametrize("call", ["create", "append"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_after_a_failure_of_the_store_on_the_way_one_next_game_is_found(
    runner: asyncio.Runner, when: str, call: str
) -> None:
    store = Failing()
    over = end(Live(runner, store).open("trebor"))
    getattr(store, when).append(call)
    refused(over.rematch(), "store_down")
    rematch = read_id(over.rematch())
    assert rematch == over.see().rematch == read_id(over.rematch())
    assert (over.number(), over.with_id(rematch).phase()) == (4, "to_deal")


def test_a_token_that_is_renewed_while_the_next_game_is_opened_is_one_of_it(
    over: Table, twin: Live, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    create, renewals = store.create, list[Answer]()

    async def renew_then_create(*arguments: Any) -> tuple[bytes, bool] | None:
        if not renewals:
            renewals.append(await twin.asked("POST", f"{over.path}/seats/1/tokens", headers=over.token(1)))
        return await create(*arguments)

    monkeypatch.setattr(store, "create", renew_then_create)
    after = over.with_id(read_id(over.rematch()))
    assert over.see().rematch == after.opened.id
    assert sit_down(after, renewals[0]).seat == 1
    refused(after.call(1, "GET"), "unknown_token")


def test_a_token_that_is_renewed_after_a_failure_on_the_way_is_one_of_the_next_game(runner: asyncio.Runner) -> None:
    store = Failing()
    over = end(Live(runner, store).open("trebor"))
    store.before.append("append")
    refused(over.rematch(), "store_down")
    renewal = over.call(1, "POST", "/seats/1/tokens")
    after = over.with_id(read_id(over.rematch()))
    assert sit_down(after, renewal).seat == 1
    refused(after.call(1, "GET"), "unknown_token")


def test_a_next_game_that_expired_before_it_was_noted_is_not_found(runner: asyncio.Runner) -> None:
    store = Failing()
    over = end(Live(runner, store).open("trebor"))
    games = set(store._logs)
    store.before.append("append")
    refused(over.rematch(), "store_down")
    for unnoted in set(store._logs) - games:
        runner.run(store.drop(GameId(unnoted)))
    assert over.with_id(read_id(over.rematch())).phase() == "to_deal"


def test_after_a_next_game_that_is_gone_another_one_is_opened(over: Table) -> None:
    first = over.with_id(read_id(over.rematch()))
    assert first.call("host", "DELETE").status == 204
    second = read_id(over.rematch())
    assert second != first.opened.id
    assert over.see().rematch == read_id(over.rematch()) == second
    assert over.with_id(second).phase() == "to_deal"


def test_after_a_next_game_that_the_store_has_lost_another_one_is_opened(runner: asyncio.Runner) -> None:
    store = MemoryStore(10, 2**20)
    over = end(Live(runner, store).open("trebor"))
    first = read_id(over.rematch())
    store._logs.pop(first)
    second = read_id(over.rematch())
    assert second != first
    assert over.with_id(second).phase() == "to_deal"


@pytest.mark.parametrize("bearer", [0, 3, "host"])
def test_whoever_sits_at_the_table_opens_the_next_game_and_all_others_come_to_the_same(
    over: Table, bearer: Bearer
) -> None:
    first = read_id(over.rematch(bearer))
    everybody: tuple[Bearer, ...] = (*over.seats, "host")
    assert {read_id(over.rematch(each)) for each in everybody} == {first}


def test_a_spectator_opens_no_next_game(over: Table) -> None:
    refused(over.rematch(None), "token_missing")
    over.rematch()
    refused(over.rematch(None), "token_missing")


def test_no_next_game_is_opened_before_this_one_is_over(live: Live, chance: Random) -> None:
    table = live.open("trebor")
    refused(table.rematch(), "game_not_over")
    table.deal()
    table.play_any(chance)
    refused(table.rematch(), "game_not_over")


def test_a_token_is_renewed_in_one_of_the_games_only(over: Table) -> None:
    over.call("host", "POST", "/seats/0/tokens")  # void before the next game is opened: void there, too
    after = over.with_id(read_id(over.rematch()))
    refused(after.call(0, "GET"), "unknown_token")
    after.call(1, "POST", "/seats/1/tokens")
    refused(after.call(1, "GET"), "unknown_token")
    assert over.see(1).seat == 1
    over.call(2, "POST", "/seats/2/tokens")
    assert after.see(2).seat == 2


def test_the_next_game_counts_for_the_app_that_opened_the_first(runner: asyncio.Runner, store: Store) -> None:
    key = "the-key-of-an-app"
    live = Live(runner, store, Settings(api_keys=f"app:{sha256(key.encode()).hexdigest()}"))
    opening = live.call("POST", "/v1/games", {"rules": "denexa", "players": 2}, (("x-api-key", key),))
    over = end(Table(live, opening))
    (entry,) = live.run(store.load(GameId(read_id(over.rematch())))).entries
    assert open_game(entry).opened.owner == "key/app"


def test_a_host_opens_twenty_games_in_a_row_and_then_one_a_minute(runner: asyncio.Runner, store: Store) -> None:
    now = [1_767_268_800_000]
    live = Live(runner, store, clock=lambda: now[0])
    table = end(live.open("trebor"))

    def chain(most: int) -> int:
        nonlocal table
        for opened in range(most):
            answer = table.rematch()
            if answer.status != 201:
                refused(answer, "too_many_changes")
                return opened
            table = table.with_id(read_id(answer))
            table.see()
            end(table)
        return most

    assert chain(30) == MAX_REMATCHES
    now[0] += 60_000
    assert chain(2) == 1
    now[0] += 3 * 60_000
    assert chain(4) == 3
    now[0] += 60 * 60_000
    assert chain(30) == MAX_REMATCHES + 1, "after a pause the first does not count"


def test_deleted_games_give_a_host_no_more_rematches(runner: asyncio.Runner, store: Store) -> None:
    live = Live(runner, store, clock=lambda: 1_767_268_800_000)
    over, opened = end(live.open("trebor")), 0
    while opened < 30 and (answer := over.rematch()).status == 201:
        opened += 1
        assert over.with_id(read_id(answer)).call("host", "DELETE").status == 204
    assert opened == 2


def test_only_a_rematch_in_haste_has_a_later_format(runner: asyncio.Runner, store: Store) -> None:
    now = [1_767_268_800_000]
    table = end(Live(runner, store, clock=lambda: now[0]).open("trebor"))
    now[0] += 60_000
    slow = GameId(read_id(table.rematch()))
    after = table.with_id(slow)
    after.see()
    end(after)
    hasty = GameId(read_id(after.rematch()))
    entries = [runner.run(store.load(game)).entries[0] for game in (slow, hasty)]
    assert [entry[12] for entry in entries] == [3, 5]
