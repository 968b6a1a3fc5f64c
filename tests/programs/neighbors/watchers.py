"""Prometheus and Alertmanager by the files of deploy/: all is seen, and one dead Redis is one notification."""

import asyncio
from pathlib import Path
from time import monotonic
from typing import Final

from tests.deploy.queries import all_queries, filled_in
from tests.programs.binaries import find_or_get, surroundings
from tests.programs.monitor.drills import carry_out, watched
from tests.programs.monitor.prometheus import Prometheus
from tests.programs.neighbors.rows import Result, Row
from tests.programs.neighbors.tools import run

TIMES: Final = 5.0
"""How much faster than shipped they look and wait."""
PATIENCE: Final = 120.0
"""Seconds after which something that should have happened has not."""
SEEN: Final = {
    "two replicas are scraped": 'count(up{job="catchten"} == 1) == 2',
    "so is the load balancer": "haproxy_backend_active_servers == 2",
    "requests are counted": "sum(increase(catchten_requests_total[1m])) > 50",
    "rules are recorded": "namespace_job_class:catchten_slow:ratio_rate1h >= 0 and on () "
    "namespace_job:catchten_errors:ratio_rate3d >= 0",
}
"""Queries that have an answer when all is well, by topic."""
_MAY_BE_EMPTY: Final = (" > 0", "ALERTS", "catchten_app_requests_total{job", "[1d:5m]")
"""Marks of queries without an answer while all is well, or before a time that five minutes divide."""


async def _watch(folder: Path) -> list[Result]:
    async with watched(folder, TIMES) as scene:
        for what, query in SEEN.items():
            await _wait_for(what, query, scene.prometheus)
        looked = await asyncio.to_thread(_check_queries, scene.prometheus)
        return [looked, await carry_out("Redis is down", TIMES, scene)]


async def _wait_for(what: str, query: str, prometheus: Prometheus) -> None:
    """Wait until a query has an answer."""
    began = monotonic()
    while not await asyncio.to_thread(prometheus.query, query):
        assert monotonic() - began < PATIENCE, f"not so after {PATIENCE:.0f} seconds: {what}"
        await asyncio.sleep(0.25)


def _check_queries(prometheus: Prometheus) -> Result:
    """See that every query can be evaluated, those of panels and runbooks have an answer, and nothing fires."""
    answers = {name: (query, prometheus.query(filled_in(query))) for name, query in all_queries().items()}
    empty = sorted(
        f"without an answer: {name}"
        for name, (query, answer) in answers.items()
        if not answer and name.startswith(("dashboard", "runbook")) and not any(mark in query for mark in _MAY_BE_EMPTY)
    )
    firing = sorted(f"fires while all is well: {alert} {instance}" for alert, instance in prometheus.firing())
    return Result(f"{len(answers)} queries", empty + firing)


def _tell() -> str:
    find_or_get("haproxy")
    said = [
        run(find_or_get(name), "--version", folder=Path.cwd(), settings=surroundings()).split()[2]
        for name in ("prometheus", "prometheus-alertmanager")
    ]
    return f"Prometheus {said[0]}, Alertmanager {said[1]}"


def _watch_in(folder: Path) -> list[Result]:
    return asyncio.run(_watch(folder))


WATCHERS: Final = (Row("Prometheus with Alertmanager", _tell, _watch_in, is_quick=False, is_alone=True),)
