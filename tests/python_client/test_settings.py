"""A whole game under settings that get in the way of a client: a key, a tight quota, and no event streams."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from catch_the_ten import Client
from catch_the_ten.models import OpenedGame

from service.http.guards.api_keys import draw_key
from tests.python_client.playing import Seen, check_game, open_game, play_in_tasks, play_in_threads
from tests.support.http.server import serving


def _play_in_tasks(url: str, opened: OpenedGame, seed: str, **limits: Any) -> list[Seen]:
    return asyncio.run(play_in_tasks(url, opened, seed, **limits))


@pytest.mark.parametrize("play", [play_in_threads, pytest.param(_play_in_tasks, marks=pytest.mark.nightly)])
def test_a_game_is_played_to_its_end_by_polling_with_a_key_past_the_end_of_a_quota(
    play: Callable[..., list[Seen]],
) -> None:
    key, line = draw_key("arran")
    with serving(API_KEYS=line, RATE_LIMIT="40/second", MAX_STREAMS="0") as server:
        url = f"http://127.0.0.1:{server.port}"
        with Client(url, key=key) as client:
            opened = open_game(client, 1)
            seen = play(url, opened, "settings", key=key, silence=1.0)
            check_game(client.join(opened.id, opened.host_token), seen)
        told = httpx.get(f"{url}/metrics").text
    assert re.search(r'^catchten_requests_total{.*status="429".*} [1-9]', told, re.MULTILINE), told
