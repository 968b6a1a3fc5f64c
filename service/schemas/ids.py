"""Texts and bytes that name or prove something: each is a type of its own, so that none is taken for another.

They are made where a request is read, and where secrets are drawn; elsewhere they are only annotated.
"""

from typing import Final, NewType

GameId = NewType("GameId", str)
"""The id of a live game."""
Caller = NewType("Caller", str)
"""The name of a caller: `key/` and the name of an app, or `address/` and an address."""
NOBODY: Final = Caller("")
"""No caller: for whom nothing is counted."""
APP_PREFIX: Final = "key/"
"""The beginning of the name of a caller that is an app."""
Token = NewType("Token", str)
"""The token of a seat or of the host, as it is sent."""
Key = NewType("Key", str)
"""An Idempotency-Key, or what stands for it."""
Salt = NewType("Salt", bytes)
"""The part of a derivation that is kept: with the key, and only with both, the result can be made again."""


def is_app(caller: Caller) -> bool:
    """Return True if a caller is an app, which has a list of its games and a feed of those that are finished."""
    return caller.startswith(APP_PREFIX)


def app_of(name: str) -> Caller:
    """Return the caller that an app is, by the name of its API key."""
    return Caller(APP_PREFIX + name)
