"""The load balancer of deploy/ has no replica for a while: calls are answered after it, and none fails."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from tests.programs.harness import Balancer
from tests.python_client.both import Connect
from tests.support.processes import Service

WAIT: Final = 120
_REFUSED: Final = 'haproxy_frontend_http_responses_total{proxy="public",code="5xx"}'


def start_after_refusals(service: Service, balancer: Balancer, number: int) -> None:
    """Start the only replica once the load balancer has refused some calls."""
    until = monotonic() + WAIT
    while balancer.read_metric(_REFUSED) < number and monotonic() < until:
        sleep(0.05)
    service.start()


def test_while_all_replicas_are_away_a_call_is_repeated_until_it_is_answered(connect: Connect, tmp_path: Path) -> None:
    with Service(tmp_path / "log") as service, Balancer(tmp_path / "haproxy", [service.port]) as balancer:
        client = connect(f"http://127.0.0.1:{balancer.port}", patience=WAIT)
        assert client.list_rulesets().rulesets
        service.kill()
        with ThreadPoolExecutor(1) as threads:
            started = threads.submit(start_after_refusals, service, balancer, 2)
            opened = client.open_game(rules="trebor", players=2)
            started.result()
        assert client.join(opened.id).phase == "to_deal"
