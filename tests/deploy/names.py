"""Names of metrics and settings: those in the code, and those used by rules, dashboards and manifests."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

import msgspec
from prometheus_client import REGISTRY
from prometheus_client.metrics_core import Metric

from service.platform.metrics.apps import make_series
from service.platform.settings import Settings
from service.server.connection import Connection
from tests.support.http.client import the_app

Labels = frozenset[str]

ONLY_LINUX: Final = dict.fromkeys(
    (
        "process_cpu_seconds_total",
        "process_max_fds",
        "process_open_fds",
        "process_resident_memory_bytes",
        "process_start_time_seconds",
    ),
    frozenset[str](),
)
"""Metrics of the process that prometheus-client has only with /proc."""
GIVEN: Final = frozenset({"namespace", "job", "instance", "le"})
"""Labels that Prometheus adds, and the one of buckets."""
OF_HAPROXY: Final = frozenset({"code", "proxy", "server", "state"})
"""Labels that HAProxy's own metrics have."""

_ENDINGS: Final = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}
_SELECTOR: Final = re.compile(
    r"""(?<![\w:"])(?P<name>(?:catchten|process|python)_\w+)(?![\w:"])(?P<matchers>\{(?:[^"}]|"[^"]*")*\})?"""
)
_MATCHER: Final = re.compile(r'(\w+)\s*(?:=~|!~|!=|=)\s*"')
_GROUPING: Final = re.compile(r"\b(?:by|on)\s*\(([^)]*)\)")
_RECORDED: Final = re.compile(r"[a-z_]+:[a-z_]+:\w+")


@cache
def metrics() -> dict[str, Labels]:
    """Return the name of every sample of the service, with its labels."""
    the_app()
    assert Connection.max_connections, "whose module has the series of connections"
    make_series("arran")
    found = {name: labels for family in REGISTRY.collect() for name, labels in _samples(family)}
    return found | ONLY_LINUX


def _samples(family: Metric) -> Iterable[tuple[str, Labels]]:
    labels = frozenset(name for sample in family.samples for name in sample.labels) - {"le"}
    return [(family.name + ending, labels) for ending in _ENDINGS.get(family.type, ("",))]


def settings() -> frozenset[str]:
    """Return every environment variable that the service reads."""
    fields = msgspec.structs.fields(Settings)
    return frozenset(field.name.upper() for field in fields) | {"COMMIT"}


def selectors(query: str) -> dict[str, str]:
    """Return every selector in a query, with the name of its metric."""
    return {found[0]: found["name"] for found in _SELECTOR.finditer(query)}


def matched(selector: str) -> Labels:
    """Return the labels that a selector matches."""
    return frozenset(_MATCHER.findall(selector)) - GIVEN


def grouped(query: str) -> Labels:
    """Return the labels by which a query aggregates or joins."""
    return frozenset(label.strip() for group in _GROUPING.findall(query) for label in group.split(","))


def recorded(query: str) -> set[str]:
    """Return the names of recording rules in a query."""
    return set(_RECORDED.findall(query))
