"""Serves an application to be measured with all the settings that the service itself is served with.

python -m tests.programs.bench.server NAME; HOST and PORT come from the environment.
"""

import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from time import perf_counter
from typing import Any, Final, TypeAlias
from unittest.mock import patch

from litestar.types import ASGIApp, Message, Receive, Send

import service.app
from service.http.middleware.request_id import identify_request
from service.live import repository as keeper
from service.live.log import Game, Step
from service.platform.settings import Settings
from service.schemas.ids import GameId
from service.server import cli, startup
from tests.programs.bench.floor import floor
from tests.programs.bench.foretold import FORETOLD
from tests.programs.bench.peers import make_fastapi, make_litestar

Change = AbstractContextManager[object]
Log: TypeAlias = Callable[[Mapping[str, Any], int, float], None]


def _floor(_: Settings, **__: object) -> ASGIApp:
    return floor


def _unmeasured(app: ASGIApp, _: object, __: object, log: Log | None, ___: object) -> ASGIApp:
    """Name and log every request, and measure none."""

    async def seen(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        status = 0
        context = identify_request(scope)

        def watched_send(message: Message) -> Awaitable[None]:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *context.headers]
            return send(message)

        start = perf_counter()
        await app(scope, receive, watched_send)
        if log is not None:
            log(scope, status, perf_counter() - start)

    return seen


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
    "unmeasured": (patch.object(service.app, "Metrics", _unmeasured),),
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
