"""The metrics of several processes that serve one port, added up from the files into which each writes its numbers.

prometheus-client can do it, too, but reads the names of all series anew each time, which takes longer than a scrape
may. Here the names in a file are read once, and again only after some were added; files with the same names share them.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from struct import Struct
from typing import Any, Final, NamedTuple, cast

from prometheus_client import mmap_dict, multiprocess

from service.metrics.text import format_value, write, write_head, write_name

_LIBRARY: Final = cast("Any", mmap_dict)
_MULTIPROCESS: Final = cast("Any", multiprocess)
_USED: Final = Struct("i")
"""The head of a file: how many of its bytes are used."""


class _Sample(NamedTuple):
    """A sample as a file names it, by the key under which its number stands."""

    family: str
    documentation: str
    name: str
    labels: dict[str, str]
    key: str


class _Row(NamedTuple):
    """A line to write: the number under a key, added to that of the row before if it `goes_on`."""

    start: str
    key: str
    goes_on: bool


class _Layout:
    """The places of the numbers in a file, and their keys: each the JSON in which the library names a series."""

    def __init__(self, raw: bytes) -> None:
        found: list[tuple[str, float, float, int]] = list(_LIBRARY._read_all_values(raw, len(raw)))  # noqa: SLF001
        self.keys = tuple(key for key, *_ in found)
        ends = [0, *(position + 8 for *_, position in found)]
        gaps = [position - end for (*_, position), end in zip(found, ends, strict=False)]
        self._numbers = Struct("=" + "".join(f"{gap}xd" for gap in gaps))
        self._names = Struct("=" + "".join(f"{gap}s8x" for gap in gaps))
        self._named = self._names.unpack_from(raw)
        self._used = len(raw)

    def fits(self, raw: bytes) -> bool:
        """Return True if these bytes have the same keys in the same places."""
        return len(raw) == self._used and self._names.unpack_from(raw) == self._named

    def read(self, raw: bytes) -> tuple[float, ...]:
        """Return the numbers, in the order of the keys."""
        return self._numbers.unpack_from(raw)


class _Sums:
    """The sums over all processes for one type of metric."""

    def __init__(self, folder: Path, kind: str) -> None:
        self._folder = folder
        self._kind = kind
        self._layouts: dict[Path, _Layout] = {}
        self._rows: list[_Row] = []
        self._known = 0

    def write(self) -> str:
        """Write the metrics of this type."""
        totals = self._add_up()
        if len(totals) != self._known:  # no series ever goes
            self._rows, self._known = list(_lay_out(totals, self._kind)), len(totals)
        total, lines = 0.0, list[str]()
        for start, key, goes_on in self._rows:
            total = totals.get(key, 0.0) + total * goes_on
            lines.append(f"{start} {format_value(total)}\n")
        return "".join(lines)

    def _add_up(self) -> dict[str, float]:
        found: defaultdict[_Layout, list[tuple[float, ...]]] = defaultdict(list)
        for path in sorted(self._folder.glob(f"{self._kind}_*.db")):
            if raw := _read_used(path):
                layout = self._layout_of(path, raw)
                found[layout].append(layout.read(raw))
        totals: defaultdict[str, float] = defaultdict(float)
        for layout, columns in found.items():
            for key, total in zip(layout.keys, map(sum, zip(*columns, strict=True)), strict=True):
                totals[key] += total
        return totals

    def _layout_of(self, path: Path, raw: bytes) -> _Layout:
        known = self._layouts.get(path)
        if known is None or not known.fits(raw):
            shared = (layout for layout in set(self._layouts.values()) if layout.fits(raw))
            known = self._layouts[path] = next(shared, None) or _Layout(raw)
        return known


def _read_used(path: Path) -> bytes:
    """Read what is used of a file; nothing yet if its process has only just made it."""
    with path.open("rb", buffering=0) as file:
        head = file.read(_USED.size)
        return head + file.read(_USED.unpack(head)[0] - _USED.size) if any(head) else b""


def _lay_out(keys: Iterable[str], kind: str) -> Iterator[_Row]:
    """Lay out the lines of these series, each family after its head.

    A bucket counts what is in those before it, too, and the last one all.
    """
    families: defaultdict[tuple[str, str], list[_Sample]] = defaultdict(list)
    for sample in map(_parse, keys):
        families[sample.family, sample.documentation].append(sample)
    for (name, documentation), samples in families.items():
        head = write_head(name, kind, documentation)
        for start, key, goes_on in _lay_out_family(samples):
            yield _Row(head + start, key, goes_on)
            head = ""


def _lay_out_family(samples: Iterable[_Sample]) -> Iterator[_Row]:
    histograms: defaultdict[tuple[str, ...], list[_Sample]] = defaultdict(list)
    for sample in samples:
        if "le" in sample.labels:
            others = tuple(value for label, value in sample.labels.items() if label != "le")
            histograms[others].append(sample)
        else:
            yield _Row(write_name(sample.name, sample.labels), sample.key, goes_on=False)
    for buckets in histograms.values():
        buckets.sort(key=lambda sample: float(sample.labels["le"]))
        for number, sample in enumerate(buckets):
            yield _Row(write_name(sample.name, sample.labels), sample.key, goes_on=number > 0)
        bare = {label: value for label, value in buckets[0].labels.items() if label != "le"}
        yield _Row(write_name(f"{buckets[0].family}_count", bare), "", goes_on=True)


@cache
def _parse(key: str) -> _Sample:
    family, name, labels, documentation = json.loads(key)
    return _Sample(family, documentation, name, labels, key)


class Merger:
    """The metrics of all processes that share a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sums = tuple(_Sums(folder, kind) for kind in ("counter", "histogram"))

    def write(self) -> str:
        """Write every metric; the gauges as the library merges them, because they are few."""
        gauges = [str(path) for path in self._folder.glob("gauge_*.db")]
        sums = "".join(sums.write() for sums in self._sums)
        return sums + write(_MULTIPROCESS.MultiProcessCollector.merge(gauges))
