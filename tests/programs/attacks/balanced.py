"""Attacks on the load balancer of deploy/: its memory, its backends, and the heavy calls of another address."""

import asyncio
from collections.abc import Generator
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Final, NamedTuple

import msgspec

from tests.deploy.files import HAPROXY
from tests.programs.attacks.balancer_attacks import BALANCER_ATTACKS, Target
from tests.programs.attacks.memory import peak
from tests.programs.attacks.others import ADDRESS
from tests.programs.harness import HEAVY, QUESTIONS, Balancer, Call, deployed
from tests.support.games.client import Client
from tests.support.games.player import SHORT, Player
from tests.support.http.samples import LAST_TRICKS
from tests.support.http.server import Line

MAX_BALANCER_MB: Final = 100
"""The most memory of a load balancer that stands an attack."""
HEAD_START: Final = 2.0
"""Seconds for which an attack goes on before others ask."""
BACKENDS: Final = ("questions", "heavy", "games", "streams", "last_resort")
_SETTINGS: Final[dict[str, object]] = {"trusted_proxies": "127.0.0.1", "max_suggestions": 2, "log_level": "error"}
_SUGGESTION: Final = msgspec.json.encode({"state": LAST_TRICKS, "level": "easy"})
_PING: Final = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
HEAVY_CALLS: Final = (
    *(call for call in QUESTIONS if call.path in HEAVY),
    Call("/v1/suggestions", _SUGGESTION),
    Call("/mcp", _PING),
)
"""One of each kind."""


class Figures(NamedTuple):
    """What an attack did to the load balancer, and to the heavy calls of another address.

    Unit: `before` and `peak` in MB, `longest` in seconds.
    """

    before: float
    peak: float
    sessions: dict[str, int]
    answered: int
    asked: int
    longest: float

    def describe(self) -> str:
        """Write the figures on a line."""
        sessions = ", ".join(f"{name} {most}" for name, most in self.sessions.items())
        calls = f"{self.answered} of {self.asked} heavy calls of another address, longest {self.longest:.1f} s"
        return f"{self.before:5.0f} MB -> {self.peak:5.0f} MB   {calls}   at most {sessions}"

    def are_within_bounds(self) -> bool:
        """Return True if the load balancer stands this, and every call of the other address was answered."""
        return self.peak < MAX_BALANCER_MB and self.answered == self.asked


def measure_balancer(name: str, seconds: float, shipped: Path = HAPROXY) -> Figures:
    """Attack the load balancer before two replicas for a while, and ask it heavy calls from another address."""
    with TemporaryDirectory() as made, deployed(Path(made), shipped=shipped, **_SETTINGS) as served:
        balancer = served.balancer
        target = Target(balancer.port, balancer.tls_port, asyncio.run(_open_game(balancer.port)))
        before, end = peak(balancer.pid), monotonic() + HEAD_START + seconds
        attacking = get_context("fork").Process(target=_attack, args=(name, target, end))
        attacking.start()
        sleep(HEAD_START)
        waits = list(_ask_heavy(balancer.port, end))
        figures = peak(balancer.pid), _most_sessions(balancer)
        attacking.kill()
        attacking.join()
    answered = [wait for wait in waits if wait is not None]
    return Figures(before, *figures, len(answered), len(waits), max(answered, default=0))


def _attack(name: str, target: Target, end: float) -> None:
    asyncio.run(BALANCER_ATTACKS[name](target, end))


async def _open_game(port: int) -> str:
    with Client([port]) as client:
        player = Player(client, SHORT, Random(1))
        await player.open()
        return player.path


def _ask_heavy(port: int, end: float) -> Generator[float | None]:
    """Ask heavy calls until a time, one of each kind at least. Yield how long each answer took, None for a refusal."""
    while True:
        for call in HEAVY_CALLS:
            began = monotonic()
            yield monotonic() - began if _is_answered(port, call) else None
        if monotonic() > end:
            return


def _is_answered(port: int, call: Call) -> bool:
    try:
        with Line(port, ADDRESS) as line:
            return line.ask(call.path, call.body, ("accept", "application/json")).status == call.status
    except (OSError, IndexError):
        return False


def _most_sessions(balancer: Balancer) -> dict[str, int]:
    """Return the most sessions that each backend had at a time."""
    return {name: balancer.read_metric(f'haproxy_backend_max_sessions{{proxy="{name}"}}') for name in BACKENDS}
