"""A collector of traces that takes OTLP over HTTP, with spans of a question, of plays and of tools."""

import asyncio
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Final

from tests.programs.neighbors.rows import Result, Row
from tests.support.games.client import Call, Client
from tests.support.games.player import SHORT, Player
from tests.support.http.collector import collecting
from tests.support.http.samples import EVERY, PATHS
from tests.support.processes import Service

TOOL: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "draws", "arguments": {"players": 2}},
}


async def _use(port: int) -> Counter[str]:
    """Ask a question, play a game, and call a tool; return the spans that this makes, by name."""
    with Client([port]) as client:
        assert (await client.ask(Call("POST", PATHS["verdicts"], EVERY["verdicts"]))).status == 200
        assert (await client.ask(Call("POST", "/mcp", TOOL))).status == 200
        player = Player(client, SHORT, Random(1))
        await player.whole_game()
    plays = len(player.acknowledged)
    return Counter({f"POST {PATHS['verdicts']}": 1, "POST /v1/draws": 1, "POST /v1/games/{game_id}/plays": plays})


def _run(folder: Path) -> list[Result]:
    with collecting() as collector, Service(folder / "log", otel_exporter_otlp_endpoint=collector.url) as service:
        wanted = asyncio.run(_use(service.port))
        assert service.stop() == 0
    came = Counter(name for names in collector.spans.values() for name in names)
    missing = [f"{number} × {name}, and {came[name]} came" for name, number in wanted.items() if came[name] < number]
    return [Result(f"{came.total()} spans in {collector.exports} exports", missing)]


def _tell() -> str:
    """Return what reads the spans: the collector itself is no package of PyPI, npm or Debian."""
    return f"stand-in for the collector: OTLP over HTTP, read by opentelemetry-proto {version('opentelemetry-proto')}"


TRACES: Final = (Row("OpenTelemetry", _tell, _run),)
