"""Time limits that cost nothing where nothing has to be waited for."""

import asyncio
from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


async def within(seconds: float, work: Coroutine[Any, Any, Result]) -> Result:
    """Do some work; only if it does not end at once is a timer started.

    Errors: TimeoutError, when it takes longer.
    """
    try:
        first = work.send(None)
    except StopIteration as done:
        result: Result = done.value
        return result
    async with asyncio.timeout(seconds):
        return await _go_on(work, first)


@coroutine
def _go_on(work: Coroutine[Any, Any, Result], waits_for: object) -> Generator[object, None, Result]:
    """Go on with work that has begun, from what it waits for first."""
    while True:
        try:
            try:
                yield waits_for
            except BaseException as exc:  # noqa: BLE001 – mostly a cancellation, which the work is to see
                waits_for = work.throw(exc)
            else:
                waits_for = work.send(None)
        except StopIteration as done:
            result: Result = done.value
            return result
