"""Health and metrics: for those who run the service."""

from typing import Final, Literal

from litestar import HttpMethod, MediaType, Response, route
from litestar.datastructures import State
from litestar.params import FromQuery
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from service.api.reading import show
from service.live import Store, StoreDown
from service.stop import tell_ready


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
    faults = {"serving": "the process is told to stop" if state.stop.draining else None}
    if not exclude:
        faults["store"] = await _fault_of(state.store)
        tell_ready(ready=not any(faults.values()))
    lines = [f"[-]{name} failed: {fault}" if fault else f"[+]{name} ok" for name, fault in faults.items()]
    if any(faults.values()):
        return _text([*lines, "readyz check failed"], 503)
    return _text(["ok"] if verbose is None else [*lines, "readyz check passed"], 200)


async def _fault_of(store: Store) -> str | None:
    try:
        await store.ping()
    except StoreDown:
        return "it cannot be reached; questions still answer"
    return None


def _text(lines: list[str], status: int) -> Response[str]:
    headers = {"retry-after": "1"} if status == 503 else None
    return Response(
        "".join(f"{line}\n" for line in lines), status_code=status, headers=headers, media_type=MediaType.TEXT
    )


@show("/metrics")
def metrics() -> Response[bytes]:
    """Show the metrics in the text format of Prometheus."""
    # The framework adds the charset to every text.
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST.removesuffix("; charset=utf-8"))


HANDLERS: Final = (livez, readyz, metrics)
