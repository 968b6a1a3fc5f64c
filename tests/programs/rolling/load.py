"""Constant load: callers that ask without a pause and take down everything that is not as it should be."""

import asyncio
from typing import Final

import httpx
from msgspec import Struct, field

_DRAW: Final = b'{"players":2,"seed":"arran"}'
_GAME: Final = b'{"rules":"trebor","players":4}'
_JSON: Final = {"content-type": "application/json"}


class Load(Struct):
    """Callers and what they saw; `stop` ends them after the request that each is about."""

    url: str
    answered: int = 0
    failed: list[str] = field(default_factory=list[str])
    stop: bool = False

    async def run(self, callers: int) -> None:
        """Ask until told to stop, half of the callers over a connection that they keep."""
        async with asyncio.TaskGroup() as group:
            for at in range(callers):
                group.create_task(self._ask_on(kept=at % 2 == 0))

    async def _ask_on(self, *, kept: bool) -> None:
        limits = httpx.Limits(max_keepalive_connections=1 if kept else 0)
        async with httpx.AsyncClient(base_url=self.url, limits=limits, timeout=30) as client:
            while not self.stop:
                await self._ask(client, "/v1/draws", _DRAW, 200)
                await self._ask(client, "/v1/games", _GAME, 201)

    async def _ask(self, client: httpx.AsyncClient, path: str, body: bytes, expected: int) -> None:
        try:
            answer = await client.post(path, content=body, headers=_JSON)
        except httpx.HTTPError as exc:
            self.failed.append(f"{path}: {exc!r}")
            return
        if answer.status_code == expected:
            self.answered += 1
        else:
            self.failed.append(f"{path}: {answer.status_code} {answer.text[:200]}")
