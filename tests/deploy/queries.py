"""Every PromQL query in rules, dashboards and runbooks."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.deploy.files import DASHBOARDS, RUNBOOKS, alerts, read_json, records


def all_queries() -> dict[str, str]:
    """Return every query by its place."""
    rules = {f"alert {name}": alert["expr"] for name, alert in alerts().items()}
    rules |= {f"record {name}": query for name, query in records().items()}
    return rules | dashboard_queries() | {f"runbook {name}": query for name, query in _of_runbooks()}


def dashboard_queries() -> dict[str, str]:
    """Return the queries of all panels by their place."""
    return {
        f"dashboard {name}": query for file in sorted(DASHBOARDS.glob("*.json")) for name, query in _of_panels(file)
    }


def _of_panels(file: Path) -> Iterator[tuple[str, str]]:
    for panel in read_json(file)["panels"]:
        for target in panel.get("targets", ()):
            yield f"{file.stem} {panel['id']}{target['refId']}", target["expr"]


def _of_runbooks() -> Iterator[tuple[str, str]]:
    for page in sorted(RUNBOOKS.glob("*.md")):
        lines = "".join(re.findall(r"```promql\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)).splitlines()
        yield from ((f"{page.stem} {at}", line) for at, line in enumerate(lines))


def filled_in(query: str) -> str:
    """Replace the variables of dashboards by values."""
    return query.replace("$namespace", ".*").replace("$instance", ".*").replace("$__rate_interval", "15s")
