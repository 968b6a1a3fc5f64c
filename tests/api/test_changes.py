"""The changes of a game as a list: the same messages as the stream, a page at a time."""

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest

from service.api.games.changes import ChangePage
from service.api.games.event_messages import ChangeMessage
from service.live.repository import PAGE
from tests.support.claims import house
from tests.support.games.callers import EVERYBODY, Bearer, Live, Table
from tests.support.games.listeners import Follow
from tests.support.http.client import refused


def list_changes(table: Table, bearer: Bearer = None, after: object = None) -> dict[str, Any]:
    answer = table.call(bearer, "GET", "/changes" + ("" if after is None else f"?after={after}"))
    assert answer.status == 200, answer
    page: dict[str, Any] = msgspec.json.decode(answer.body)
    if page["messages"]:
        assert answer.headers["etag"] == f'"{page["messages"][-1]["id"]}"'
    return page


def test_what_comes_after_a_version_is_shown(live: Live) -> None:
    table = live.open()
    table.stir(0, "mine")
    shown = table.call(None, "GET", f"/changes?after={table.revision(1)}").read(ChangePage).messages
    assert [type(message) for message in shown] == [ChangeMessage]


def test_a_caller_who_names_no_version_gets_the_whole_game(live: Live, chance: Random) -> None:
    table = live.open("denexa", 2)
    table.deal()
    table.play_any(chance)
    for bearer in (*table.seats, *EVERYBODY):
        page = list_changes(table, bearer)
        (message,) = page["messages"]
        assert (message["event"], message["id"], page["more"]) == ("game", str(table.revision(3)), False)
        assert message["data"] == msgspec.json.decode(table.call(bearer, "GET").body)


@pytest.mark.parametrize("after", ["2-00000000", "99-1f3a9c02"])
def test_another_past_gets_the_whole_game(live: Live, after: str) -> None:
    table = live.open()
    table.deal()
    assert [message["event"] for message in list_changes(table, None, after)["messages"]] == ["game"]


@pytest.mark.parametrize("after", ["0", "99", "1", "x", "", "9" * 5000, "1-1&after=2-2", "%00", "%C3%BC", "a=b&" * 20])
def test_what_is_no_version_is_refused(live: Live, after: str) -> None:
    refused(live.open().call(None, "GET", f"/changes?after={after}"), "invalid_query")


def test_page_by_page_everybody_gets_what_the_stream_tells(
    live: Live, twin: Live, follow: Follow, chance: Random
) -> None:
    table = live.open(house("denexa", target=70), 3)  # more than one deal can make
    first = table.revision(1)
    table.stir(0, "x")
    table.play_game(chance)
    version = table.number()
    for bearer in (*table.seats, *EVERYBODY):
        told = [
            {"event": said.event, "id": said.id, "data": msgspec.json.decode(said.data)}
            for said in follow(table, bearer, first).hear_version(version)
        ]
        after, listed = str(first), list[dict[str, Any]]()
        while True:
            page = list_changes(chance.choice((table, table.over(twin))), bearer, after)
            assert len(page["messages"]) == PAGE or not page["more"]
            listed += page["messages"]
            after = listed[-1]["id"]
            if not page["more"]:
                break
        assert listed == told
        assert len(told) == version - 1 > PAGE


def test_who_has_seen_it_all_gets_nothing_and_the_latest_version(live: Live) -> None:
    table = live.open()
    table.deal()
    answer = table.call(0, "GET", f"/changes?after={table.revision(2)}")
    assert (msgspec.json.decode(answer.body), answer.headers["etag"]) == (
        {"messages": [], "present": [], "more": False},
        f'"{table.revision(2)}"',
    )


def test_a_game_that_is_gone_has_no_changes(live: Live) -> None:
    table = live.open()
    table.call("host", "DELETE")
    refused(table.call(None, "GET", "/changes"), "game_gone")


def test_pages_that_many_ask_for_at_once_are_answered_one_after_the_other(live: Live) -> None:
    table = live.open()
    first = table.revision(1)
    for _ in range(PAGE):
        table.call("host", "POST", "/seats/0/tokens")
    answered = list[int]()

    async def ask() -> None:
        asked = live.asked("GET", f"{table.path}/changes?after={first}")
        assert len((await asked).read(ChangePage).messages) == PAGE
        answered[-1] += 1

    async def ask_all() -> None:
        async with asyncio.TaskGroup() as tasks:
            for _ in range(20):
                tasks.create_task(ask())
            while sum(answered) < 20:
                answered.append(0)
                await asyncio.sleep(0)

    live.run(ask_all())
    assert max(answered) <= 2
