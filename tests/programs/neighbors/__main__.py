"""Run two replicas behind each load balancer that can be had: python -m tests.programs.neighbors [NAME ...].

The timers are a tenth or less of the real ones, in the same proportion, and the line to the replicas takes 10 ms. The
exit code is 0 when nothing failed, and 1 when something did. What cannot be had is named.
"""

import argparse
import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from tests.programs.binaries import NoProgram, find_or_get, surroundings
from tests.programs.neighbors.balancers import SOFTWARE, make_neighbor
from tests.programs.neighbors.checks import (
    HEARTBEAT,
    KEEP_ALIVE,
    Result,
    follow_quiet_stream,
    refuse_body,
    rest_and_post,
    roll,
)
from tests.programs.neighbors.line import DelayedLine
from tests.support.processes import Redis, Service


async def _check(name: str, folder: Path) -> list[Result]:
    """Run every check behind a load balancer."""
    async with AsyncExitStack() as stack:
        redis = stack.enter_context(Redis(folder / "redis"))
        settings = {"redis_url": redis.url, "drain_seconds": 3, "stream_heartbeat": HEARTBEAT}
        made = [Service(folder / f"{at}.log", keep_alive_seconds=KEEP_ALIVE, **settings) for at in (1, 2)]
        replicas = [stack.enter_context(each) for each in made]
        lines = [await stack.enter_async_context(DelayedLine(each.port)) for each in replicas]
        far = make_neighbor(name, folder / "far", [each.port for each in lines])
        near = make_neighbor(name, folder / "near", [each.port for each in replicas])
        for balancer in (far, near):
            stack.enter_context(balancer)
        quiet = [rest_and_post(far.port), follow_quiet_stream(far.port), refuse_body(far.port)]
        return [*await asyncio.gather(*quiet), await roll(near.port, replicas)]


def _version(name: str) -> str:
    """Return the version that a program tells."""
    command = [find_or_get(SOFTWARE[name].program), SOFTWARE[name].version]
    told = subprocess.run(command, capture_output=True, text=True, check=False, env=surroundings())
    return (told.stdout + told.stderr).strip().splitlines()[0][:60]


def main(arguments: Sequence[str] | None = None) -> int:
    """Check each load balancer, print the table, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.neighbors", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SOFTWARE)} (all)")
    chosen = parser.parse_args(arguments).names or [*SOFTWARE]
    failed = False
    for name in chosen:
        began = monotonic()
        try:
            version = _version(name)
        except NoProgram as exc:
            print(f"| {name} | not run: {exc} |", flush=True)
            continue
        with TemporaryDirectory() as folder:
            results = asyncio.run(_check(name, Path(folder)))
        faults = [" ".join(fault.split())[:90] for result in results for fault in result.failed]
        failed = failed or bool(faults)
        counted = "; ".join(result.counted for result in results)
        said = "; ".join(f"{number} × {fault}" for fault, number in Counter(faults).most_common(9))
        print(f"| {version} | {counted} | {said or '0 failed'} | {monotonic() - began:.0f} s |", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
