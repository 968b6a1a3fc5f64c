"""Time limits that cost nothing if there is nothing to wait for."""

import asyncio
from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


async def limit_time(seconds: float, work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine, and cancel it after some seconds; a timer is started only if it does not end at once.

    Errors: TimeoutError, if it takes longer.
    """
    try:
        first = work.send(None)
    except StopIteration as done:
        result: Result = done.value
        return result
    async with asyncio.timeout(seconds):
        return await _resume(work, first)


@coroutine
def _resume(work: Coroutine[Any, Any, Result], awaited: object) -> Generator[object, None, Result]:
    """Resume a coroutine that has begun; `awaited` is what it yielded first."""
    while True:
        try:
            try:
                yield awaited
            except BaseException as exc:  # noqa: BLE001 – mostly a cancellation, which the coroutine has to see
                awaited = work.throw(exc)
            else:
                awaited = work.send(None)
        except StopIteration as done:
            result: Result = done.value
            return result
