"""A server of its own for a test: a real process on a free port of the loopback interface."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

_DOCS: Final = "Docs:"


@contextmanager
def serving(**settings: str) -> Generator[str]:
    """Serve with these settings until the end of the block; tell the address, without a slash at its end."""
    environment = {**os.environ, "HOST": "127.0.0.1", "PORT": "0", **settings}
    command = (sys.executable, "-m", "service", "serve")
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield _address(process)
        finally:
            process.terminate()


def _address(process: subprocess.Popen[str]) -> str:
    """Read the address that the server prints once it can be asked."""
    for line in process.stdout or ():
        if line.startswith(_DOCS):
            return line.removeprefix(_DOCS).strip().removesuffix("/docs")
    raise AssertionError("the server did not start")
