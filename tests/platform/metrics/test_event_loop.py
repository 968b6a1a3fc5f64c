"""The lag of the event loop shows blocking work, and is 0 without any."""

import asyncio
import selectors

import pytest

from service.platform.metrics import event_loop
from service.platform.metrics.event_loop import INTERVAL, LagMeter
from tests.platform.metrics.readings import value


class VirtualTime(selectors.SelectSelector):
    """Waits for nothing: its clock goes on to when the next timer is due, however busy the machine is."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0.0
        return super().select(0)

    def read(self) -> float:
        return self.now


@pytest.mark.parametrize("held_up", [0.0, 0.2, 3.0])
def test_the_lag_of_the_event_loop_is_for_how_long_it_was_held_up(
    held_up: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = VirtualTime()
    loop = asyncio.SelectorEventLoop(time)
    monkeypatch.setattr(loop, "time", time.read)
    monkeypatch.setattr(event_loop, "monotonic", time.read)

    async def measure() -> None:
        meter = LagMeter()
        await meter.open()
        await asyncio.sleep(0)
        time.now += INTERVAL + held_up  # what no request should do
        await asyncio.sleep(INTERVAL / 2)
        await meter.close()

    before = _seen()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(measure())
    looks, late = (now - then for now, then in zip(_seen(), before, strict=True))
    assert looks == 1
    assert late == pytest.approx(held_up)


def _seen() -> tuple[float, float]:
    return value("catchten_event_loop_lag_seconds_count"), value("catchten_event_loop_lag_seconds_sum")
