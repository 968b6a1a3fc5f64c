"""The load balancer of deploy/ has no replica for a while: calls are answered after it, and none fails."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import pytest
from catch_the_ten import Client
from catch_the_ten.sight import number_of

from tests.programs.harness import Balancer, deployed
from tests.python_client import playing
from tests.python_client.playing import check_game, open_game
from tests.python_client.test_flaky import BY
from tests.support.processes import Service

WAIT: Final = 120
OUTAGES: Final = (10, 40)
"""The versions of a game of two deals after which all replicas are killed."""
_REFUSED: Final = 'haproxy_frontend_http_responses_total{proxy="public",code="5xx"}'


class NeverRaised(Exception):
    """No call raises this."""


def start_after_refusals(services: Sequence[Service], balancer: Balancer, threads: ThreadPoolExecutor) -> None:
    """Start the replicas once the load balancer has refused some calls."""
    until, refused = monotonic() + WAIT, balancer.read_metric(_REFUSED)
    while balancer.read_metric(_REFUSED) < refused + 2 and monotonic() < until:
        sleep(0.05)
    assert len([*threads.map(Service.start, services)]) == 2


@pytest.mark.parametrize("players", ["threads", pytest.param("tasks", marks=pytest.mark.nightly)])
def test_no_call_of_a_game_fails_while_all_replicas_are_away_twice(
    players: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "NoAnswer", NeverRaised)  # so no call is made again by the players
    with deployed(tmp_path) as served, ThreadPoolExecutor(3) as threads:
        url = f"http://127.0.0.1:{served.balancer.port}"
        with Client(url, patience=WAIT) as client:
            opened = open_game(client, 2)
            played = threads.submit(BY[players], url, opened, "seed", patience=WAIT)
            for version in OUTAGES:
                while number_of(client.join(opened.id).latest.version) < version and not played.done():
                    sleep(0.02)
                for replica in served.replicas:
                    replica.kill()
                start_after_refusals(served.replicas, served.balancer, threads)
            seen = played.result()
            check_game(client.join(opened.id, opened.host_token), seen)
