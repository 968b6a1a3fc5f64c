"""The load: wrk on a core of its own, over a few connections that each wait for their answer."""

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from tests.programs.bench.workloads import Workload


class Sample(Struct, frozen=True, forbid_unknown_fields=True):
    """The results of one run of the load.

    Unit: `p50` and `p99` in microseconds, from request to answer; `refused` counts 4xx and 5xx; `cpu` in seconds, of
    the server.
    """

    requests: int
    seconds: float
    p50: float
    p99: float
    refused: int
    broken: int
    cpu: float = 0.0

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.requests / self.seconds

    @property
    def micros(self) -> float:
        """The server's CPU time for a request, in microseconds."""
        return 1e6 * self.cpu / self.requests


def missing() -> str | None:
    """Return what is not there to measure with, and how to get it."""
    for tool, package in (("wrk", "wrk"), ("taskset", "util-linux")):
        if shutil.which(tool) is None:
            return f"{tool} is needed. On Debian or Ubuntu: apt-get install {package}"
    return None


def wrk(url: str, workload: Workload, seconds: int, core: int) -> Sample:
    """Ask the workload's bodies in turn for some seconds, from one core."""
    with TemporaryDirectory() as folder:
        bodies = Path(folder, "bodies")
        bodies.write_bytes(b"\n".join(workload.bodies))
        sample = run_script("post.lua", url + workload.path, bodies, (workload.connections, seconds, core))
    if sample.broken or sample.refused or not sample.requests:
        raise RuntimeError(f"{workload.name} went wrong: {sample}")
    return sample


def run_script(script: str, url: str, read: Path, how: tuple[int, int, int]) -> Sample:
    """Run a script of wrk's, which reads a file; once more where a busy machine let not one request through.

    Shape: `how` is the connections, the seconds, and the core to ask from.
    """
    connections, seconds, core = how
    options = ["-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(Path(__file__).with_name(script))]
    command = ["taskset", "-c", str(core), "wrk", *options, url, "--", str(read)]
    sample = _run(command, seconds)
    return sample if sample.requests else _run(command, seconds)


def _run(command: list[str], seconds: int) -> Sample:
    ran = subprocess.run(command, check=False, capture_output=True, timeout=seconds + 30)
    if ran.returncode:
        raise RuntimeError(f"wrk failed: {(ran.stdout + ran.stderr).decode(errors='replace')}")
    return msgspec.json.decode(ran.stdout.splitlines()[-1], type=Sample)
