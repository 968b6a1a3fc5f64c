"""Health and metrics: for those who run the service."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Final, Literal

from litestar import MediaType, Response
from litestar.datastructures import State
from litestar.params import FromQuery

from service.http.operation import MALFORMED, read
from service.http.readiness import Stop, set_ready
from service.metrics.exposition import MEDIA_TYPE, write_metrics
from service.store.protocol import Store, StoreDown

_read: Final = partial(read, sync_to_thread=None)  # coroutines


@read(
    "/livez",
    operation_id="livez",
    tags=["System"],
    summary="Say that the process is alive",
    description="Asks nothing of anything else. When it fails, restart the process.",
    response_description="The process is alive.",
    media_type=MediaType.TEXT,
    problems=MALFORMED,
)
def livez() -> Response[str]:
    """Say that the process is alive; asks nothing of anything else."""
    return Response("ok\n", media_type=MediaType.TEXT)


@_read(
    "/readyz",
    operation_id="readyz",
    tags=["System"],
    summary="Say whether requests may come",
    description="Not while the process stops, and not while the store of live games cannot be reached. Questions are "
    "answered even then: with `?exclude=store` a balancer goes on sending them. `?verbose` lists each check with its "
    "state; where one fails, they are listed in any case.",
    response_description="Requests may come.",
    media_type=MediaType.TEXT,
    accepts=("verbose", "exclude"),
    also={503: "Requests had better go elsewhere: each check with its state."},
    problems=MALFORMED,
)
async def readyz(
    state: State, verbose: FromQuery[str | None] = None, exclude: FromQuery[list[Literal["store"]] | None] = None
) -> Response[str]:
    """Say that requests may come, or why they had better go elsewhere.

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
    """Return what is wrong, by check, and let Prometheus see whether anything is."""
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


@_read(
    "/metrics",
    operation_id="metrics",
    tags=["System"],
    summary="Show the metrics",
    description="In the text format of Prometheus. deploy/METRICS.md lists them. Where the operator gives them a port "
    "of their own, they are there and not here.",
    response_description="The metrics.",
    media_type=MediaType.TEXT,
    problems=MALFORMED,
)
async def metrics(state: State) -> Response[bytes]:
    """Show the metrics in the text format of Prometheus; what only the store knows is asked now."""
    await asyncio.gather(_faults(state), _count_games(state.store))
    return Response(await write_metrics(), media_type=MEDIA_TYPE)


async def _count_games(store: Store) -> None:
    with suppress(StoreDown):
        await store.census()


HANDLERS: Final = (livez, readyz)
