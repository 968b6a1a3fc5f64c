"""Serves an application to be measured with all the settings that the service itself is served with.

python -m tests.programs.bench.server NAME; HOST and PORT come from the environment.
"""

import sys
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from typing import Final
from unittest.mock import patch

from litestar.types import ASGIApp

import service.app
from service.http.context import RequestContext
from service.http.middleware.metrics import Metrics
from service.live import repository as keeper
from service.live.log import Game, Step
from service.platform.settings import Settings
from service.schemas.ids import GameId
from service.server import cli, startup
from tests.programs.bench.floor import floor
from tests.programs.bench.foretold import FORETOLD
from tests.programs.bench.peers import make_fastapi, make_litestar

Change = AbstractContextManager[object]


def _floor(_: Settings, **__: object) -> ASGIApp:
    return floor


class _Unmeasured(Metrics):
    """Names and logs every request, and measures none."""

    def _end(self, context: RequestContext, status: int, seconds: float, sent: int) -> None:
        if self._log is not None:
            self._log(context, status, seconds)


_append: Final = keeper.Repository.append


async def _append_elsewhere(self: keeper.Repository, game: GameId, step: Step) -> Game:
    """Make a change as another worker would: this one remembers the game as it stood before."""
    before = self._recent.get(game)
    now = await _append(self, game, step)
    if before is not None:
        self._recent[game] = before
    return now


def foretold() -> tuple[Change, ...]:
    """Give every entry the nonce and the time that the load knows beforehand, and so every version its ETag."""
    return tuple(patch.object(*each) for each in FORETOLD)


CHANGES: Final[dict[str, tuple[Change, ...]]] = {
    "floor": (patch.object(startup, "create_app", _floor),),
    "litestar": (patch.object(startup, "create_app", make_litestar),),
    "fastapi": (patch.object(startup, "create_app", make_fastapi),),
    "unmeasured": (patch.object(service.app, "Metrics", _Unmeasured),),
    "foretold": foretold(),
    "elsewhere": (*foretold(), patch.object(keeper.Repository, "append", _append_elsewhere)),
    "forgetful": (*foretold(), patch.object(service.app, "Repository", partial(keeper.Repository, max_bytes=4000))),
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
