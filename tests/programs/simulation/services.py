"""Processes of the service, whole: uvicorn's protocol, the application, and its client of Redis."""

import asyncio
from typing import Final

import uvicorn
from uvicorn.server import ServerState

from service.app import create_app, make_store
from service.platform.settings import Settings
from service.server.connection import Connection
from tests.programs.chaos.histories.feeds import API_KEYS
from tests.programs.simulation.loop import Loop, Process
from tests.programs.simulation.network import Listener, Network

STORE_TIMEOUT: Final = 0.5
HEARTBEAT: Final = 3.0


class Service:
    """A process of the service that may be killed and restarted; its clock is wrong by `skew` seconds."""

    def __init__(
        self,
        loop: Loop,
        network: Network,
        number: int,
        replicas: int,
        skew: float,
    ) -> None:
        self.port, self.redis_port = 8000 + number, 6000 + number
        self.process: Process
        self._loop = loop
        self._network = network
        self._settings = Settings(
            redis_url=f"redis://127.0.0.1:{self.redis_port}",
            store_timeout=STORE_TIMEOUT,
            store_replicas=replicas,
            stream_heartbeat=HEARTBEAT,
            api_keys=API_KEYS,
        )
        self._skew = skew

    def start(self) -> asyncio.Task[None]:
        """Start the process, which listens soon."""
        self.process = Process(f"service {self.port}", self._skew)
        return self._loop.start(self.process, self._serve())

    def kill(self) -> None:
        """Kill the process."""
        self._network.kill(self.process)

    async def _serve(self) -> None:
        app = create_app(self._settings, make_store(self._settings))
        config = uvicorn.Config(app, http=Connection, ws="none", lifespan="on", log_config=None, access_log=False)
        config.load()
        lifespan, state = config.lifespan_class(config), ServerState()
        await lifespan.startup()
        assert not lifespan.should_exit
        self._network.listeners[self.port] = Listener(
            self.process,
            lambda: Connection(config=config, server_state=state, app_state=lifespan.state),
        )
