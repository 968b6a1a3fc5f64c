"""The page for playing the game. Its script is built from clients/table."""

from typing import Any, Final

from litestar import Request, Response

from service.api.pages.layout import PAGE_HEADERS, TEMPLATES
from service.api.pages.static_files import read_representation
from service.http.context import base_of, context_of
from service.http.routes import page

_PREVIEW: Final = b"/static/preview.png"
"""The picture of a shared link: sites that show it need an absolute URL."""


@page(["/table", "/how-to-play"], sync_to_thread=False)
def show_table(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Show the page for playing the game."""
    shown = read_representation(TEMPLATES / "table.html")
    body = shown.body.replace(_PREVIEW, base_of(context_of(request.scope)).encode() + _PREVIEW)
    return Response(body, media_type=shown.media_type, headers=PAGE_HEADERS)
