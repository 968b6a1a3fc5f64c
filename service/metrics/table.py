"""The table of all metrics for deploy/METRICS.md: python -m service.metrics.table writes it to standard output."""

import sys
from collections.abc import Iterator
from typing import Final

from prometheus_client.metrics import MetricWrapperBase

from service.metrics import families

_HEAD: Final = """\
# Metrics

Written from the code by `make guide`: do not edit it. `/metrics` shows these in the text format of Prometheus; every
series is there from the start, at 0, and no id is ever a label. `ruleset` is the id of a ruleset, or `house` for all
house rules. A histogram has the series `_bucket`, `_sum` and `_count`.

| metric | kind | labels | what it tells |
| --- | --- | --- | --- |
"""
_TAIL: Final = """
With one process there are also the `process_*` and `python_*` metrics of the client library for Python. Where several
processes serve one port (`WORKERS`), `/metrics` shows the sums of them all, at most a second behind for the others, and
those two families are left out, since they would be of one process only.
"""


def write_table() -> str:
    """Write the table."""
    return _HEAD + "".join(f"| {' | '.join(row)} |\n" for row in _rows()) + _TAIL


def _rows() -> Iterator[tuple[str, str, str, str]]:
    for family in vars(families).values():
        if isinstance(family, MetricWrapperBase):
            (metric,) = family.describe()
            shown = f"{metric.name}_total" if metric.type == "counter" else metric.name
            # The library tells the names of labels nowhere else, and gives them no type.
            names: tuple[str, ...] = vars(family)["_labelnames"]
            labels = ", ".join(f"`{name}`" for name in names)
            yield f"`{shown}`", metric.type, labels, metric.documentation


if __name__ == "__main__":
    sys.stdout.write(write_table())
