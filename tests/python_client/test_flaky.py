"""Whole games through a proxy that fails: each play once, each change shown once, in threads and in tasks."""

import asyncio
import gc
import socket
from contextlib import ExitStack
from typing import Any, Final

import pytest
from catch_the_ten import Client
from catch_the_ten.models import OpenedGame

from tests.python_client.flaky import Faults, FlakyProxy
from tests.python_client.playing import Seen, check_game, open_game, play_in_tasks, play_in_threads
from tests.support.http.server import Server
from tests.support.patience import WAIT

FAULTS: Final = Faults(dropped=11, lost=7, delayed=5, cut=23)


def play_in_own_loop(url: str, opened: OpenedGame, seed: str, **limits: Any) -> list[Seen]:
    return asyncio.run(play_in_tasks(url, opened, seed, **limits))


BY: Final = {"threads": play_in_threads, "tasks": play_in_own_loop}


@pytest.mark.parametrize("patience", [WAIT, 0.0], ids=["the package repeats calls", "the caller repeats calls"])
@pytest.mark.parametrize("players", list(BY))
def test_a_game_through_a_proxy_that_fails_has_each_play_once(
    players: str, patience: float, served: Server, url: str
) -> None:
    with Client(url) as client, FlakyProxy(served.port, FAULTS) as proxy:
        opened = open_game(client, 1)
        seen = BY[players](proxy.url, opened, "seed", patience=patience)
        check_game(client.join(opened.id, opened.host_token), seen)
    assert sum(len(bearer.plays) for bearer in seen) == 36
    assert min(proxy.counts["lost plays"], proxy.counts["dropped plays"], proxy.counts["cut streams"]) >= 2


def test_a_proxy_that_ends_while_it_takes_connections_leaves_none_open(served: Server) -> None:
    with ExitStack() as stack:
        for _ in range(20):
            with FlakyProxy(served.port, Faults()) as proxy:
                port = int(proxy.url.rpartition(":")[2])
                for _ in range(5):
                    stack.enter_context(socket.create_connection(("127.0.0.1", port)))
    gc.collect()  # warns of what is open, and a warning fails the test
