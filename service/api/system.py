"""Health and metrics: for those who run the service."""

import asyncio
from contextlib import suppress
from typing import Final

from litestar import HttpMethod, MediaType, Response, route
from litestar.datastructures import State

from service.api.reading import show
from service.live import Store, StoreDown
from service.metrics.families import READY
from service.metrics.shown import MEDIA_TYPE, write_metrics


@show("/livez")
def livez() -> Response[str]:
    """Tell that the process is alive; asks nothing of anything else."""
    return Response("ok\n", media_type=MediaType.TEXT)


@route("/readyz", http_method=[HttpMethod.GET, HttpMethod.HEAD])
async def readyz(state: State) -> Response[str]:
    """Tell that requests may come, or that those on live games cannot be answered now."""
    if not await _is_ready(state.store):
        text = "The store of live games cannot be reached; questions still answer.\n"
        return Response(text, status_code=503, headers={"retry-after": "1"}, media_type=MediaType.TEXT)
    return Response("ok\n", media_type=MediaType.TEXT)


async def _is_ready(store: Store) -> bool:
    """Tell whether the store answers, and show it."""
    try:
        await store.ping()
    except StoreDown:
        READY.set(0)
        return False
    READY.set(1)
    return True


@route("/metrics", http_method=[HttpMethod.GET, HttpMethod.HEAD])
async def metrics(state: State) -> Response[bytes]:
    """Show the metrics in the text format of Prometheus; what only the store knows is asked now."""
    await asyncio.gather(_is_ready(state.store), _count_games(state.store))
    return Response(await write_metrics(), media_type=MEDIA_TYPE)


async def _count_games(store: Store) -> None:
    with suppress(StoreDown):
        await store.census()


HANDLERS: Final = (livez, readyz)
