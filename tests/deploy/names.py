"""The names of metrics and settings: those that the code has, and those that rules, dashboards and manifests use."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

import msgspec
from prometheus_client import REGISTRY
from prometheus_client.metrics_core import Metric

from service.settings import Settings
from tests.support.http.client import the_app

Labels = frozenset[str]

ONLY_LINUX: Final = dict.fromkeys(
    ("process_cpu_seconds_total", "process_open_fds", "process_resident_memory_bytes", "process_start_time_seconds"),
    frozenset[str](),
)
"""The metrics of the process that prometheus-client has where there is /proc."""
GIVEN: Final = frozenset({"job", "instance", "le"})
"""Labels that Prometheus gives, and the one of buckets."""

_ENDINGS: Final = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}
_SELECTOR: Final = re.compile(
    r"""(?<![\w:"])(?P<name>(?:catchten|process|python)_\w+)(?![\w:"])(?P<matchers>\{(?:[^"}]|"[^"]*")*\})?"""
)
_MATCHER: Final = re.compile(r'(\w+)\s*(?:=~|!~|!=|=)\s*"')
_GROUPING: Final = re.compile(r"\b(?:by|on)\s*\(([^)]*)\)")
_RECORDED: Final = re.compile(r"[a-z_]+:[a-z_]+:\w+")


@cache
def metrics() -> dict[str, Labels]:
    """Every name of a sample that the service has once it is wired, with its labels."""
    the_app()
    found = {name: labels for family in REGISTRY.collect() for name, labels in _samples(family)}
    return found | ONLY_LINUX


def _samples(family: Metric) -> Iterable[tuple[str, Labels]]:
    labels = frozenset(name for sample in family.samples for name in sample.labels) - {"le"}
    return [(family.name + ending, labels) for ending in _ENDINGS.get(family.type, ("",))]


def settings() -> frozenset[str]:
    """Every variable of the environment that the service reads."""
    fields = msgspec.structs.fields(Settings)
    return frozenset(field.name.upper() for field in fields) | {"COMMIT"}


def selectors(query: str) -> dict[str, str]:
    """Every selector of metrics in a query, as it is written, with the name of its metric."""
    return {found[0]: found["name"] for found in _SELECTOR.finditer(query)}


def matched(selector: str) -> Labels:
    """The labels that a selector looks at."""
    return frozenset(_MATCHER.findall(selector)) - GIVEN


def grouped(query: str) -> Labels:
    """The labels by which a query sums up, or joins."""
    return frozenset(label.strip() for group in _GROUPING.findall(query) for label in group.split(","))


def recorded(query: str) -> set[str]:
    """The names of recording rules in a query."""
    return set(_RECORDED.findall(query))
