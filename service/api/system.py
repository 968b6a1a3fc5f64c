"""Health and metrics: for those who run the service."""

from typing import Final

from litestar import HttpMethod, MediaType, Response, route
from litestar.datastructures import State
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from service.api.reading import show
from service.live import Store, StoreDown


@show("/livez")
def livez() -> Response[str]:
    """Tell that the process is alive; asks nothing of anything else."""
    return Response("ok\n", media_type=MediaType.TEXT)


@route("/readyz", http_method=[HttpMethod.GET, HttpMethod.HEAD])
async def readyz(state: State) -> Response[str]:
    """Tell that requests may come, or that those on live games cannot be answered now."""
    store: Store = state.store
    try:
        await store.ping()
    except StoreDown:
        text = "The store of live games cannot be reached; questions still answer.\n"
        return Response(text, status_code=503, headers={"retry-after": "1"}, media_type=MediaType.TEXT)
    return Response("ok\n", media_type=MediaType.TEXT)


@show("/metrics")
def metrics() -> Response[bytes]:
    """Show the metrics in the text format of Prometheus."""
    # The framework adds the charset to every text.
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST.removesuffix("; charset=utf-8"))


HANDLERS: Final = (livez, readyz, metrics)
