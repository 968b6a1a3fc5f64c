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
Token = NewType("Token", str)
"""The token of a seat or of the host, as it is sent."""
Key = NewType("Key", str)
"""An Idempotency-Key, or what stands for it."""
Salt = NewType("Salt", bytes)
"""The part of a derivation that is kept: with the key, and only with both, the result can be made again."""
