"""Parts of the application that pages and the framework's own answers need."""

from collections.abc import Callable
from typing import Final

from litestar.datastructures import State
from msgspec import Struct

from service.http.readiness import ShutdownState, StoreCheck

_KEY: Final = "parts"


class AppParts(Struct, frozen=True, eq=False):
    """The parts of one application."""

    store_check: StoreCheck
    """Checks whether the store of live games answers."""
    stop: ShutdownState
    """Knows if the process is stopping."""
    write_document: Callable[..., bytes]
    """Writes the OpenAPI document in a version of OpenAPI."""
    queried: frozenset[str]
    """The templates of the paths that also answer QUERY."""
    makes_suggestions: bool
    """False if suggestions are off."""
    asks_keys: bool
    """True if requests need an API key."""


def keep_parts(parts: AppParts) -> State:
    """Return the framework's state with the parts in it."""
    return State({_KEY: parts})


def parts_of(state: State) -> AppParts:
    """Return the parts from the framework's state."""
    parts: AppParts = state[_KEY]
    return parts
