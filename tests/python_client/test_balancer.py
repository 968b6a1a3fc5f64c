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
from tests.python_client.both import Connect
from tests.python_client.playing import check_game, open_game
from tests.python_client.test_flaky import BY
from tests.support.processes import Service

WAIT: Final = 120
OUTAGES: Final = (10, 40)
"""The versions of a game after which all replicas are killed; it has more than a hundred."""
_REFUSED: Final = 'haproxy_frontend_http_responses_total{proxy="public",code="5xx"}'


class NeverRaised(Exception):
    """No call raises this."""


def start_after_refusals(services: Sequence[Service], balancer: Balancer) -> None:
    """Start the replicas once the load balancer has refused some calls."""
    until, refused = monotonic() + WAIT, balancer.read_metric(_REFUSED)
    while balancer.read_metric(_REFUSED) < refused + 2 and monotonic() < until:
        sleep(0.05)
    for service in services:
        service.start()


def test_while_all_replicas_are_away_a_call_is_repeated_until_it_is_answered(connect: Connect, tmp_path: Path) -> None:
    with Service(tmp_path / "log") as service, Balancer(tmp_path / "haproxy", [service.port]) as balancer:
        client = connect(f"http://127.0.0.1:{balancer.port}", patience=WAIT)
        assert client.list_rulesets().rulesets
        service.kill()
        with ThreadPoolExecutor(1) as threads:
            started = threads.submit(start_after_refusals, [service], balancer)
            opened = client.open_game(rules="trebor", players=2)
            started.result()
        assert client.join(opened.id).phase == "to_deal"


@pytest.mark.parametrize("players", list(BY))
def test_no_call_of_a_game_fails_while_all_replicas_are_away_twice(
    players: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "NoAnswer", NeverRaised)  # so no call is made again by the players
    with deployed(tmp_path) as served, ThreadPoolExecutor(1) as threads:
        url = f"http://127.0.0.1:{served.balancer.port}"
        with Client(url, patience=WAIT) as client:
            opened = open_game(client, 4)
            played = threads.submit(BY[players], url, opened, "seed", patience=WAIT)
            for version in OUTAGES:
                while number_of(client.join(opened.id).latest.version) < version and not played.done():
                    sleep(0.02)
                for replica in served.replicas:
                    replica.kill()
                start_after_refusals(served.replicas, served.balancer)
            seen = played.result()
            check_game(client.join(opened.id, opened.host_token), seen)
