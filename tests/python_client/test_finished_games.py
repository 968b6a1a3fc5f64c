"""The finished games of an app, one after the other, and from a place on that was kept."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import Any, Final

import httpx
import pytest
from catch_the_ten.problems import NoApps

from tests.python_client.both import Connect
from tests.support.http.server import serving

KEY: Final = "the-key-of-an-app"


@pytest.fixture(scope="module")
def keyed_url() -> Iterator[str]:
    with serving(API_KEYS=f"app:{sha256(KEY.encode()).hexdigest()}") as server:
        yield f"http://127.0.0.1:{server.port}"


def resign(client: Any) -> str:
    """Open a game, and resign it."""
    opened = client.open_game(rules="trebor", players=2)
    client.join(opened.id, opened.host_token).deal()
    client.join(opened.id, opened.seats[0].token).resign()
    return str(opened.id)


def test_games_come_in_order_and_behind_the_place_of_one_of_them(connect: Connect, keyed_url: str) -> None:
    client = connect(keyed_url, key=KEY)
    known = client.list_finished_games(limit=100).next or ""
    ids = [resign(client) for _ in range(3)]
    games = [*islice(client.finished_games(known), 3)]
    assert [game.id for game in games] == ids
    assert [game.won_by.how for game in games] == ["resignation"] * 3
    assert next(iter(client.finished_games(games[1].place))).id == ids[2]


def test_a_place_that_the_service_has_lost_begins_at_the_oldest_game(connect: Connect) -> None:
    asked = list[str]()

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.query.decode())
        if len(asked) == 5:
            raise KeyboardInterrupt
        place = None if len(asked) < 3 else "1-00000000"
        return httpx.Response(200, json={"games": [], "next": place, "more": False, "dropped": 0})

    with pytest.raises(KeyboardInterrupt):
        next(iter(connect(answer, key=KEY).finished_games("9-00000000", wait=1)))
    begun = ["after=9-00000000&wait=1", "wait=1", "wait=1"]
    assert asked == [*begun, *["after=1-00000000&wait=1"] * 2]


def test_a_service_without_keys_has_no_finished_games_for_anybody(client: Any) -> None:
    with pytest.raises(NoApps):
        next(iter(client.finished_games()))
