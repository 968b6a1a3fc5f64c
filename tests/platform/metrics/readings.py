"""The metrics of this process, and how they grow."""

from prometheus_client import REGISTRY

from service.platform.metrics.requests import REQUEST_BUFFER

Series = tuple[str, tuple[tuple[str, str], ...]]


def value(name: str, **labels: str) -> float:
    """The value of a series that is there."""
    REQUEST_BUFFER.flush()
    families = REGISTRY.restricted_registry([name]).collect()
    found = [sample.value for family in families for sample in family.samples if sample.labels == labels]
    assert len(found) == 1, (name, labels)
    return found[0]


def series() -> dict[Series, float]:
    """Every series of ours with its value, by name and labels."""
    REQUEST_BUFFER.flush()
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in REGISTRY.collect()
        if family.name.startswith("catchten")
        for sample in family.samples
    }


def changed(before: dict[Series, float]) -> dict[str, float]:
    """Return the counters that grew since then, each as Prometheus writes it, with how much it grew."""
    return {
        name.removeprefix("catchten_") + "".join(f" {text}" for _, text in labels): now - before.get((name, labels), 0)
        for (name, labels), now in series().items()
        if name.endswith("_total") and now != before.get((name, labels), 0)
    }
