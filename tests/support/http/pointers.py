"""The places of a JSON document, and JSON Pointers to them."""

from collections.abc import Iterator
from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
Place: TypeAlias = "tuple[dict[str, Json], str] | tuple[list[Json], int]"
"""A container and what leads from it to the value."""


def places(whole: Json) -> Iterator[Place]:
    """List every place below the top."""
    if isinstance(whole, dict):
        for name, value in whole.items():
            yield whole, name
            yield from places(value)
    elif isinstance(whole, list):
        for index, value in enumerate(whole):
            yield whole, index
            yield from places(value)


def get(place: Place) -> Json:
    """Look at a place."""
    if isinstance(place[0], dict):
        return place[0][str(place[1])]
    return place[0][int(place[1])]


def put(place: Place, value: Json) -> None:
    """Put something in a place."""
    if isinstance(place[0], dict):
        place[0][str(place[1])] = value
    else:
        place[0][int(place[1])] = value


def cut(place: Place) -> None:
    """Take a place out of its container."""
    if isinstance(place[0], dict):
        del place[0][str(place[1])]
    else:
        del place[0][int(place[1])]


def resolves(pointer: str, whole: Json) -> bool:
    """Return whether a JSON Pointer leads to something."""
    here = whole
    for step in pointer.split("/")[1:]:
        found = _step(here, step.replace("~1", "/").replace("~0", "~"))
        if not found:
            return False
        here = found[0]
    return pointer == "" or pointer.startswith("/")


def _step(here: Json, step: str) -> list[Json]:
    if isinstance(here, dict) and step in here:
        return [here[step]]
    if isinstance(here, list) and step.isdecimal() and int(step) < len(here):
        return [here[int(step)]]
    return []


def parent(pointer: str) -> str:
    """Lead to what holds a place."""
    return pointer.rpartition("/")[0]
