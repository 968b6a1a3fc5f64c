"""Health and metrics: for those who run the service."""

import asyncio
from contextlib import suppress
from typing import Final, Literal

from litestar import HttpMethod, MediaType, Response, route
from litestar.datastructures import State
from litestar.params import FromQuery

from service.http.caching import show
from service.http.readiness import Stop, set_ready
from service.metrics.exposition import MEDIA_TYPE, write_metrics
from service.store.protocol import Store, StoreDown


@show("/livez")
def livez() -> Response[str]:
    """Tell that the process is alive; asks nothing of anything else."""
    return Response("ok\n", media_type=MediaType.TEXT)


@route("/readyz", http_method=[HttpMethod.GET, HttpMethod.HEAD])
async def readyz(
    state: State, verbose: FromQuery[str | None] = None, exclude: FromQuery[list[Literal["store"]] | None] = None
) -> Response[str]:
    """Tell that requests may come, or why they had better go elsewhere.

    Shape: as Kubernetes has it: `?verbose` lists the checks, `?exclude=store` leaves one out.
    """
    faults = await _faults(state)
    if exclude:
        del faults["store"]
    lines = [f"[-]{name} failed: {fault}" if fault else f"[+]{name} ok" for name, fault in faults.items()]
    if any(faults.values()):
        return _text([*lines, "readyz check failed"], 503)
    return _text(["ok"] if verbose is None else [*lines, "readyz check passed"], 200)


async def _faults(state: State) -> dict[str, str | None]:
    """Tell of each check what is wrong, and Prometheus whether anything is."""
    stop: Stop = state.stop
    store: Store = state.store
    faults = {"serving": "the process is told to stop" if stop.draining else None, "store": None}
    try:
        await store.ping()
    except StoreDown:
        faults["store"] = "it cannot be reached; questions still answer"
    set_ready(ready=not any(faults.values()))
    return faults


def _text(lines: list[str], status: int) -> Response[str]:
    headers = {"retry-after": "1"} if status == 503 else None
    return Response(
        "".join(f"{line}\n" for line in lines), status_code=status, headers=headers, media_type=MediaType.TEXT
    )


@route("/metrics", http_method=[HttpMethod.GET, HttpMethod.HEAD])
async def metrics(state: State) -> Response[bytes]:
    """Show the metrics in the text format of Prometheus; what only the store knows is asked now."""
    await asyncio.gather(_faults(state), _count_games(state.store))
    return Response(await write_metrics(), media_type=MEDIA_TYPE)


async def _count_games(store: Store) -> None:
    with suppress(StoreDown):
        await store.census()


HANDLERS: Final = (livez, readyz)
