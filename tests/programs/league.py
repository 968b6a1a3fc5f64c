"""The leagues of the packages over a bad network and two failovers: python -m tests.programs.league --tables 500.

Each app plays its tables at once and counts from the feed alone. Its table has to be what the games themselves say. The
exit code is 1 if it is not.
"""

import argparse
import asyncio
import json
import os
import resource
import sys
from asyncio.subprocess import PIPE, create_subprocess_exec
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Final, NamedTuple

from tests.programs.chaos.histories.feeds import APP_KEY
from tests.programs.chaos.histories.servers import Servers, served
from tests.python_client.flaky import Faults, FlakyProxy
from tests.support.games.client import Call, Client
from tests.support.processes import ROOT

CLIENTS: Final = ROOT / "clients"
APPS: Final = {
    "python": (sys.executable, str(CLIENTS / "python" / "examples" / "league.py")),
    "typescript": ("node", "--import", "tsx", "--conditions=catch-the-ten:source", "examples/league/league.ts"),
}
FAULTS: Final = Faults(dropped=23, lost=17, delayed=5, cut=97)
"""What happens to requests, answers and streams between an app and the service."""
FAILOVERS: Final = 2
LOOK: Final = 0.2
"""Seconds until it is looked again how many games are over."""


class Told(NamedTuple):
    """An app's answer: by member, how many games were played and won, and the games that were counted."""

    table: dict[str, list[int]]
    games: list[str]


async def run_app(kind: str, url: str, tables: int) -> Told:
    """Run the app of a package to its end."""
    folder = CLIENTS / "typescript" if kind == "typescript" else ROOT
    found = {**os.environ, "PYTHONPATH": str(CLIENTS / "python" / "src")}
    app = await create_subprocess_exec(*APPS[kind], url, APP_KEY, str(tables), cwd=folder, env=found, stdout=PIPE)
    try:
        output, _ = await app.communicate()
    finally:
        if app.returncode is None:
            app.kill()
    assert app.returncode == 0, app.returncode
    told: dict[str, Any] = json.loads(output)
    return Told(**told)


async def find_truth(ports: Sequence[int], games: Sequence[str]) -> dict[str, list[int]]:
    """Return how many games each member has played and won, by the games themselves."""
    played, won = Counter[str](), Counter[str]()
    with Client(ports) as client:
        for game in games:
            seen = (await client.insist(Call("GET", f"/v1/games/{game}"))).json
            winners = seen["position"]["winners"]
            played.update(seat["name"] for seat in seen["seats"])
            won.update(seat["name"] for seat in seen["seats"] if seat["side"] in winners)
    return {name: [played[name], won[name]] for name in sorted(played)}


async def check_app(kind: str, url: str, ports: Sequence[int], tables: int) -> None:
    """Run an app at a URL, and compare its table with the games.

    Errors: AssertionError.
    """
    told = await run_app(kind, url, tables)
    assert len({*told.games}) == tables, told
    truth = await find_truth(ports, told.games)
    assert {name: row for name, row in told.table.items() if row != [0, 0]} == truth, (told, truth)


async def fail_over(servers: Servers, tables: int) -> None:
    """Let replicas take over while the games end, at equal distances."""
    with Client(servers.ports) as client:
        place, over = "", 0
        for at in range(FAILOVERS):
            while over < tables * (at + 1) // (FAILOVERS + 1):
                path = f"/v1/finished-games?limit=100{place and f'&after={place}'}"
                page = (await client.insist(Call("GET", path, app=APP_KEY))).json
                place, over = page["next"] or "", over + len(page["games"])
                await asyncio.sleep(LOOK)
            await servers.fail_over()


async def check_both(kind: str, url: str, servers: Servers, tables: int) -> None:
    """Run an app, and fail over meanwhile."""
    async with asyncio.TaskGroup() as group:
        group.create_task(check_app(kind, url, servers.ports, tables))
        group.create_task(fail_over(servers, tables))


def main() -> int:
    """Run the app of each package that is named."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.league", description=__doc__)
    parser.add_argument("--tables", type=int, default=500, help="tables that are played at once; 500 unless named")
    parser.add_argument("--apps", nargs="*", choices=APPS, default=[*APPS], help="the packages; both unless named")
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)  # the proxy has two connections for each one of the app
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for kind in options.apps:
        began = monotonic()
        with (
            TemporaryDirectory() as folder,
            asyncio.Runner() as runner,
            served(Path(folder), 2, 1, Random(1), 0.0, runner) as servers,
            FlakyProxy(servers.ports[0], FAULTS) as proxy,
        ):
            runner.run(check_both(kind, proxy.url, servers, options.tables))
            harm = {name: times for name, times in proxy.counts.items() if " " in name or name in FAULTS._fields}
            print(
                f"{kind}: {options.tables} tables, right, in {monotonic() - began:.0f} s; {servers.done}; {harm}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
