"""Bearers who use the package for Python, in either form."""

import asyncio
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, Final

import httpx
import msgspec
from catch_the_ten import AsyncClient, Client, Update
from catch_the_ten.problems import IllegalPlay

from tests.programs.agreement.asking import Json
from tests.programs.pairwise.playing import IllegalCard, Opened, Seen
from tests.python_client.both import Connect, Waiting

SILENCE: Final = 1.0
"""Seconds without a sign of life after which a stream is dead; changes are asked for 25 times as often."""


@contextmanager
def connected(kind: str, url: str, key: str, headers: Mapping[str, str]) -> Generator[Any]:
    """Connect a client, "sync" or "async", whose calls wait."""
    with ExitStack() as ends:
        settings: dict[str, Any] = {
            "headers": dict(headers),
            "timeout": 10,
            "limits": httpx.Limits(max_connections=None),
        }
        if kind == "sync":
            http = ends.enter_context(httpx.Client(**settings))
            yield ends.enter_context(Client(url, key=key, silence=SILENCE, http=http))
            return
        runner = ends.enter_context(asyncio.Runner())
        own = httpx.AsyncClient(**settings)
        ends.callback(lambda: runner.run(own.aclose()))
        connect = Connect(kind, runner, ends.enter_context(ExitStack()))
        yield Waiting(AsyncClient(url, key=key, silence=SILENCE, http=own), connect)


def open_game(client: Any, opening: Json) -> Opened:
    """Open a game."""
    return msgspec.convert(msgspec.to_builtins(client.open_game(**opening)), Opened)


class PythonBearer:
    """A bearer of a game, as the package shows it."""

    def __init__(self, client: Any, opened: Opened, token: str) -> None:
        self._game = client.join(opened.id, token)
        self._changes = self._game.changes()

    def wait(self) -> Seen:
        """Wait for the next version of the game."""
        update: Update = next(self._changes)
        game = msgspec.to_builtins(update.game)
        events = msgspec.to_builtins(update.events)
        return Seen(update.version, game["phase"], game["dealer"], game["position"], events)

    def play(self, card: str) -> None:
        """Play a card."""
        try:
            self._game.play(card)
        except IllegalPlay as exc:
            raise IllegalCard(msgspec.to_builtins(exc.verdict)) from exc

    def deal(self) -> None:
        """Deal."""
        self._game.deal()

    def resign(self) -> None:
        """Resign."""
        self._game.resign()

    def add_entropy(self, entropy: str) -> None:
        """Add to the next shuffle."""
        self._game.add_entropy(entropy)
