"""Restart two replicas in turn behind the load balancer of deploy/, under load: python -m tests.programs.rolling.

The exit code is 0 when no request failed, 1 when one did, 2 where it cannot be tried.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.programs.harness import NEW_GAME, QUESTIONS, Load, deployed, run


async def _roll(rounds: int, callers: int, folder: Path) -> list[str]:
    with deployed(folder, drain_seconds=5) as served:  # as in the compose file
        load, codes = Load(served.balancer.port, (*QUESTIONS, NEW_GAME)), list[int]()
        async with load.running(callers):
            for replica in served.replicas * rounds:
                await asyncio.sleep(2)  # the balancer finds the other one ready
                codes.append(await asyncio.to_thread(replica.stop))
                await asyncio.to_thread(replica.start)
            await asyncio.sleep(2)
    print(f"{len(codes)} restarts: {load.answered} requests answered, {len(load.failed)} failed")
    return load.failed + [f"a replica ended with {code}" for code in codes if code] + ["nothing"] * (not load.answered)


def main(arguments: Sequence[str] | None = None) -> int:
    """Restart, count, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.rolling", description=__doc__)
    parser.add_argument("--rounds", type=int, default=2, help="how often each replica is restarted (2)")
    parser.add_argument("--callers", type=int, default=8, help="how many ask at once (8)")
    chosen = parser.parse_args(arguments)
    return run(["haproxy"], partial(_roll, chosen.rounds, chosen.callers))


if __name__ == "__main__":
    sys.exit(main())
