"""An event loop in virtual time: the seed chooses among ready callbacks, and waiting takes no time.

It serves several simulated processes, each with the tasks and timers that it began. A paused process runs nothing. A
killed process only cancels its tasks, which release their resources.
"""

import asyncio
import heapq
from asyncio.events import _set_running_loop
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import Context
from itertools import count
from random import Random
from typing import Any, Final

STEP_SECONDS: Final = 1e-5
"""The virtual time that each callback takes."""


class Process:
    """A simulated process, to which tasks, timers and connections belong.

    Unit: its clock is wrong by `skew` seconds.
    """

    def __init__(self, name: str, skew: float = 0.0) -> None:
        self.name = name
        self.skew = skew
        self.dead = False
        self.paused = False
        self.tasks: dict[asyncio.Task[Any], None] = {}
        self.held: list[OwnedHandle] = []


class OwnedHandle(asyncio.TimerHandle):
    """A callback of a process; `is_step` if it is a step of a task."""

    __slots__ = ("is_step", "process")

    def __init__(self, when: float, callback: Any, args: Any, loop: Any, context: Context | None) -> None:
        super().__init__(when, callback, args, loop, context)
        task = getattr(callback, "__self__", None)
        self.is_step = isinstance(task, OwnedTask)
        self.process: Process = task.process if isinstance(task, OwnedTask) else loop.process


class OwnedTask(asyncio.Task[Any]):
    """A task of the process that began it."""

    process: Process


class Stuck(Exception):
    """Nothing could ever run again, or callbacks run without end while no time passes."""


class Loop:
    """The event loop of one run: as much of asyncio's interface as the service, its libraries and the callers use.

    Shape: `process` is the one that runs now; `failures` are those that nobody has handled.
    """

    def __init__(self, chance: Random) -> None:
        self.process = self.outside = Process("outside")
        self._processes = [self.outside]
        self.failures: list[str] = []
        self.connect: Callable[..., Awaitable[tuple[Any, Any]]]
        self._untyped: Any = self  # asyncio names a class of its own, and this is another one
        self._chance = chance.random
        self._now = 0.0
        self._ready: list[OwnedHandle] = []
        self._timers: list[tuple[float, int, OwnedHandle]] = []
        self._order = count()
        self._stopping = self._running = self._closed = False

    def time(self) -> float:
        return self._now

    # ── Running ──

    def run_forever(self) -> None:
        self._running, self._stopping = True, False
        _set_running_loop(self._untyped)
        try:
            while not self._stopping:
                self.run_one()
        finally:
            self._running = False
            _set_running_loop(None)

    def run_until_complete(self, future: Any) -> Any:
        task = asyncio.ensure_future(future, loop=self._untyped)
        task.add_done_callback(self.stop)
        self.run_forever()
        return task.result()

    def run_one(self) -> None:
        handle = self._choose()
        process = handle.process
        if process.paused:
            process.held.append(handle)
        elif not handle.cancelled() and (not process.dead or handle.is_step):
            self.process = process
            self._now += STEP_SECONDS
            handle._run()
            self.process = self.outside

    def _choose(self) -> OwnedHandle:
        """Take any due callback, or advance the time until one is due.

        Errors: Stuck.
        """
        timers, ready = self._timers, self._ready
        if not ready:
            while timers and timers[0][2].cancelled():
                heapq.heappop(timers)
            if not timers:
                raise Stuck("nothing is left to run")
            self._now = max(self._now, timers[0][0])
        while timers and timers[0][0] <= self._now:
            ready.append(heapq.heappop(timers)[2])
        at = int(self._chance() * len(ready))
        ready[at], ready[-1] = ready[-1], ready[at]
        return ready.pop()

    def stop(self, _: object = None) -> None:
        self._stopping = True

    def is_running(self) -> bool:
        return self._running

    def is_closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        """Cancel everything left, and run the consequences at once."""
        self._timers.clear()
        for process in self._processes:
            self.kill(process)
        _set_running_loop(self._untyped)
        while self._ready:
            self.run_one()
        _set_running_loop(None)
        self._closed = True

    def get_debug(self) -> bool:
        return False

    async def create_connection(self, *arguments: Any, **options: Any) -> Any:
        return await self.connect(*arguments, **options)

    # ── Callbacks and tasks ──

    def call_soon(self, callback: Any, *args: Any, context: Context | None = None) -> OwnedHandle:
        handle = OwnedHandle(self._now, callback, args, self, context)
        self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon

    def call_later(self, delay: float, callback: Any, *args: Any, context: Context | None = None) -> OwnedHandle:
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Context | None = None) -> OwnedHandle:
        handle = OwnedHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._order), handle))
        return handle

    def call_of(self, process: Process, when: float, callback: Callable[[], None]) -> None:
        """Call something of another process."""
        self.call_at(when, callback).process = process

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        pass

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self._untyped)

    def create_task(
        self, coro: Coroutine[Any, Any, Any], *, name: str | None = None, context: Context | None = None
    ) -> OwnedTask:
        task = OwnedTask.__new__(OwnedTask)
        task.process = self.process  # before its first step is scheduled
        task.__init__(coro, loop=self._untyped, name=name, context=context)  # type: ignore[misc]
        task.process.tasks[task] = None
        task.add_done_callback(task.process.tasks.pop)
        return task

    def get_task_factory(self) -> None:
        return None

    def run_in_executor(self, executor: object, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """Run a function now, in place of a thread."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as exc:  # noqa: BLE001 – as an executor does
            future.set_exception(exc)
        return future

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Note a failure that nobody has handled, unless its process was killed."""
        if not self.process.dead:
            self.failures.append(f"{context.get('message')}: {context.get('exception')!r}")

    # ── Processes ──

    def start(self, process: Process, coro: Coroutine[Any, Any, Any]) -> OwnedTask:
        """Begin a task of a process."""
        self._processes.append(process)
        before, self.process = self.process, process
        task = self.create_task(coro)
        self.process = before
        return task

    def kill(self, process: Process) -> None:
        """End a process: its timers and connections are dead, and its tasks cancelled."""
        self.resume(process)
        process.dead = True
        for task in tuple(process.tasks):
            task.cancel()

    def resume(self, process: Process) -> None:
        """Let a process go on, if it was paused."""
        process.paused = False
        self._ready += process.held
        process.held.clear()
