"""Restart two replicas in turn behind a load balancer, under load: python -m tests.programs.rolling.

The exit code is 0 when no request failed, 1 when one did, 2 where it cannot be tried.
"""

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from tests.programs.rolling.balancer import MISSING, balancing, find, until_ready
from tests.programs.rolling.load import Load
from tests.support import redis_server
from tests.support.http.server import WAIT, Server, serving


class Replicas:
    """Replicas of the service, each on a port that it keeps."""

    def __init__(self, stack: ExitStack, count: int) -> None:
        self._stack = stack
        store = stack.enter_context(redis_server.running())
        self._settings = {"REDIS_URL": f"redis://127.0.0.1:{store}/0", "DRAIN_SECONDS": "2"}
        self.ports = [redis_server.free_port() for _ in range(count)]
        self._servers = [self._start(port) for port in self.ports]

    def _start(self, port: int) -> Server:
        return self._stack.enter_context(serving(**self._settings, PORT=str(port)))

    def restart(self, at: int) -> int:
        """Stop a replica, start it anew once it has ended, and return its exit code."""
        process = self._servers[at].process
        process.send_signal(signal.SIGTERM)
        code = process.wait(WAIT)
        self._servers[at] = self._start(self.ports[at])
        until_ready(self.ports[at])
        return code


async def _restart_all(replicas: Replicas, load: Load, rounds: int) -> list[int]:
    codes: list[int] = []
    await asyncio.sleep(1)
    for at in [*range(len(replicas.ports))] * rounds:
        codes.append(await asyncio.to_thread(replicas.restart, at))
        await asyncio.sleep(1)  # the balancer finds it ready
    load.stop = True
    return codes


async def _roll(replicas: Replicas, load: Load, rounds: int, callers: int) -> list[int]:
    asking = asyncio.create_task(load.run(callers))
    try:
        return await _restart_all(replicas, load, rounds)
    finally:
        load.stop = True
        await asking


def main(arguments: Sequence[str] | None = None) -> int:
    """Restart, count, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.rolling", description=__doc__)
    parser.add_argument("--rounds", type=int, default=2, help="how often each replica is restarted (2)")
    parser.add_argument("--callers", type=int, default=8, help="how many ask at once (8)")
    chosen = parser.parse_args(arguments)
    haproxy = find()
    if haproxy is None:
        print(MISSING, file=sys.stderr)
        return 2
    with ExitStack() as stack:
        replicas = Replicas(stack, 2)
        port = redis_server.free_port()
        stack.enter_context(balancing(haproxy, port, replicas.ports))
        load = Load(f"http://127.0.0.1:{port}")
        codes = asyncio.run(_roll(replicas, load, chosen.rounds, chosen.callers))
    print(f"{len(codes)} restarts, exit codes {codes}: {load.answered} requests answered, {len(load.failed)} failed")
    for failure in load.failed[:20]:
        print(failure)
    return int(bool(load.failed) or any(codes) or not load.answered)


if __name__ == "__main__":
    sys.exit(main())
