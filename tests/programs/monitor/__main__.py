"""See that a real Prometheus sees all that it should: python -m tests.programs.monitor."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

from tests.deploy.names import selectors
from tests.deploy.queries import all_queries, dashboard_queries, filled_in
from tests.programs.harness import deployed, loaded, run
from tests.programs.monitor.prometheus import Prometheus

PATIENCE: Final = 60.0
"""Seconds after which something that should have happened has not."""
_NEEDS_KEYS: Final = "catchten_app_requests_total"
"""The metric that has no series without API keys."""
_MAY_BE_EMPTY: Final = (" > 0", "ALERTS", _NEEDS_KEYS)
"""Marks of queries that have no answer while all is well."""
_MANY_REQUESTS: Final = (
    "sum(increase(catchten_requests_total[1m])) > 50 and on () namespace_job:catchten_slow_plays:ratio_rate1h >= 0 "
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
    await asyncio.to_thread(_check_names, prometheus)
    await asyncio.to_thread(_check_dashboards, prometheus)
    assert not prometheus.firing(), f"all is well, but these fire: {prometheus.firing()}"
    print("nothing fires while all is well", flush=True)


async def _until(what: str, sign: Callable[[], bool]) -> None:
    """Wait for something to happen, and say that and when it did."""
    began = monotonic()
    while not await asyncio.to_thread(sign):
        assert monotonic() - began < PATIENCE, f"not so after {PATIENCE:.0f} seconds: {what}"
        await asyncio.sleep(0.25)
    print(f"{what} ({monotonic() - began:.1f} s)", flush=True)


def _check_names(prometheus: Prometheus) -> None:
    """See that the series that a query selects are there, by all the labels that it names."""
    found = {selector for query in all_queries().values() for selector in selectors(filled_in(query))}
    found -= {selector for selector in found if selector.startswith(_NEEDS_KEYS)}
    missing = sorted(selector for selector in found if not prometheus.series(selector))
    assert not missing, "there are no such series:\n" + "\n".join(missing)
    print(f"all {len(found)} selectors of rules, dashboards and runbooks find series", flush=True)


def _check_dashboards(prometheus: Prometheus) -> None:
    """See that every query can be evaluated, and that every panel has something to show."""
    answers = {name: prometheus.query(filled_in(query)) for name, query in all_queries().items()}
    panels = {name for name, query in dashboard_queries().items() if not any(mark in query for mark in _MAY_BE_EMPTY)}
    empty = sorted(name for name in panels if not answers[name])
    assert not empty, f"these panels are empty: {', '.join(empty)}"
    print(f"all {len(answers)} queries are answered, and {len(panels)} of panels have something to show", flush=True)


if __name__ == "__main__":
    sys.exit(run(("prometheus", "haproxy"), _watch))
