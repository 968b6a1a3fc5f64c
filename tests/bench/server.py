"""Serves an application to be measured with all the settings that the service itself is served with.

python -m tests.bench.server NAME; HOST and PORT come from the environment.
"""

import sys
from contextlib import AbstractContextManager, ExitStack
from typing import Final
from unittest.mock import patch

from litestar.types import ASGIApp

import service.app
from service import cli, metrics, worker
from service.settings import Settings
from tests.bench.floor import floor

Change = AbstractContextManager[object]


def _floor(_: Settings, **__: object) -> ASGIApp:
    return floor


def _count_nothing(*_: object) -> None:
    pass


def _as_it_is(app: ASGIApp, *_: object) -> ASGIApp:
    return app


CHANGES: Final[dict[str, tuple[Change, ...]]] = {
    "floor": (patch.object(worker, "create_app", _floor), patch.object(metrics, "count_play", _count_nothing)),
    "unmeasured": (patch.object(service.app, "Measured", _as_it_is),),
}
"""By name: what is put in the place of the service's own parts."""


def main(name: str) -> int:
    """Serve until told to stop."""
    with ExitStack() as stack:
        for change in CHANGES[name]:
            stack.enter_context(change)
        return cli.main(["serve"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
