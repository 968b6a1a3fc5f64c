"""The metrics of several processes that serve one port, added up from the files into which each writes its numbers.

prometheus-client can do it, too, but reads the names of all series anew each time, which takes longer than a scrape
may. Here the names in a file are read once, and again only after some were added.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from struct import Struct
from typing import Any, Final, NamedTuple, cast

from prometheus_client import mmap_dict, multiprocess
from prometheus_client.metrics_core import Metric

_LIBRARY: Final = cast("Any", mmap_dict)
_MULTIPROCESS: Final = cast("Any", multiprocess)
_USED: Final = Struct("i")
"""The head of a file: how many of its bytes are used."""


class _Row(NamedTuple):
    """A sample to show: the number under a key, added to that of the row before if it `goes_on`."""

    family: str
    documentation: str
    name: str
    labels: dict[str, str]
    key: str
    goes_on: bool = False


class _File:
    """The numbers of one process and one type of metric.

    Shape: `keys` by number, each the JSON in which the library names a series.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._used = 0
        self._layout = Struct("")
        self.keys: list[str] = []

    def read(self) -> tuple[float, ...]:
        """Return the numbers, and bring the keys up to date."""
        raw = self._path.read_bytes()
        used: int = _USED.unpack_from(raw)[0] if raw else 0  # its process may have only just made it
        if used != self._used:
            found: list[tuple[str, float, float, int]] = list(_LIBRARY._read_all_values(raw, used))  # noqa: SLF001
            self.keys = [key for key, *_ in found]
            ends = [0, *(position + 8 for *_, position in found)]
            gaps = (position - end for (*_, position), end in zip(found, ends, strict=False))
            self._layout, self._used = Struct("=" + "".join(f"{gap}xd" for gap in gaps)), used
        return self._layout.unpack_from(raw)


class _Sums:
    """The sums over all processes for one type of metric."""

    def __init__(self, folder: Path, kind: str) -> None:
        self._folder = folder
        self._kind = kind
        self._files: dict[Path, _File] = {}
        self._rows: list[_Row] = []
        self._known = 0

    def collect(self) -> Iterable[Metric]:
        """Return the metrics of this type."""
        totals = self._add_up()
        if len(totals) != self._known:  # no series ever goes
            self._rows, self._known = list(_lay_out(totals)), len(totals)
        families: dict[str, Metric] = {}
        total = 0.0
        for row in self._rows:
            if row.family not in families:
                families[row.family] = Metric(row.family, row.documentation, self._kind)
            total = totals.get(row.key, 0.0) + total * row.goes_on
            families[row.family].add_sample(row.name, row.labels, total)
        return families.values()

    def _add_up(self) -> dict[str, float]:
        totals: defaultdict[str, float] = defaultdict(float)
        for path in sorted(self._folder.glob(f"{self._kind}_*.db")):
            file = self._files.setdefault(path, _File(path))
            for number, key in zip(file.read(), file.keys, strict=True):
                totals[key] += number
        return totals


def _lay_out(keys: Iterable[str]) -> Iterator[_Row]:
    """Lay out the samples of these series: a bucket counts what is in those before it, too, and the last one all."""
    histograms: defaultdict[tuple[str, ...], list[_Row]] = defaultdict(list)
    for key in keys:
        row = _parse(key)
        if "le" in row.labels:
            histograms[row.family, *(value for label, value in row.labels.items() if label != "le")].append(row)
        else:
            yield row
    for buckets in histograms.values():
        first, *others = sorted(buckets, key=lambda row: float(row.labels["le"]))
        yield first
        yield from (row._replace(goes_on=True) for row in others)
        bare = {label: value for label, value in first.labels.items() if label != "le"}
        yield _Row(first.family, first.documentation, f"{first.family}_count", bare, "", goes_on=True)


@cache
def _parse(key: str) -> _Row:
    family, name, labels, documentation = json.loads(key)
    return _Row(family, documentation, name, labels, key)


class Merger:
    """The metrics of all processes that share a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sums = tuple(_Sums(folder, kind) for kind in ("counter", "histogram"))

    def collect(self) -> Iterator[Metric]:
        """Return every metric; the gauges as the library merges them, because they are few."""
        for sums in self._sums:
            yield from sums.collect()
        gauges = [str(path) for path in self._folder.glob("gauge_*.db")]
        yield from _MULTIPROCESS.MultiProcessCollector.merge(gauges)
