"""Run the command line: python -m service."""

import signal
import sys
from types import FrameType


def main() -> int:
    """Run a command and return its exit code.

    SIGTERM ends the process from here on: as PID 1 of a container it would ignore the signal while it starts.
    """
    signal.signal(signal.SIGTERM, _exit)
    from service.server.cli import main as run  # noqa: PLC0415 – importing it takes most of the start

    return run()


def _exit(number: int, _: FrameType | None) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
