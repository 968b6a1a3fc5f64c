"""Readiness: the two steps in which a process stops, the check of the store, and the metrics that show them."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from logging import getLogger
from typing import Final

from service.http.context import RequestContext
from service.live.store.protocol import Store, StoreDown, StoreMisconfigured
from service.platform.metrics.families import DRAINING, READY

STORE_TIMEOUT: Final = 1.0
"""Timeout of the store for a probe: shorter than for a call, as load balancers do not wait as long."""

START_SECONDS: Final = 30.0
"""Seconds for which a new process waits for its store, before it serves questions without one."""
INTERVAL: Final = 5.0
"""Seconds between two checks of the store for the metrics: less than between two scrapes."""
CLOSE: Final = (b"connection", b"close")
"""The header that ends a connection after its answer."""
_logger: Final = getLogger(__name__)


class ShutdownState:
    """The stop of this process.

    While it drains, the process answers every request, but asks load balancers to send no more. At the end it no longer
    listens.
    """

    def __init__(self) -> None:
        self.draining = False
        self._callbacks: list[Callable[[], None]] = []
        DRAINING.set(0)
        READY.set(True)

    def drain(self) -> None:
        """Begin to drain: the process is no longer ready."""
        self.draining = True
        DRAINING.set(1)
        READY.set(False)

    def read_draining(self, context: RequestContext) -> None:
        """Close a request's connection while the process drains, so that a load balancer does not reuse it."""
        if self.draining:
            context.headers.append(CLOSE)

    def on_shutdown(self, callback: Callable[[], None]) -> None:
        """Register a callback for the end, to finish endless answers such as event streams."""
        self._callbacks.append(callback)

    def end(self) -> None:
        """Call every registered callback."""
        for callback in self._callbacks:
            callback()


class StoreCheck:
    """Pings the store, and reads its metrics."""

    def __init__(self, store: Store, stop: ShutdownState) -> None:
        self._store = store
        self._stop = stop
        self._asking: asyncio.Task[None] | None = None
        self._starts_until = 0.0
        self._misfit: str | None = None
        self._is_down = False

    def find_start_fault(self) -> str | None:
        """Return why the process is not ready yet: for some time, or forever if waiting does not help."""
        if self._misfit is not None or asyncio.get_running_loop().time() >= self._starts_until:
            return self._misfit
        return "it has not answered since the start"

    async def is_down(self) -> bool:
        """Return whether the store cannot be reached in time, and set the metric of readiness."""
        try:
            async with asyncio.timeout(STORE_TIMEOUT):
                return await self._check()
        except TimeoutError:
            READY.set(False)
            return True

    async def _check(self) -> bool:
        try:
            await self._store.ping()
        except StoreDown as exc:
            if isinstance(exc, StoreMisconfigured) and self.find_start_fault():
                self._never_start(str(exc))
            self._is_down = True
            READY.set(False)
            return True
        if self._is_down:
            _logger.warning("the store of live games answers again")
        self._is_down, self._starts_until, self._misfit = False, 0.0, None
        READY.set(not self._stop.draining)
        return False

    def _never_start(self, misfit: str) -> None:
        """Stay unready, or a rollout would bring a wrong secret to every replica. Log each reason once."""
        if misfit != self._misfit:
            _logger.error("the store of live games cannot be used, so this process never becomes ready: %s", misfit)
        self._misfit = misfit

    async def open(self) -> None:
        """Begin to read the store's metrics at intervals."""
        self._starts_until = asyncio.get_running_loop().time() + START_SECONDS
        self._asking = asyncio.create_task(self._ask())

    async def close(self) -> None:
        """Ask no more."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait([self._asking])

    async def _ask(self) -> None:
        while True:
            await self._check()
            with suppress(StoreDown):
                await self._store.stats()
            await asyncio.sleep(INTERVAL)
