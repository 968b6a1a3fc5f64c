"""The parts of the application that its pages show, and that the framework's own answers tell."""

from collections.abc import Callable
from typing import Final

from litestar.datastructures import State
from msgspec import Struct

from service.http.readiness import ShutdownState, StoreCheck

_KEY: Final = "parts"


class AppParts(Struct, frozen=True, eq=False):
    """The parts of one application."""

    store_check: StoreCheck
    """Knows if the store of live games answers."""
    stop: ShutdownState
    """Knows if the process is stopping."""
    write_document: Callable[..., bytes]
    """Writes the OpenAPI document, in the version of OpenAPI that is asked for."""
    queried: frozenset[str]
    """The templates of the paths that are also answered for QUERY."""
    makes_suggestions: bool
    """False if suggestions are off."""
    asks_keys: bool
    """True if requests need an API key."""


def keep_parts(parts: AppParts) -> State:
    """Return the state of the framework, with the parts in it."""
    return State({_KEY: parts})


def parts_of(state: State) -> AppParts:
    """Return the parts in the state of the framework."""
    parts: AppParts = state[_KEY]
    return parts
