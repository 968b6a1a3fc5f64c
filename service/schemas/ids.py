"""Texts and bytes that name or prove something: a type each, so none is taken for another.

They are created where a request is read or secrets are drawn; elsewhere they are only annotated.
"""

from typing import Final, NewType

GameId = NewType("GameId", str)
"""The id of a live game."""
Caller = NewType("Caller", str)
"""The name of a caller: `key/` and the name of an app, or `address/` and an address."""
NOBODY: Final = Caller("")
"""No caller: nothing is charged."""
APP_PREFIX: Final = "key/"
"""The prefix of an app's name as a caller."""
Token = NewType("Token", str)
"""The token of a seat or of the host, as sent."""
Key = NewType("Key", str)
"""An Idempotency-Key or its substitute."""
Salt = NewType("Salt", bytes)
"""The stored part of a derivation: only with the key as well can the result be derived again."""


def is_app(caller: Caller) -> bool:
    """Return True if a caller is an app: it has a list of open games and a feed of finished ones."""
    return caller.startswith(APP_PREFIX)


def app_of(name: str) -> Caller:
    """Return the caller of an app, by the name of its API key."""
    return Caller(APP_PREFIX + name)
