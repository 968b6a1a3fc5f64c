"""The table of all metrics for operators: python -m deploy.generate.metrics_table > deploy/METRICS.md."""

import sys
from collections.abc import Iterable, Iterator
from typing import Final, get_args

from service.app import list_routes
from service.platform.metrics import families
from service.platform.metrics.requests import RequestClass

_HEAD: Final = """\
# Metrics

Generated from the code by `make guide`; do not edit. `/metrics` shows these metrics in the text format of Prometheus.
Every series exists from the start, at 0, so that `rate` and `increase` see the first event. The label `ruleset` is the
id of a ruleset, or `house` for all house rules; `app` is the name of an app with an API key; no label holds any other
id. A histogram has the series `_bucket`, `_sum` and `_count`.

| metric | type | labels | meaning |
| --- | --- | --- | --- |
"""
_CLASSES: Final = """
Requests are counted by `class`, not by route; the log and the traces have the route of each request. A route is also
answered for HEAD and QUERY, in the same class. `unknown` are paths that do not exist, and methods that their path does
not have.

| class | routes |
| --- | --- |
"""
_TAIL: Final = """
The `process_*` metrics of the Python client library show CPU time, memory, descriptors and start of the process, and
its `python_*` metrics its garbage collection. Requests are counted at most a quarter of a second after their end; the
state of the store is looked at every five seconds.
"""


def write_table() -> str:
    """Return the table, as Markdown."""
    return _HEAD + _write_rows(_rows()) + _CLASSES + _write_rows(_classes()) + _TAIL


def _write_rows(rows: Iterable[Iterable[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _rows() -> Iterator[tuple[str, str, str, str]]:
    for family in families.list_families():
        (metric,) = family.describe()
        shown = f"{metric.name}_total" if metric.type == "counter" else metric.name
        # The library has no public name and no type for these.
        names: tuple[str, ...] = vars(family)["_labelnames"]
        labels = ", ".join(f"`{name}`" for name in names)
        yield f"`{shown}`", metric.type, labels, metric.documentation


def _classes() -> Iterator[tuple[str, str]]:
    routes = [route for route in list_routes() if route.method not in {"HEAD", "QUERY"}]
    for name in get_args(RequestClass):
        found = [f"`{route.method} {route.template}`" for route in routes if route.request_class == name]
        yield f"`{name}`", ", ".join(sorted(found))


if __name__ == "__main__":
    sys.stdout.write(write_table())
