"""The OpenAPI document, and the page that shows it, for which a browser fetches nothing from other hosts.

The page is Swagger UI: Scalar is three times as large.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from litestar import Request, Response
from litestar.datastructures import State

from service.api.pages.layout import fill, write_page
from service.api.pages.static_files import find_document, read_representation
from service.http.app_parts import parts_of
from service.http.caching import Representation, make_representation, respond_compressed
from service.http.routes import page


@page("/openapi.json", sync_to_thread=True)  # to make the document takes a while, once
def show_document(request: Request[Any, Any, Any], state: State) -> Response[bytes]:
    """Show the OpenAPI document. The application provides it, because it is made from the operations."""
    return respond_compressed(request, _make_representation(parts_of(state).write_document))


@page("/openapi-3.2.json", sync_to_thread=True)
def show_newer_document(request: Request[Any, Any, Any], state: State) -> Response[bytes]:
    """Show the document in OpenAPI 3.2, which knows QUERY and describes an event stream event by event."""
    return respond_compressed(request, _make_representation(parts_of(state).write_document, "3.2.0"))


@page("/arazzo.json", sync_to_thread=False)
def show_workflows(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Show the workflows in Arazzo, which lie beside the document that they name."""
    return respond_compressed(request, read_representation(find_document("openapi/arazzo.json")))


@cache
def _make_representation(write: Callable[..., bytes], *version: str) -> Representation:
    return make_representation(write(*version), "application/json")


@page("/docs", sync_to_thread=False)
def show_docs(state: State) -> Response[bytes]:
    """Show the page on which the document can be browsed and tried."""
    return write_page("Reference", fill("docs.html", asks_keys=parts_of(state).asks_keys), here="docs", frame="div")
