"""Commands to one server: those that come up together are sent together, on one connection.

A command costs the client library several times less in company than alone. Each gets its own answer.
"""

import asyncio
import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple, TypeAlias

from redis.exceptions import NoScriptError, ReadOnlyError, ResponseError

from service.store.redis.client import Argument, Connection, pack
from service.store.redis.scripts import Script
from service.store.redis.topology import Node

Answer: TypeAlias = object
"""The answer of Redis, or the exception that came instead."""

BATCHES: Final = 8
"""Batches under way at once to one server, each on its own connection; what comes meanwhile waits for the next."""
WAIT_SHARE: Final = 0.9
"""The share of a batch's time that replicas may take; the rest is for the answer to come back."""


class Command(NamedTuple):
    """A command, or a script with its one key and its arguments; `asking` for a key on its way to this server."""

    arguments: tuple[Argument, ...]
    script: Script | None = None
    asking: bool = False

    @property
    def replicated(self) -> bool:
        """True if replicas must have what it writes."""
        return self.script is not None and self.script.replicated

    def write(self, *, whole: bool) -> list[tuple[Argument, ...]]:
        """Write what is sent, a script by its hash or as a whole."""
        line = self.arguments
        if self.script is not None:
            line = ("EVAL", self.script.text, 1, *line) if whole else ("EVALSHA", self.script.hash, 1, *line)
        return [("ASKING",), line] if self.asking else [line]


class NotReplicated(Exception):
    """A change was made, but too few replicas have it."""

    def __init__(self, replicas: int) -> None:
        super().__init__(f"fewer than {replicas} replicas have the change")


class Pipeline:
    """The commands to one server.

    Unit: `timeout` bounds a batch, in seconds; `replicas` is how many must have a change before it counts as made.
    """

    def __init__(self, node: Node, timeout: float, replicas: int = 0) -> None:
        self._node = node
        self._timeout = timeout
        wait = ("WAIT", replicas, max(1, int(timeout * 1000 * WAIT_SHARE)))
        self._wait: list[tuple[Argument, ...]] = [wait] if replicas else []
        self._replicas = replicas
        self._free = asyncio.Semaphore(BATCHES)
        self._waiting: list[tuple[Command, asyncio.Future[Answer]]] = []
        self._batches: set[asyncio.Task[None]] = set()

    async def execute(self, command: Command, deadline: float) -> Answer:
        """Send a command with the next batch, unless its deadline is over by then, and return the answer.

        Unit: `deadline` in seconds by the clock of the event loop; with no answer by then, TimeoutError is the answer.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        self._waiting.append((command, answer))
        if len(self._waiting) == 1:
            batch = asyncio.create_task(self._send())
            self._batches.add(batch)
            batch.add_done_callback(self._batches.discard)
        # A timer of the loop costs a fifth of asyncio.timeout, and two calls go with every play.
        timer = loop.call_at(deadline, _give_up, answer)
        try:
            return await answer
        finally:
            timer.cancel()

    async def close(self) -> None:
        """Wait for the batches under way, which is not long."""
        if self._batches:
            await asyncio.wait(self._batches)

    async def _send(self) -> None:
        async with self._free:
            batch = [(command, answer) for command, answer in self._waiting if not answer.done()]
            self._waiting = []
            if not batch:
                return
            failure: Exception | None = None
            answers: Sequence[Answer] = ()
            try:
                async with asyncio.timeout(self._timeout):
                    answers = await self._exchange([command for command, _ in batch])
            except Exception as exc:  # noqa: BLE001 – the library and the event loop raise all kinds
                failure = exc
            for at, (_, answer) in enumerate(batch):
                if not answer.done():
                    answer.set_result(failure or answers[at])
        # A server without its replicas may have been replaced: the next connection finds the new one.
        if failure is not None or any(isinstance(answer, NotReplicated) for answer in answers):
            with suppress(Exception):  # the connections are given up in any case
                async with asyncio.timeout(self._timeout):
                    await self._node.disconnect_idle()

    async def _exchange(self, commands: list[Command]) -> list[Answer]:
        connection = await self._node.acquire()
        try:
            answers = await self._talk(connection, commands, whole=False)
            unknown = [at for at, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
            if unknown:
                again = await self._talk(connection, [commands[at] for at in unknown], whole=True)
                for at, answer in zip(unknown, again, strict=True):
                    answers[at] = answer
        except BaseException:
            # What was not read would be taken for the answers to the next batch.
            await connection.disconnect(nowait=True)
            raise
        else:
            return answers
        finally:
            await self._node.release(connection)

    async def _talk(self, connection: Connection, commands: list[Command], *, whole: bool) -> list[Answer]:
        """Send commands and read their answers, with NotReplicated for each change that too few replicas have."""
        lines = [line for command in commands for line in command.write(whole=whole)] + self._wait
        await connection.send_packed_command([b"".join(map(pack, lines))], check_health=False)
        read = [await _read(connection) for _ in lines]
        replicated = not self._wait or self._enough(read.pop())
        answers: list[Answer] = []
        at = -1
        for command in commands:
            at += 1 + command.asking
            answer = read[at]
            answers.append(answer if replicated or not _has_changed(answer) else NotReplicated(self._replicas))
        return answers

    def _enough(self, acknowledged: Answer) -> bool:
        return isinstance(acknowledged, int) and acknowledged >= self._replicas


def _give_up(answer: "asyncio.Future[Answer]") -> None:
    if not answer.done():
        answer.set_result(TimeoutError())


async def _read(connection: Connection) -> Answer:
    """Return an answer, or the error that came instead.

    Errors: ReadOnlyError, for a server that has become a replica: the next connection finds the new one.
    """
    try:
        answer: Answer = await connection.read_response(timeout=math.inf)
    except ResponseError as exc:
        # Redis before 7 says so of a script only within the text.
        if isinstance(exc, ReadOnlyError) or "-READONLY" in str(exc):
            raise ReadOnlyError from exc
        return exc
    return answer


def _has_changed(answer: Answer) -> bool:
    """Return whether an answer may follow from a write; 0 is that of a script that found nothing to change."""
    return answer != 0 and not isinstance(answer, Exception)
