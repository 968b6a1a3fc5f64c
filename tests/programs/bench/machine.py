"""The machine: what it is, and how busy it was with other work while the service was measured."""

import os
import platform
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Final

from tests.programs.bench.targets import BESIDE
from tests.support.redis_server import find_or_get

_PACKAGES: Final = ("litestar", "msgspec", "uvicorn", "uvloop", "httptools", "prometheus-client", "redis")
_COMPARED: Final = ("litestar", "fastapi", "pydantic", "uvicorn", "uvloop", "httptools")
_TELL: Final = "import sys; from importlib.metadata import version; print(*map(version, sys.argv[1:]))"


def facts() -> list[tuple[str, str]]:
    """Return when and with what it is measured."""
    when = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    machine = f"{os.cpu_count()} cores, {_processor()}, {platform.system()} {platform.release()}"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    tools = f"wrk {_number('wrk', '--version')}, redis-server {_number(find_or_get(), '--version')}"
    told = subprocess.run(["git", "describe", "--always", "--dirty"], check=True, capture_output=True, text=True)
    return [
        ("when", when),
        ("commit", told.stdout.strip()),
        ("machine", machine),
        ("python", python),
        ("packages", _versions(sys.executable, _PACKAGES)),
        ("compared with", _versions(BESIDE, _COMPARED)),
        ("tools", tools),
    ]


def _versions(python: str, packages: tuple[str, ...]) -> str:
    told = subprocess.run([python, "-c", _TELL, *packages], check=True, capture_output=True, text=True).stdout
    return ", ".join(f"{name} {number}" for name, number in zip(packages, told.split(), strict=True))


def _number(*command: str) -> str:
    """Ask a program for its version; wrk tells it beside its usage, as if something were wrong."""
    told = subprocess.run(command, check=False, capture_output=True, text=True)
    found = re.search(r"\d+\.\d+(\.\d+)?", told.stdout + told.stderr)
    return found[0] if found else "of an unknown version"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.machine()


class Watch:
    """Watches the cores from its making on."""

    def __init__(self) -> None:
        self._start = monotonic()
        self._others = _by_all() - _by_us()

    def other_work(self) -> float:
        """Return the part of the cores' time that went into other work than ours; what we started must have ended."""
        others = _by_all() - _by_us() - self._others
        return max(0.0, others) / (monotonic() - self._start) / (os.cpu_count() or 1)


def _by_all() -> float:
    """Count the seconds that all cores have worked, those taken by other guests of the host among them."""
    first = Path("/proc/stat").read_text(encoding="utf-8").partition("\n")[0].split()
    user, nice, system, _idle, _waiting, interrupts, soft, stolen = map(int, first[1:9])
    return (user + nice + system + interrupts + soft + stolen) / os.sysconf("SC_CLK_TCK")


def _by_us() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
