"""Both clients behind one face, so that a test is written once: each call waits for its answer."""

import asyncio
import inspect
from collections.abc import AsyncGenerator, Callable
from contextlib import ExitStack
from typing import Any, Self, TypeAlias, cast

import httpx
from catch_the_ten import AsyncClient, Client, Update

Handler: TypeAlias = Callable[[httpx.Request], httpx.Response]


class Connect:
    """Makes clients of one kind, and closes them in the end."""

    def __init__(self, kind: str, runner: asyncio.Runner, ends: ExitStack) -> None:
        self._kind = kind
        self._runner = runner
        self._ends = ends

    def __call__(self, service: str | Handler, **options: Any) -> Any:
        """Return a client of the service at an address, or of one that is played by a function."""
        url, handler = (service, None) if isinstance(service, str) else ("http://service", service)
        transport = None if handler is None else httpx.MockTransport(handler)
        if self._kind == "sync":
            http = None if transport is None else self._ends.enter_context(httpx.Client(transport=transport))
            return self._ends.enter_context(Client(url, http=http, **options))
        http_in_tasks = None if transport is None else httpx.AsyncClient(transport=transport)
        client = AsyncClient(url, http=http_in_tasks, **options)
        self._ends.callback(lambda: self._runner.run(client.aclose()))
        return Waiting(client, self)

    def wait(self, found: Any) -> Any:
        """Wait for what an asynchronous call returns."""
        if inspect.isasyncgen(found):
            return self._ends.enter_context(Following(cast("AsyncGenerator[Update]", found), self._runner))
        answer = self._runner.run(found)
        return Waiting(answer, self) if hasattr(answer, "play") else answer


class Waiting:
    """An asynchronous object whose calls wait."""

    def __init__(self, inner: object, connect: Connect) -> None:
        self._inner = inner
        self._connect = connect

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        if not inspect.ismethod(value):
            return value

        def call(*args: Any, **fields: Any) -> Any:
            given = [arg._inner if isinstance(arg, Waiting) else arg for arg in args]
            return self._connect.wait(value(*given, **fields))

        return call


class Following:
    """An asynchronous generator whose steps wait."""

    def __init__(self, inner: AsyncGenerator[Update], runner: asyncio.Runner) -> None:
        self._inner = inner
        self._runner = runner

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Update:
        update = self._runner.run(self._step())
        if update is None:
            raise StopIteration
        return update

    async def _step(self) -> Update | None:
        return await anext(self._inner, None)

    def close(self) -> None:
        """Stop following."""
        self._runner.run(self._close())

    async def _close(self) -> None:
        await self._inner.aclose()
