"""Health, metrics, and the pages for people: the front page, and one for each kind of problem."""

from typing import Final

from litestar import MediaType, Response, get
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from service.api.problems import KINDS, ProblemCode, problem_type

_PAGES: Final[dict[str, ProblemCode]] = {problem_type(code).rpartition("/")[2]: code for code in KINDS}


@get("/livez", media_type=MediaType.TEXT, sync_to_thread=False)
def livez() -> str:
    """Tell that the process is alive; asks nothing of anything else."""
    return "ok"


@get("/readyz", media_type=MediaType.TEXT, sync_to_thread=False)
def readyz() -> str:
    """Tell that requests may come."""
    return "ok"


@get("/metrics", sync_to_thread=False)
def metrics() -> Response[bytes]:
    """Show the metrics in the text format of Prometheus."""
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
