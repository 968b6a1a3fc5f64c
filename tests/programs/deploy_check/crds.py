"""Schemas of two resources of the Prometheus operator, as far as they are used here."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

Duration = Annotated[str, Meta(pattern=r"^\d+(ms|s|m|h|d)(\d+(ms|s|m|h))*$")]
Name = Annotated[str, Meta(pattern=r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?$", max_length=63)]
Recorded = Annotated[str, Meta(pattern=r"^[a-zA-Z_:][a-zA-Z0-9_:]*$")]


class Metadata(Struct, forbid_unknown_fields=True):
    name: Name
    labels: dict[str, str]


class Record(Struct, forbid_unknown_fields=True):
    record: Recorded
    expr: str


class Alert(Struct, forbid_unknown_fields=True):
    alert: str
    expr: str
    labels: dict[str, str]
    annotations: dict[str, str]
    for_: Duration | None = msgspec.field(name="for", default=None)


class Group(Struct, forbid_unknown_fields=True):
    name: str
    interval: Duration
    rules: list[dict[str, Any]]


class Groups(Struct, forbid_unknown_fields=True):
    groups: list[Group]


class PrometheusRule(Struct, forbid_unknown_fields=True):
    api: Literal["monitoring.coreos.com/v1"] = msgspec.field(name="apiVersion")
    kind: Literal["PrometheusRule"]
    metadata: Metadata
    spec: Groups


class Endpoint(Struct, forbid_unknown_fields=True):
    port: Name
    path: Annotated[str, Meta(pattern="^/")]
    interval: Duration
    timeout: Duration = msgspec.field(name="scrapeTimeout")


class Selector(Struct, forbid_unknown_fields=True):
    labels: dict[str, str] = msgspec.field(name="matchLabels")


class Monitored(Struct, forbid_unknown_fields=True):
    job_label: str = msgspec.field(name="jobLabel")
    selector: Selector
    endpoints: Annotated[list[Endpoint], Meta(min_length=1)]


class ServiceMonitor(Struct, forbid_unknown_fields=True):
    api: Literal["monitoring.coreos.com/v1"] = msgspec.field(name="apiVersion")
    kind: Literal["ServiceMonitor"]
    metadata: Metadata
    spec: Monitored


def check_rule(rule: dict[str, Any]) -> None:
    """Check a rule as a recording rule or as an alert."""
    msgspec.convert(rule, Record if "record" in rule else Alert)


def check(manifest: dict[str, Any]) -> None:
    """Check one of these resources.

    Errors: msgspec.ValidationError, for the first fault.
    """
    if manifest["kind"] == "ServiceMonitor":
        msgspec.convert(manifest, ServiceMonitor)
        return
    for group in msgspec.convert(manifest, PrometheusRule).spec.groups:
        for rule in group.rules:
            check_rule(rule)
