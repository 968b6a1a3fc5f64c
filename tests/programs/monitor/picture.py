"""A picture of the dashboards: python -m tests.programs.monitor.picture writes docs/pictures/metrics.svg.

Two replicas are under load, and their store dies for a while. The panels are drawn from what a real Prometheus answers
to their own queries, since Grafana itself is too much to start for a picture.
"""

import asyncio
import re
import sys
import time
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from tests.deploy.files import DASHBOARDS, read_json
from tests.deploy.queries import filled_in
from tests.programs.harness import deployed, loaded, run
from tests.programs.monitor.prometheus import Prometheus

FILE: Final = Path("docs/pictures/metrics.svg")
CALM: Final = 40.0
"""Seconds before the store dies, and after it is back."""
AWAY: Final = 10.0
"""Seconds without the store."""
TIMES: Final = 15
"""How much faster than shipped Prometheus looks: every second."""
SHOWN: Final = (
    ("requests", "By status"),
    ("requests", "Event loop lag, p99"),
    ("store", "Failed calls"),
    ("store", "Call duration, p99"),
    ("requests", "CPU"),
    ("requests", "Memory"),
)
"""The panels in the picture: their dashboard, and their title."""
MOST: Final = 4
"""Lines to a panel: those that are highest on average, and not 0 all the time."""
WIDTH, HEIGHT, ACROSS = 400, 210, 3
LEFT, TOP, RIGHT, BOTTOM = 48, 34, 12, 40
"""The margins of the area of a panel in which the lines are."""
COLORS: Final = ("#2f6fde", "#d9822b", "#2c9c69", "#b0413e", "#7d5bbe")
Point = tuple[float, float]


class Line(NamedTuple):
    """A line of a panel. Shape: `points` has the time, in seconds, and the value."""

    name: str
    points: list[Point]


class Panel(NamedTuple):
    """A panel of a dashboard, with its lines."""

    title: str
    unit: str
    lines: list[Line]


async def _watch(folder: Path) -> list[str]:
    """Make the picture."""
    with (
        deployed(folder, "--appendonly", "yes") as served,
        Prometheus(folder / "prometheus", served.ports, served.balancer.metrics_port, TIMES) as prometheus,
    ):
        names = {str(port): f"replica {at}" for at, port in enumerate(served.ports, 1)}
        async with loaded(served):
            await asyncio.sleep(CALM)
            served.redis.kill()
            await asyncio.sleep(AWAY)
            served.redis.start()
            await asyncio.sleep(CALM)
            end = time.time()
            panels = [_read(prometheus, *shown, end, names) for shown in SHOWN]
    FILE.write_text(draw(panels), encoding="utf-8")
    print(f"{FILE}: {FILE.stat().st_size} bytes")
    return []


def _read(prometheus: Prometheus, board: str, title: str, end: float, names: dict[str, str]) -> Panel:
    """Read a panel as its dashboard describes it, and its lines from Prometheus."""
    panel = next(each for each in read_json(DASHBOARDS / f"{board}.json")["panels"] if each["title"] == title)
    lines = [
        Line(
            _name(target["legendFormat"], found["metric"], names), [(at, float(value)) for at, value in found["values"]]
        )
        for target in panel["targets"]
        for found in prometheus.query_range(filled_in(target["expr"]), end - 2 * CALM - AWAY + 15, end)
    ]
    lines = [line for line in lines if any(value for _, value in line.points)]
    lines.sort(key=lambda line: -sum(value for _, value in line.points))
    return Panel(title, panel["fieldConfig"]["defaults"]["unit"], lines[:MOST])


def _name(legend: str, labels: dict[str, str], names: dict[str, str]) -> str:
    """Fill in a legend; a replica of this run is called by its number."""
    filled = re.sub(r"\{\{(\w+)\}\}", lambda found: labels.get(found[1], ""), legend)
    return re.sub(r"127\.0\.0\.1:(\d+)", lambda found: names[found[1]], filled)


def draw(panels: Sequence[Panel]) -> str:
    """Draw the panels in rows, as SVG."""
    rows = -(-len(panels) // ACROSS)
    size = f'viewBox="0 0 {WIDTH * ACROSS} {HEIGHT * rows}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="system-ui, sans-serif" font-size="11">'
    drawn = (
        f'<g transform="translate({WIDTH * (at % ACROSS)} {HEIGHT * (at // ACROSS)})">{"".join(_draw(panel))}</g>'
        for at, panel in enumerate(panels)
    )
    return "\n".join(
        [head, f'<rect width="{WIDTH * ACROSS}" height="{HEIGHT * rows}" fill="#eef0f2"/>', *drawn, "</svg>\n"]
    )


def _draw(panel: Panel) -> Iterator[str]:
    """Draw one panel: its title, a scale, its lines and their names."""
    points = [point for line in panel.lines for point in line.points]
    begin, end = min(at for at, _ in points), max(at for at, _ in points)
    top = max(value for _, value in points) * 1.1 or 1.0
    yield f'<rect x="4" y="4" width="{WIDTH - 8}" height="{HEIGHT - 8}" rx="4" fill="#fff" stroke="#d5d9dd"/>'
    yield f'<text x="14" y="23" font-size="13" font-weight="600" fill="#1f2428">{escape(panel.title)}</text>'
    for part in (0.0, 0.5, 1.0):
        y = TOP + (1 - part) * (HEIGHT - TOP - BOTTOM)
        yield f'<path d="M{LEFT} {y:.0f}H{WIDTH - RIGHT}" stroke="#e3e6e9"/>'
        label = write_value(top * part, panel.unit)
        yield f'<text x="{LEFT - 6}" y="{y + 4:.0f}" text-anchor="end" fill="#57606a">{label}</text>'
    named = LEFT
    for color, line in zip(COLORS, panel.lines, strict=False):
        path = " ".join(
            f"{LEFT + (at - begin) / (end - begin) * (WIDTH - LEFT - RIGHT):.1f},"
            f"{TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM):.1f}"
            for at, value in line.points
        )
        yield f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.6"/>'
        yield f'<rect x="{named}" y="{HEIGHT - 23}" width="9" height="3" fill="{color}"/>'
        yield f'<text x="{named + 13}" y="{HEIGHT - 18}" fill="#1f2428">{escape(line.name)}</text>'
        named += 24 + round(6.2 * len(line.name))


def write_value(value: float, unit: str) -> str:
    """Write a value on a scale in its unit, as Grafana names units."""
    if unit == "bytes":
        return f"{value / 1e6:.0f} MB"
    if unit == "percentunit":
        return f"{value:.0%}"
    if unit == "s":
        return f"{value * 1000:.0f} ms"
    return f"{value:.0f}/s" if unit in {"reqps", "ops"} else f"{value:.0f}"


if __name__ == "__main__":
    sys.exit(run(_watch))
