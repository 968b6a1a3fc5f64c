"""An operator's view of the live games in Redis: count them, list them, show one, end some."""

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import AsyncGenerator
from time import time
from typing import Final

import msgspec

from service.app import make_store
from service.live.entries import OpenEntry, UnknownFormat, parse_entry, time_of
from service.live.log import KEPT_SECONDS, kept_beyond
from service.live.repository import Repository
from service.live.store.redis.store import RedisStore, StoredGame
from service.live.tokens import hash_game
from service.live.views import view_game
from service.platform.settings import BadSettings, Settings
from service.schemas.ids import Caller, GameId
from service.schemas.refusal import Refusal


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
    """End a game, or all games of a caller, and print the ids.

    Errors: Refusal, if there is no game, or the caller has none.
    """
    if chosen.game is not None:
        await _end_one(store, chosen.game)
        return
    ended = False
    async for found, opened in _find(store, chosen.caller):
        await _drop(store, found.game, kept_beyond(opened))
        ended = True
    if not ended:
        raise Refusal("no_such_game", f"The caller {chosen.caller} has no games.")


async def _end_one(store: RedisStore, game: GameId) -> None:
    """End a game.

    Errors: Refusal, if there is no such game.
    """
    if not (await store.load(game, 0, stop=1)).entries:
        raise Refusal("no_such_game", f"There is no game {game}: it may be mistyped, have ended, or have expired.")
    await _drop(store, game, KEPT_SECONDS)


async def _drop(store: RedisStore, game: GameId, keep: int) -> None:
    """End a game and print its id. Its players see that it is gone, and its app's feed gets it."""
    await store.drop(game, keep)
    _print(game)


async def _show(store: RedisStore, chosen: Namespace) -> None:
    """Print the hash of a game, who opened it, and the game as a spectator sees it.

    Errors: Refusal, if it does not exist or cannot be read.
    """
    game = await Repository(store).load(chosen.game)
    _print("hash", hash_game(chosen.game))
    _print("caller", game.opened.owner)
    _print(msgspec.json.format(msgspec.json.encode(view_game(chosen.game, game, "spectator", ()))).decode())


GAME_ACTIONS: Final = {"count": _count, "list": _list, "show": _show, "end": _end}
"""The actions of the command, by name; each takes the store and the arguments."""


async def _find(store: RedisStore, caller: Caller | None) -> AsyncGenerator[tuple[StoredGame, OpenEntry]]:
    async for page in store.list_games():
        for found in page:
            try:
                opened = parse_entry(found.first)
                parse_entry(found.last)
            except (UnknownFormat, msgspec.ValidationError) as exc:
                sys.stderr.write(f"left out, as another version has stored it: {found.game}: {exc}\n")
                continue
            if isinstance(opened, OpenEntry) and caller in {None, opened.owner}:
                yield found, opened


def _print(*fields: object) -> None:
    sys.stdout.write("\t".join(map(str, fields)) + "\n")
