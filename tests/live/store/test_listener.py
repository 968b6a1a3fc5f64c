"""A listener whose connection fails in any way makes another one, and asks for every game again."""

import asyncio
from typing import Any

from redis.asyncio.connection import ConnectionPool

from service.live.store.redis.pubsub import Listener, Subscriber, channel
from service.live.store.redis.topology import Node, Topology
from service.schemas.ids import GameId
from tests.support.patience import WAIT


class Connection:
    """A connection that hears nothing, and can send or not."""

    def __init__(self, *, sends: bool) -> None:
        self.sends = sends
        self.sent = b""

    async def send_packed_command(self, command: list[bytes], *, check_health: bool) -> None:
        assert not check_health
        await asyncio.sleep(0)
        if not self.sends:
            raise ConnectionResetError
        self.sent += b"".join(command)

    async def read_response(self, timeout: float | None = None) -> object:  # noqa: ASYNC109 – the library's
        await asyncio.sleep(60 if timeout is None else timeout)
        return None

    async def disconnect(self, *, nowait: bool) -> None:
        assert nowait


class Lines(Node):
    """A server to which there are these connections."""

    def __init__(self, *connections: Connection) -> None:
        super().__init__(ConnectionPool())
        self._left = list(connections)

    async def acquire(self) -> Any:
        return self._left.pop(0)


class Errors(Subscriber):
    """A listener that counts failures."""

    def __init__(self) -> None:
        super().__init__(Topology(Lines()), 5)
        self.errors = 0

    def on_error(self) -> None:
        self.errors += 1


def test_a_connection_on_which_nothing_can_be_sent_is_given_up_at_once() -> None:
    async def listen() -> None:
        contexts: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: contexts.append(context))
        subscriber, good = Errors(), Connection(sends=True)
        listener = Listener(Lines(Connection(sends=False), good), subscriber, 5, sharded=False)
        listener.add(GameId("game"))
        async with asyncio.timeout(WAIT):
            while channel(GameId("game")).encode() not in good.sent:  # noqa: ASYNC110 – the connection has no event for it
                await asyncio.sleep(0.01)
        await listener.stop()
        assert subscriber.errors == 1
        assert not contexts

    asyncio.run(listen())
