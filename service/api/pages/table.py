"""The page on which the game can be played. Its script is made from openapi/table."""

from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from service.api.pages.static_files import PAGE_HEADERS, STATIC, represent_file
from service.http.caching import answer_packed
from service.http.operation import MALFORMED, read

_FILES: Final = ("table.js", "table.css")


@read(
    "/table",
    operation_id="table",
    tags=["Pages"],
    summary="Play the game",
    description="A table at which one plays against the computer, and sees the calls that it makes. A browser fetches "
    "nothing for it from other hosts.",
    response_description="The page.",
    media_type="text/html",
    problems=MALFORMED,
)
def show_table() -> Response[bytes]:
    """Show the page on which the game can be played."""
    page = represent_file(STATIC / "table.html")
    return Response(page.body, media_type=page.media_type, headers=PAGE_HEADERS)


@read("/table/{name:str}", include_in_schema=False, cached=True, problems=(*MALFORMED, "not_found"))
def show_table_file(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """Show a file that the page needs."""
    if name not in _FILES:
        raise NotFoundException("There is no such file.")
    return answer_packed(request, represent_file(STATIC / name))


HANDLERS: Final = (show_table, show_table_file)
