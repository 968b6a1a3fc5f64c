"""The table of all metrics for operators: python -m deploy.generate.metrics_table > deploy/METRICS.md."""

import sys
from collections.abc import Iterator
from typing import Final

from service.platform.metrics import families

_HEAD: Final = """\
# Metrics

Generated from the code by `make guide`; do not edit. `/metrics` shows these metrics in the text format of Prometheus.
Every series exists from the start, at 0. The label `ruleset` is the id of a ruleset, or `house` for all house rules;
`app` is the name of an app with an API key; no label holds any other id. A histogram has the series `_bucket`, `_sum`
and `_count`.

| metric | type | labels | meaning |
| --- | --- | --- | --- |
"""
_TAIL: Final = """
The `process_*` metrics of the Python client library show CPU time, memory, descriptors and start of the process, and
its `python_*` metrics its garbage collection. Requests are counted at most a quarter of a second after their end; the
state of the store is looked at every five seconds.
"""


def write_table() -> str:
    """Return the table, as Markdown."""
    return _HEAD + "".join(f"| {' | '.join(row)} |\n" for row in _rows()) + _TAIL


def _rows() -> Iterator[tuple[str, str, str, str]]:
    for family in families.list_families():
        (metric,) = family.describe()
        shown = f"{metric.name}_total" if metric.type == "counter" else metric.name
        # The library has no public name and no type for these.
        names: tuple[str, ...] = vars(family)["_labelnames"]
        labels = ", ".join(f"`{name}`" for name in names)
        yield f"`{shown}`", metric.type, labels, metric.documentation


if __name__ == "__main__":
    sys.stdout.write(write_table())
