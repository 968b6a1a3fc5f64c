"""Live games where no event stream comes through: their changes are asked for."""

from typing import Any, Final

import httpx
import pytest
from catch_the_ten import Client, models
from catch_the_ten.problems import GameGone, TooManyRequests
from catch_the_ten.sight import number_of

from tests.python_client.both import Connect
from tests.python_client.flaky import Faults, FlakyProxy
from tests.python_client.playing import check_game, open_game
from tests.python_client.script import CHANGE, LIVE, Script, event, live_game, refused, stream
from tests.python_client.test_flaky import BY
from tests.support.http.server import Server

HELD: Final = Faults(dropped=11, lost=7, delayed=5, held=1)
REFUSED: Final = Faults(dropped=11, lost=7, delayed=5, refused=1)
SILENCE: Final = 0.5
"""Seconds without a sign of life after which a stream is dead; changes are asked for fifty times as often."""


@pytest.mark.parametrize(("players", "faults"), [("threads", HELD), ("tasks", REFUSED)], ids=["held back", "refused"])
def test_a_game_whose_streams_never_come_through_is_played_all_the_same(
    players: str, faults: Faults, served: Server, url: str
) -> None:
    with Client(url) as client, FlakyProxy(served.port, faults) as proxy:
        opened = open_game(client, 1)
        seen = BY[players](proxy.url, opened, "seed", silence=SILENCE)
        check_game(client.join(opened.id, opened.host_token), seen)
    assert sum(len(bearer.plays) for bearer in seen) == 36
    hindered = sum(proxy.counts[f"{fault} streams"] for fault in ("dropped", "held", "refused"))
    assert hindered == proxy.counts["streams"] >= 5
    assert proxy.counts["lost plays"] + proxy.counts["lost polls"] >= 3


def page(*messages: Any, more: bool = False) -> httpx.Response:
    return httpx.Response(200, json={"messages": messages, "present": [1], "more": more})


def message(name: str, content: dict[str, Any]) -> dict[str, object]:
    return {"event": name, "id": content["version"], "data": content}


def change(number: int, **more: Any) -> dict[str, object]:
    return message("change", CHANGE | {"version": f"{number}-aaaaaaaa"} | more)


GAME: Final = message("game", LIVE | {"version": "3-aaaaaaaa"})


def full() -> httpx.Response:
    return refused("too_many_streams", 503)


def test_what_pages_show_is_shown_once_and_a_stream_goes_on_from_it(connect: Connect) -> None:
    pages = [page(GAME, change(4), more=True), page(change(5)), page(), page(change(6))]
    over = event("change", CHANGE | {"version": "7-aaaaaaaa", "phase": "game_over"})
    asked: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/changes"):
            asked.append(request.url.params.get("after"))
            return pages.pop(0) if pages else page()
        if request.url.path.endswith("/events"):
            return full() if pages else stream(over)
        return live_game("3-aaaaaaaa")

    game = connect(answer, silence=SILENCE).join(LIVE["id"])
    updates = list(game.changes())
    assert [number_of(update.version) for update in updates] == [3, 4, 5, 6, 7]
    assert [seat.seat for seat in game.state.seats if seat.present] == [1]
    assert [update.whole for update in updates] == [True, False, False, False, False]
    assert asked[:4] == [None, "4-aaaaaaaa", "5-aaaaaaaa", "5-aaaaaaaa"]


def test_another_past_that_a_page_shows_takes_the_place_of_what_was_shown(connect: Connect) -> None:
    before = message("game", LIVE | {"version": "2-bbbbbbbb", "phase": "game_over"})
    script = Script(live_game("3-aaaaaaaa"), full(), page(GAME, change(4)), full(), page(before))
    game = connect(script, silence=SILENCE).join(LIVE["id"])
    assert [update.version for update in game.changes()] == ["3-aaaaaaaa", "4-aaaaaaaa", "2-bbbbbbbb"]
    assert game.latest.version == "2-bbbbbbbb"


def test_a_game_that_is_gone_and_a_quota_that_is_used_up_end_the_loop(connect: Connect) -> None:
    script = Script(live_game("3-aaaaaaaa"), full(), page(GAME), full(), refused("game_gone", 410))
    updates = connect(script, silence=SILENCE).join(LIVE["id"]).changes()
    next(updates)
    with pytest.raises(GameGone):
        next(updates)
    quota = refused("too_many_requests", 429, after="3600", seconds=3600)
    with pytest.raises(TooManyRequests):
        next(connect(Script(live_game("3-aaaaaaaa"), full(), quota), silence=SILENCE).join(LIVE["id"]).changes())


def test_as_soon_as_streams_come_through_again_they_are_followed(connect: Connect, served: Server, url: str) -> None:
    with Client(url) as client, FlakyProxy(served.port, Faults(refused=1)) as proxy:
        opened = open_game(client, 1)
        host = client.join(opened.id, opened.host_token)
        updates = connect(proxy.url, silence=SILENCE).join(opened.id).changes()
        assert next(updates).whole
        host.renew_token(1)
        assert next(updates).events == [models.TokenRenewed(seat=1, name=None)]
        proxy.faults = Faults()
        for number in range(3, 30):
            host.renew_token(1)
            assert number_of(next(updates).version) == number
        polls = proxy.counts["polls"]
        host.renew_token(1)
        assert (number_of(next(updates).version), proxy.counts["polls"]) == (30, polls)
