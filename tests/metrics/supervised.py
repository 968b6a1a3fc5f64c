"""Two worker processes of the service behind one port, as a supervisor starts them: python -m tests.metrics.supervised.

It writes the port to standard output.
"""

import uvicorn
from litestar.types import ASGIApp
from uvicorn.supervisors import Multiprocess

from service.app import create_app
from service.metrics.workers import counting_together
from service.settings import Settings


def make_app() -> ASGIApp:
    """Make the application in a worker."""
    return create_app(Settings())


def main() -> None:
    """Serve until told to stop."""
    config = uvicorn.Config(f"{__spec__.name}:make_app", factory=True, port=0, workers=2, log_level="error")
    listening = config.bind_socket()
    with counting_together():
        print(listening.getsockname()[1], flush=True)
        Multiprocess(config, sockets=[listening]).run()


if __name__ == "__main__":
    main()
