"""The machine: what it is, and how busy it was with other work while the service was measured."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import Final

_PACKAGES: Final = ("litestar", "msgspec", "uvicorn", "uvloop", "httptools", "prometheus-client")


def facts() -> list[tuple[str, str]]:
    """Tell when and with what it is measured."""
    when = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    machine = f"{os.cpu_count()} cores, {_processor()}, {platform.system()} {platform.release()}"
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return [("when", when), ("machine", machine), ("python", python), ("packages", packages)]


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
        """Tell the part of the cores' time that went into other work than ours; what we started must have ended."""
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
