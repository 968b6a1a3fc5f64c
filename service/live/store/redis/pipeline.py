"""Commands to one server: concurrent commands are sent as one batch on one connection.

In a batch, a command costs the client library several times less. Each gets its own answer.
"""

import asyncio
from collections.abc import Sequence
from itertools import chain
from typing import Any, Final, NamedTuple, TypeAlias

from redis.exceptions import ReadOnlyError, ResponseError

from service.live.store.redis.scripts import Script
from service.live.store.redis.topology import Argument, Connection, Node, pack

Answer: TypeAlias = object
"""The answer of Redis, or the exception that came instead."""

MAX_BATCHES: Final = 8
"""Concurrent batches to one server, each on its own connection; further commands wait for the next batch."""
WAIT_SHARE: Final = 0.9
"""The share of a batch's timeout that replicas may take; the rest is for the answer."""


class Command(NamedTuple):
    """A command, or a script with its one key and its arguments."""

    arguments: tuple[Argument, ...]
    """The command with its arguments; of a script, the key and the arguments."""
    script: Script | None = None
    """The script; None for a command."""
    beside: tuple[Argument, ...] | None = None
    """Another command on a key of the same slot; the two answers come as a list."""
    whole: bool = False
    """True if the server does not know the script, so its source is sent."""
    asking: bool = False
    """True for a key that is being moved to this server."""

    @property
    def replicated(self) -> bool:
        """True if replicas must confirm its write."""
        return self.script is not None and self.script.replicated

    def write(self) -> list[tuple[Argument, ...]]:
        """Return the words to send: a script by its hash, or its source."""
        sent = self.arguments
        if self.script is not None:
            sent = ("EVAL", self.script.text, 1, *sent) if self.whole else ("EVALSHA", self.script.hash, 1, *sent)
        parts = [sent] if self.beside is None else [sent, self.beside]
        return [part for each in parts for part in (("ASKING",), each)] if self.asking else parts

    def select(self, answers: list[Answer]) -> Answer:
        """Return the answer to the command, out of the answers to all its words."""
        wanted = answers[1::2] if self.asking else answers
        return wanted[0] if len(wanted) == 1 else next((each for each in wanted if isinstance(each, Exception)), wanted)


class NotReplicated(Exception):
    """Changes may have been made, but too few replicas confirmed them."""

    def __init__(self, replicas: int) -> None:
        super().__init__(f"fewer than {replicas} replicas have the change")


class Pipeline:
    """The commands to one server.

    Unit: `timeout` bounds a batch, in seconds; `replicas` is how many must confirm a change before it counts as made.
    """

    def __init__(self, node: Node, timeout: float, replicas: int = 0, wait_share: float = WAIT_SHARE) -> None:
        self._node = node
        self._timeout = timeout
        wait = ("WAIT", replicas, max(1, int(timeout * 1000 * wait_share)))
        self._wait: list[tuple[Argument, ...]] = [wait] if replicas else []
        self._replicas = replicas
        self._free = asyncio.Semaphore(MAX_BATCHES)
        self._waiting: list[tuple[Command, asyncio.Future[Answer]]] = []
        self._batches: set[asyncio.Task[None]] = set()

    async def execute(self, command: Command, deadline: float) -> Answer:
        """Send a command with the next batch, unless its deadline has passed by then; return its answer.

        Unit: `deadline` in seconds by the clock of the event loop; with no answer by then, TimeoutError is the answer.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        self._waiting.append((command, answer))
        if len(self._waiting) == 1:
            batch = asyncio.create_task(self._send())
            self._batches.add(batch)
            batch.add_done_callback(self._batches.discard)
        # A timer of the loop costs a fifth of asyncio.timeout, and every play makes two calls.
        timer = loop.call_at(deadline, _settle, answer, TimeoutError())
        try:
            return await answer
        finally:
            timer.cancel()

    async def close(self) -> None:
        """Wait briefly for the batches under way."""
        if self._batches:
            await asyncio.wait(self._batches)

    async def _send(self) -> None:
        async with self._free:
            batch = [(command, answer) for command, answer in self._waiting if not answer.done()]
            self._waiting = []
            if not batch:
                return
            answers: Sequence[Answer]
            try:
                async with asyncio.timeout(self._timeout):
                    answers = await self._exchange([command for command, _ in batch])
            except Exception as exc:  # noqa: BLE001 – the library and the event loop raise all kinds
                answers = [exc] * len(batch)
                # The server may have been replaced: the next connection finds the new one.
                await self._node.disconnect_idle()
            for (_, future), answer in zip(batch, answers, strict=True):
                _settle(future, answer)

    async def _exchange(self, commands: list[Command]) -> list[Answer]:
        """Send commands and read their answers.

        Errors: NotReplicated, and any of the library's.
        """
        connection = await self._node.acquire()
        try:
            written = [command.write() for command in commands]
            sent = b"".join(map(pack, chain(*written, self._wait)))
            await connection.send_packed_command([sent], check_health=False)
            answers = [
                command.select([await _read(connection) for _ in parts])
                for command, parts in zip(commands, written, strict=True)
            ]
            for _ in self._wait:
                acknowledged = await _read(connection)
                if not isinstance(acknowledged, int) or acknowledged < self._replicas:
                    raise NotReplicated(self._replicas)  # noqa: TRY301 – the connection is dropped, as after any error
        except BaseException:
            # Unread answers would be taken for answers to the next batch.
            await connection.disconnect(nowait=True)
            raise
        self._node.release(connection)
        return answers


def _settle(future: "asyncio.Future[Answer]", answer: Answer) -> None:
    if not future.done():
        future.set_result(answer)


async def _read(connection: Connection) -> Answer:
    """Return an answer, or raise the error that came instead.

    Errors: ReadOnlyError, if the server became a replica: the next connection finds the new primary.
    """
    try:
        answer: Any = await connection.read_response()
    except ResponseError as exc:
        # For a script, Redis before 7 says so only inside the text.
        if isinstance(exc, ReadOnlyError) or "-READONLY" in str(exc):
            raise ReadOnlyError from exc
        return exc
    return answer
