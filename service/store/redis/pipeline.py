"""Commands on their way to one server of Redis: those that come up together are sent together, on one connection.

A command costs the client library several times less in company than alone. Each is answered by itself.
"""

import asyncio
import math
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha1
from typing import Final, NamedTuple, TypeAlias

from redis.exceptions import NoScriptError, ReadOnlyError, ResponseError

from service.store.redis.topology import Connection, Place, Word, pack

Answer: TypeAlias = object
"""What Redis answered, or the exception that came in its place."""

BATCHES: Final = 8
"""Batches under way at once to one server, each on its own connection; what comes meanwhile waits for the next."""

WAIT_SHARE: Final = 0.9
"""How much of the time of a batch replicas may take: the rest is for the answer to come back."""


class Script:
    """A script, known to Redis by its hash once it was run there; `lasting` if what it writes must not be lost."""

    def __init__(self, text: str, *, lasting: bool = True) -> None:
        self.text = text
        self.lasting = lasting
        self.name = sha1(text.encode(), usedforsecurity=False).hexdigest()


class Command(NamedTuple):
    """A command, or a script with its one key and its arguments; `asking` for a key on its way to this server."""

    words: tuple[Word, ...]
    script: Script | None = None
    asking: bool = False

    @property
    def lasting(self) -> bool:
        """Whether it writes what must not be lost."""
        return self.script is not None and self.script.lasting

    def sent(self, *, whole: bool) -> list[tuple[Word, ...]]:
        """Write out what is sent, a script by its name or as a whole."""
        line = self.words
        if self.script is not None:
            line = ("EVAL", self.script.text, 1, *line) if whole else ("EVALSHA", self.script.name, 1, *line)
        return [("ASKING",), line] if self.asking else [line]


class NotReplicated(Exception):
    """A change was made, but too few replicas have it."""


class Line:
    """The commands to one server.

    Unit: `timeout` bounds a batch, in seconds; `replicas` is how many must have a change before it counts as made.
    """

    def __init__(self, place: Place, timeout: float, replicas: int = 0) -> None:
        self._place = place
        self._timeout = timeout
        self._wait: list[tuple[Word, ...]] = (
            [("WAIT", replicas, max(1, int(timeout * 1000 * WAIT_SHARE)))] if replicas else []
        )
        self._replicas = replicas
        self._free = asyncio.Semaphore(BATCHES)
        self._asked: list[tuple[Command, asyncio.Future[Answer]]] = []
        self._batches: set[asyncio.Task[None]] = set()

    async def ask(self, command: Command, until: float) -> Answer:
        """Send a command with the next batch; one whose caller has left by then is not sent.

        Unit: `until` in seconds by the clock of the event loop; with no answer by then, TimeoutError is the answer.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        self._asked.append((command, answer))
        if len(self._asked) == 1:
            batch = asyncio.create_task(self._send())
            self._batches.add(batch)
            batch.add_done_callback(self._batches.discard)
        # A timer of the loop costs a fifth of asyncio.timeout, and two calls go with every play.
        late = loop.call_at(until, _give_up, answer)
        try:
            return await answer
        finally:
            late.cancel()

    async def close(self) -> None:
        """Wait for the batches under way, which is not long."""
        if self._batches:
            await asyncio.wait(self._batches)

    async def _send(self) -> None:
        async with self._free:
            asked = [(command, answer) for command, answer in self._asked if not answer.done()]
            self._asked = []
            if not asked:
                return
            failure: Exception | None = None
            answers: Sequence[Answer] = ()
            try:
                async with asyncio.timeout(self._timeout):
                    answers = await self._exchange([command for command, _ in asked])
            except Exception as exc:  # noqa: BLE001 – the library and the event loop raise all kinds on a broken connection
                failure = exc
            for at, (_, answer) in enumerate(asked):
                if not answer.done():
                    answer.set_result(failure or answers[at])
        # A server without its replicas may have been replaced: the next connection finds the new one.
        if failure is not None or any(isinstance(answer, NotReplicated) for answer in answers):
            with suppress(Exception):
                async with asyncio.timeout(self._timeout):
                    await self._place.distrust()

    async def _exchange(self, commands: list[Command]) -> list[Answer]:
        connection = await self._place.lease()
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
            await self._place.give_back(connection)

    async def _talk(self, connection: Connection, commands: list[Command], *, whole: bool) -> list[Answer]:
        lines = [line for command in commands for line in command.sent(whole=whole)] + self._wait
        await connection.send_packed_command([b"".join(map(pack, lines))], check_health=False)
        read = [await _read(connection) for _ in lines]
        replicated = not self._wait or self._enough(read.pop())
        answers: list[Answer] = []
        at = -1
        for command in commands:
            at += 1 + command.asking
            answers.append(read[at] if replicated or not _made(read[at]) else NotReplicated())
        return answers

    def _enough(self, acknowledged: Answer) -> bool:
        return isinstance(acknowledged, int) and acknowledged >= self._replicas


def _give_up(answer: "asyncio.Future[Answer]") -> None:
    if not answer.done():
        answer.set_result(TimeoutError())


async def _read(connection: Connection) -> Answer:
    """Read an answer, or the error in its place.

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


def _made(answer: Answer) -> bool:
    return answer != 0 and not isinstance(answer, Exception)
