"""Serves an application to be measured: python -m tests.programs.bench.server NAME.

HOST and PORT come from the environment. What is compared with the service is served by uvicorn as it comes.
"""

import os
import sys
from collections.abc import Callable
from typing import Final

import uvicorn
from litestar.types import ASGIApp

from tests.programs.bench import foretold
from tests.programs.bench.floor import floor
from tests.programs.bench.peers import make_fastapi, make_litestar

PEERS: Final[dict[str, Callable[[], ASGIApp]]] = {
    "floor": lambda: floor,
    "litestar": make_litestar,
    "fastapi": make_fastapi,
}


def main(name: str) -> int:
    """Serve until told to stop."""
    if name == "foretold":
        return foretold.main()
    made: object = PEERS[name]()
    host, port = os.environ["HOST"], int(os.environ["PORT"])
    uvicorn.run(made, host=host, port=port, access_log=False, log_level="warning")  # type: ignore[arg-type]
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
