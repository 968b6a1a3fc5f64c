"""The page on which the game can be played. Its script is made from openapi/clients/table."""

from litestar import Response

from service.api.pages.layout import PAGE_HEADERS
from service.api.pages.static_files import STATIC, read_representation
from service.http.routes import page


@page(["/table", "/how-to-play"], sync_to_thread=False)
def show_table() -> Response[bytes]:
    """Show the page on which the game can be played; its script shows how, where that is asked."""
    shown = read_representation(STATIC / "table.html")
    return Response(shown.body, media_type=shown.media_type, headers=PAGE_HEADERS)
