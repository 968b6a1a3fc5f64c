"""The OpenAPI document, and the page that shows it without files from other hosts.

The page lists the operations. Opening an operation loads Swagger UI for this operation alone. Swagger UI with all
operations blocked the main thread 15 to 30 times as long as other pages. Scalar is three times as large.
"""

from collections.abc import Callable, Iterable
from functools import cache
from html import escape
from typing import Any, Final

from litestar import Request, Response
from litestar.datastructures import State
from markdown_it import MarkdownIt
from msgspec.json import decode

from service.api.pages.layout import fill, write_page
from service.api.pages.static_files import find_document, read_representation
from service.http.app_parts import parts_of
from service.http.caching import Representation, make_representation, respond_compressed
from service.http.routes import page


@page("/openapi.json", sync_to_thread=True)  # making the document takes a while, once
def show_document(request: Request[Any, Any, Any], state: State) -> Response[bytes]:
    """Show the OpenAPI document, which the application makes from the operations."""
    return respond_compressed(request, _make_representation(parts_of(state).write_document))


@page("/openapi-3.2.json", sync_to_thread=True)
def show_newer_document(request: Request[Any, Any, Any], state: State) -> Response[bytes]:
    """Show the document in OpenAPI 3.2, with QUERY and single events of the stream."""
    return respond_compressed(request, _make_representation(parts_of(state).write_document, "3.2.0"))


@page("/arazzo.json", sync_to_thread=False)
def show_workflows(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Show the workflows in Arazzo, beside the document that they refer to."""
    return respond_compressed(request, read_representation(find_document("openapi/arazzo.json")))


@cache
def _make_representation(write: Callable[..., bytes], *version: str) -> Representation:
    return make_representation(write(*version), "application/json")


SOUGHT: Final = {
    "adjudications": "replay validate history cheating",
    "batches": "bulk many",
    "change_seats": "partners teams swap cut sit move",
    "deals": "shuffle random cards start",
    "draws": "shuffle cut",
    "follow_events": "websocket sse push realtime subscribe socket",
    "get_record": "history replay save export download log",
    "legal_moves": "valid allowed moves",
    "list_changes": "poll polling",
    "list_finished_games": "webhook callback results ended league statistics history export",
    "list_games": "dashboard lobby running active",
    "list_my_games": "dashboard lobby running active reminder turn bulk many",
    "list_problems": "errors codes",
    "open_game": "create room lobby match start invite multiplayer",
    "open_rematch": "again",
    "renew_token": "login join invite auth password sit name",
    "resign": "forfeit quit give up leave concede",
    "scores": "points result winner",
    "seat_computer": "bot ai leave robot opponent",
    "suggestions": "hint advice bot ai engine best move",
    "take_back": "undo",
    "verdicts": "check valid allowed illegal",
}
"""By operation: words that people search for and its description may lack."""


@page("/docs", sync_to_thread=True)  # making the document takes a while, once
def show_docs(state: State) -> Response[bytes]:
    """Show the page for browsing and trying the document."""
    parts = parts_of(state)
    return write_page("Reference", _list_operations(parts.write_document, asks_keys=parts.asks_keys), here="docs")


@cache
def _list_operations(write: Callable[..., bytes], *, asks_keys: bool) -> str:
    document = decode(_make_representation(write).body)
    operations = [
        (path, method, operation) for path, each in document["paths"].items() for method, operation in each.items()
    ]
    tags = "".join(
        _write_tag(tag, (each for each in operations if tag["name"] in each[2]["tags"]), asks_keys=asks_keys)
        for tag in document["tags"]
    )
    about = MarkdownIt("commonmark").enable("table").render(document["info"]["description"])
    return fill("docs.html", about=about, tags=tags, number=len(operations))


def _write_tag(tag: dict[str, str], operations: Iterable[tuple[str, str, Any]], *, asks_keys: bool) -> str:
    rows = "".join(_write_operation(*each, asks_keys=asks_keys) for each in operations)
    return f"<section><h2>{tag['name']}</h2>\n<p>{escape(tag['description'])}</p>\n{rows}</section>\n"


def _write_operation(path: str, method: str, operation: dict[str, Any], *, asks_keys: bool) -> str:
    ways = [set(way) for way in operation.get("security", []) if way or not asks_keys]
    asked = _name_secrets(ways)
    return fill(
        "operation.html",
        path=path,
        method=method,
        id=operation["operationId"],
        summary=escape(operation["summary"]),
        description=MarkdownIt("commonmark").render(operation["description"]),
        lock=f'<small class="lock">needs a {asked}</small>' if asked else "",
        sought=SOUGHT.get(operation["operationId"], ""),
    )


def _name_secrets(ways: list[set[str]]) -> str:
    """Return what a call needs, a token or a key. Return "" if neither."""
    if not ways or not all(ways):
        return ""
    first, *others = ways
    names = first.intersection(*others) or first.union(*others)
    return " or a ".join(text for name, text in (("token", "token"), ("apiKey", "key")) if name in names)
