"""Health checks and metrics, for operators."""

import asyncio
import gzip
from typing import Final, Literal

from litestar import MediaType, Request, Response
from litestar.datastructures import State
from litestar.params import FromQuery
from prometheus_client import generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from service.http.app_parts import parts_of
from service.http.negotiation import accepts_gzip
from service.http.routes import page
from service.platform.build import BUILD
from service.platform.metrics.requests import REQUEST_BUFFER

_PROMETHEUS: Final = CONTENT_TYPE_PLAIN_0_0_4.removesuffix("; charset=utf-8")  # the framework adds it to every text
_COMPRESSION: Final = 1
"""The level of gzip: a higher one costs three times as much, and saves a tenth."""


@page("/livez", sync_to_thread=False)
def livez() -> Response[str]:
    """Answer that the process is alive."""
    return Response("ok\n", media_type=MediaType.TEXT)


@page("/readyz")
async def readyz(
    state: State, verbose: FromQuery[str | None] = None, exclude: FromQuery[list[Literal["store"]] | None] = None
) -> Response[str]:
    """Tell if the process is ready, in the format of Kubernetes.

    The process is not ready while it stops, or while the store does not answer within a second. Questions need no
    store: with `?exclude=store` a load balancer keeps sending them. After a start, that form is ready once the store
    has answered or 30 seconds have passed. `?verbose` lists each check, suggestions if they are off, and the build,
    pure or compiled. A failed check is always listed.
    """
    parts = parts_of(state)
    stop, store = parts.stop, parts.store_check
    faults = {"serving": "the process is stopping" if stop.draining else None}
    if not exclude:
        faults["store"] = "it cannot be reached; questions are still answered" if await store.is_down() else None
    elif fault := store.find_start_fault():
        faults["store"] = fault
    lines = [f"[-]{name} failed: {fault}" if fault else f"[+]{name} ok" for name, fault in faults.items()]
    lines += [] if parts.makes_suggestions else ["[+]suggestions off"]
    lines.append(f"[+]build {BUILD}")
    if any(faults.values()):
        return _respond([*lines, "readyz check failed"], 503)
    return _respond(["ok"] if verbose is None else [*lines, "readyz check passed"], 200)


def _respond(lines: list[str], status: int) -> Response[str]:
    headers = {"retry-after": "1"} if status == 503 else None
    return Response(
        "".join(f"{line}\n" for line in lines), status_code=status, headers=headers, media_type=MediaType.TEXT
    )


@page("/metrics")
async def metrics(request: Request[None, None, State]) -> Response[bytes]:
    """Show the metrics, written in a thread: that may take as long as hundreds of questions."""
    REQUEST_BUFFER.flush()
    written, headers = await asyncio.to_thread(generate_latest), {"vary": "accept-encoding"}
    if accepts_gzip(request):
        written, headers["content-encoding"] = await asyncio.to_thread(gzip.compress, written, _COMPRESSION), "gzip"
    return Response(written, headers=headers, media_type=_PROMETHEUS)


HANDLERS: Final = (livez, readyz, metrics)
