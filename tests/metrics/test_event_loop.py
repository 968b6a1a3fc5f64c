"""The lag of the event loop is what holds it up, and nothing where nothing does."""

import asyncio
import time
from collections.abc import Callable

from service.metrics.event_loop import INTERVAL, LagMeter
from tests.metrics.readings import value


def test_what_holds_up_the_event_loop_is_its_lag() -> None:
    looks, late = asyncio.run(_measure(hold_up))
    assert looks == 1
    assert 0.15 < late < 0.2 + INTERVAL


def test_an_idle_event_loop_is_not_late() -> None:
    looks, late = asyncio.run(_measure(rest))
    assert looks == 1
    assert late < 0.1


def hold_up() -> None:
    """Do what no request should."""
    time.sleep(INTERVAL + 0.2)


def rest() -> None:
    """Do nothing."""


async def _measure(work: Callable[[], None]) -> tuple[float, float]:
    """Do some work in the event loop; return how many looks there were, and how late they were in all."""
    before, meter = _seen(), LagMeter()
    await meter.open()
    await asyncio.sleep(0)
    work()
    await asyncio.sleep(0)
    await asyncio.sleep(0.01 if work is hold_up else 1.5 * INTERVAL)
    await meter.close()
    looks, late = _seen()
    return looks - before[0], late - before[1]


def _seen() -> tuple[float, float]:
    return value("catchten_event_loop_lag_seconds_count"), value("catchten_event_loop_lag_seconds_sum")
