"""The private part of prometheus-client that the metrics use is as they expect it to be.

When this fails after an upgrade, look at deploy/generate/metrics_table.py; then raise the bound in pyproject.toml.
"""

import prometheus_client


def test_a_metric_knows_the_names_of_its_labels() -> None:
    labeled = prometheus_client.Counter("labeled", "help", ["route", "method"], registry=None)
    assert vars(labeled)["_labelnames"] == ("route", "method")
