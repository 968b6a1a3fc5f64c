"""See that a real Prometheus sees all that it should: python -m tests.programs.monitor."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

from tests.deploy.queries import all_queries, filled_in
from tests.programs.harness import deployed, loaded, run
from tests.programs.monitor.prometheus import Prometheus

PATIENCE: Final = 60.0
"""Seconds after which something that should have happened has not."""
_MAY_BE_EMPTY: Final = (" > 0", "ALERTS", "catchten_app_requests_total{job")
"""Marks of queries without an answer while all is well."""
_MANY_REQUESTS: Final = (
    "sum(increase(catchten_requests_total[1m])) > 50 and on () namespace_job_class:catchten_slow:ratio_rate1h >= 0 "
    "and on () namespace_job:catchten_errors:ratio_rate3d >= 0"
)
"""True once enough is counted and recorded."""


async def _watch(folder: Path) -> list[str]:
    with (
        deployed(folder, "--appendonly", "yes", "--appendfsync", "always", commit="test") as served,
        Prometheus(folder / "prometheus", served.ports, served.balancer.metrics_port) as prometheus,
    ):
        async with loaded(served):
            await _watch_calm(prometheus)
    print("through the load balancer no question failed meanwhile", flush=True)
    return []


async def _watch_calm(prometheus: Prometheus) -> None:
    await _until("two replicas are scraped", lambda: len(prometheus.query('up{job="catchten"} == 1')) == 2)
    await _until("so is the load balancer", lambda: bool(prometheus.query("haproxy_backend_active_servers == 2")))
    await _until("requests are counted", lambda: bool(prometheus.query(_MANY_REQUESTS)))
    await asyncio.to_thread(_check_queries, prometheus)
    assert not prometheus.firing(), f"all is well, but these fire: {prometheus.firing()}"
    print("nothing fires while all is well", flush=True)


async def _until(what: str, sign: Callable[[], bool]) -> None:
    """Wait for something to happen, and say that and when it did."""
    began = monotonic()
    while not await asyncio.to_thread(sign):
        assert monotonic() - began < PATIENCE, f"not so after {PATIENCE:.0f} seconds: {what}"
        await asyncio.sleep(0.25)
    print(f"{what} ({monotonic() - began:.1f} s)", flush=True)


def _check_queries(prometheus: Prometheus) -> None:
    """See that every query can be evaluated, and that every panel and every query of a runbook has an answer."""
    answers = {name: (query, prometheus.query(filled_in(query))) for name, query in all_queries().items()}
    empty = sorted(
        name
        for name, (query, answer) in answers.items()
        if not answer and name.startswith(("dashboard", "runbook")) and not any(mark in query for mark in _MAY_BE_EMPTY)
    )
    assert not empty, f"these have no answer: {', '.join(empty)}"
    print(f"all {len(answers)} queries are evaluated, and those of panels and runbooks have an answer", flush=True)


if __name__ == "__main__":
    sys.exit(run(("prometheus", "haproxy"), _watch))
