"""An operator's view of the live games in Redis: count them, list them, end some."""

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import AsyncGenerator
from time import time
from typing import Final

from service.app import make_store
from service.live.entries import OpenEntry, parse_entry, time_of
from service.live.store.redis.store import RedisStore, StoredGame
from service.platform.settings import BadSettings, Settings
from service.schemas.ids import Caller, GameId


def open_store(settings: Settings) -> RedisStore:
    """Return the Redis that stores the games.

    Errors: BadSettings, also if there is none.
    """
    store = make_store(settings)
    if not isinstance(store, RedisStore):
        raise BadSettings(("REDIS_URL: is not set, so that each process keeps its own games, which only it can see",))
    return store


async def _count(store: RedisStore, _: Namespace) -> None:
    """Print for each caller how many games there are, and how many bytes they take; those with most come first."""
    games, sizes = Counter[str](), Counter[str]()
    async for found, opened in _find(store, None):
        games[opened.owner] += 1
        sizes[opened.owner] += found.size
    _print("games", "bytes", "caller")
    for caller, size in sizes.most_common():
        _print(games[caller], size, caller)
    _print(games.total(), sizes.total(), "all")


async def _list(store: RedisStore, chosen: Namespace) -> None:
    """Print a line for each game, of one caller or of all."""
    _print("game", "opened", "changed", "changes", "bytes", "rules", "caller")
    async for found, opened in _find(store, chosen.caller):
        ages = (f"{time() - time_of(entry) / 1000:.0f}s" for entry in (found.first, found.last))
        rules = opened.rules if isinstance(opened.rules, str) else "house rules"
        _print(found.game, *ages, found.entries - 1, found.size, rules, opened.owner)


async def _end(store: RedisStore, chosen: Namespace) -> None:
    """End a game, or all of a caller, and print the ids."""
    if chosen.game is not None:
        await _drop(store, chosen.game)
        return
    async for found, _ in _find(store, chosen.caller):
        await _drop(store, found.game)


async def _drop(store: RedisStore, game: GameId) -> None:
    """End a game, whose players see that it is gone, and print its id."""
    await store.drop(game)
    _print(game)


GAME_ACTIONS: Final = {"count": _count, "list": _list, "end": _end}
"""The actions of the command, by name; each takes the store and the arguments."""


async def _find(store: RedisStore, caller: Caller | None) -> AsyncGenerator[tuple[StoredGame, OpenEntry]]:
    async for page in store.list_games():
        for found in page:
            opened = parse_entry(found.first)
            if isinstance(opened, OpenEntry) and caller in {None, opened.owner}:
                yield found, opened


def _print(*fields: object) -> None:
    sys.stdout.write("\t".join(map(str, fields)) + "\n")
