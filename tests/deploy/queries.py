"""Everything that is asked of Prometheus: by rules, by dashboards, and by the pages on alerts."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.deploy.files import DASHBOARDS, RUNBOOKS, alerts, read_json, records


def all_queries() -> dict[str, str]:
    """Every query by where it stands."""
    rules = {f"alert {name}": alert["expr"] for name, alert in alerts().items()}
    rules |= {f"record {name}": query for name, query in records().items()}
    return rules | dashboard_queries() | {f"runbook {name}": query for name, query in _of_runbooks()}


def dashboard_queries() -> dict[str, str]:
    """Return the queries of the panels of the dashboards."""
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
    """Put values in the place of the variables of dashboards."""
    return query.replace("$instance", ".*").replace("$__rate_interval", "15s")
