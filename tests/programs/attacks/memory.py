"""The memory of a process that is attacked, and of the kernel for its clients."""

import re
from pathlib import Path
from threading import Event, Thread
from typing import Self


def peak(process: int) -> float:
    """Return the largest resident memory that a process had, in MB."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) / 1024


class KernelMemory:
    """The largest memory that the kernel held for the clients of a port, looked at ten times a second.

    Unit: bytes, of what was written and not yet acknowledged, or came and was not yet read.
    """

    def __init__(self, port: int) -> None:
        self.peak = 0
        self._port = f"{port:04X}"
        self._ended = Event()
        self._watching = Thread(target=self._watch)

    def __enter__(self) -> Self:
        """Begin to watch."""
        self._watching.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End the watch."""
        self._ended.set()
        self._watching.join()

    def _watch(self) -> None:
        while not self._ended.wait(0.1):
            lines = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
            queues = [line[4].split(":") for line in lines if line[1].endswith(f":{self._port}")]
            self.peak = max(self.peak, sum(int(size, 16) for queue in queues for size in queue))
