"""The application is served by any server for ASGI: here by Hypercorn, with nothing of this project's own around it."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx
from hypercorn.asyncio import serve  # pyright: ignore[reportUnknownVariableType] # it takes WSGI, too, untyped
from hypercorn.config import Config

from service.app import create_app
from service.platform.settings import Settings
from tests.support.http.samples import STATE
from tests.support.patience import WAIT

QUESTION: Final = {"state": STATE}


@asynccontextmanager
async def hypercorn() -> AsyncGenerator[httpx.AsyncClient]:
    """Serve the application, and yield a client of it."""
    listening, config, stop = socket.create_server(("127.0.0.1", 0)), Config(), asyncio.Event()
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    config.bind, config.accesslog, config.errorlog = [f"fd://{listening.detach()}"], None, None
    app: Any = create_app(Settings())  # the server has types of its own for the same interface
    serving = asyncio.create_task(serve(app, config, shutdown_trigger=stop.wait))
    async with httpx.AsyncClient(base_url=url, timeout=WAIT) as client:
        yield client
    stop.set()
    await serving


async def ask_all() -> None:
    async with hypercorn() as client:
        assert (await client.get("/readyz")).status_code == 200
        posted = await client.post("/v1/legal-moves", json=QUESTION)
        queried = await client.request("QUERY", "/v1/legal-moves", json=QUESTION)
        assert posted.json() == queried.json()
        opened = await client.post("/v1/games", json={"rules": "trebor", "players": 4})
        assert opened.status_code == 201
        game = await client.get(opened.headers["location"])
        assert game.json()["id"] == opened.json()["id"]
        assert (await client.get("/v1/nothing")).json()["code"] == "not_found"
        assert "catchten_requests_total" in (await client.get("/metrics")).text
        assert (await client.get("/guide")).headers["content-type"].startswith("text/html")


def test_another_server_serves_the_application() -> None:
    asyncio.run(asyncio.wait_for(ask_all(), WAIT))
