"""Programs that check the files of deploy/: found on the machine, or unpacked once from a Debian package.

The packages are only unpacked, into the environment of the tests: nothing is installed, no daemon is started, and no
rights are needed. As root the lists of packages are brought up to date first.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_KEPT: Final = Path(sys.prefix) / "debian"
_PACKAGES: Final = {
    "promtool": ("prometheus",),
    "prometheus": ("prometheus",),
    "amtool": ("prometheus-alertmanager",),
    "prometheus-alertmanager": ("prometheus-alertmanager",),
    "haproxy": ("haproxy", "liblua5.3-0", "libopentracing-c-wrapper0", "libopentracing1"),
    "kubectl": ("kubernetes-client",),
    "nginx": ("nginx",),
    "apache2": ("apache2-bin", "libapr1", "libaprutil1", "liblua5.3-0"),
    "caddy": ("caddy",),
}
_PLACES: Final = ("usr/bin", "usr/sbin")


class NoProgram(Exception):
    """A program is neither installed nor available."""


def find_or_get(name: str) -> str:
    """Return the path of a program: the installed one, or one that is unpacked now.

    Errors: NoProgram.
    """
    found = shutil.which(name) or _kept(name)
    if found is None:
        found = _get_once(name)
    if found is None:
        raise NoProgram(f"{name} is needed, and could not be got. Install it, so that it is in PATH.")
    return found


def unpack(package: str, path: str) -> Path:
    """Return what a package of Debian has at a path; it is unpacked once.

    Errors: NoProgram.
    """
    if not (_KEPT / path).exists():
        with _locked():
            _get((package,))
    if not (_KEPT / path).exists():
        raise NoProgram(f"{package} of Debian could not be got")
    return _KEPT / path


def surroundings() -> dict[str, str]:
    """Return the environment of such a program, which finds the libraries unpacked with it."""
    libraries = ":".join(str(path) for path in _KEPT.glob("usr/lib/*-linux-gnu"))
    return {**os.environ, "LD_LIBRARY_PATH": f"{libraries}:{os.environ.get('LD_LIBRARY_PATH', '')}".strip(":")}


def _kept(name: str) -> str | None:
    places = [str(_KEPT / place) for place in _PLACES]
    return shutil.which(name, path=os.pathsep.join(places))


def _get_once(name: str) -> str | None:
    """Get a program unless another process has got it meanwhile, and return its path."""
    with _locked():
        if _kept(name) is None:
            _get(_PACKAGES.get(name, ()))
    return _kept(name)


@contextmanager
def _locked() -> Generator[None]:
    _KEPT.mkdir(parents=True, exist_ok=True)
    with (_KEPT / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        yield


def _get(packages: Sequence[str]) -> None:
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        return
    if os.geteuid() == 0:
        subprocess.run(["apt-get", "update", "-qq"], check=False)
    with TemporaryDirectory() as folder:
        command = ["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", *packages]
        subprocess.run(command, cwd=folder, check=False)
        for package in Path(folder).glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", str(package), str(_KEPT)], check=True)
