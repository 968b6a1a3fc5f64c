"""The pages of the problems: a list, and one for each kind."""

from collections.abc import Iterable
from functools import cache
from html import escape
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from service.api.examples import read_examples
from service.api.pages.layout import mark_up, write_page
from service.api.pages.problem_catalog import ProblemCatalog, make_catalog, read_meanings
from service.faults import FAULTS
from service.http.negotiation import weigh
from service.http.operation import MALFORMED, page
from service.http.problem_kinds import KINDS, problem_type
from service.http.validation import SHAPE_FAULTS
from service.wire.refusal import ProblemCode

_CODES: Final[dict[str, ProblemCode]] = {problem_type(code).rpartition("/")[2]: code for code in KINDS}
_HTML: Final = "text/html"
_JSON: Final = "application/json"
_VARY: Final = {"vary": "accept"}
CATALOG: Final = msgspec.json.encode(make_catalog())


@page(
    "/problems",
    operation_id="list_problems",
    summary="List the kinds of problems",
    description="Each with its code, status and title, and a link to its page; for who prefers JSON, the same as data, "
    "with every fault of a body or a state and every reason of a verdict.",
    response_description="The kinds of problems.",
    json_variant=ProblemCatalog,
)
def list_problems(request: Request[Any, Any, Any]) -> Response[bytes]:
    """List the kinds of problems, as a page or as data."""
    accepted = request.headers.get("accept", "").lower()
    if weigh(accepted, _JSON) > weigh(accepted, _HTML):
        return Response(CATALOG, media_type=_JSON, headers=_VARY)
    page = write_page(*_problems_page(), here="problems")
    page.headers |= _VARY
    return page


@page(
    "/problems/{problem}",
    operation_id="get_problem",
    summary="Explain a kind of problem",
    description="The page that the `type` of a problem document points to: the cause and the remedy.",
    problems=(*MALFORMED, "not_found"),
)
def get_problem(problem: FromPath[str]) -> Response[bytes]:
    """Explain a kind of problem."""
    if problem not in _CODES:
        raise NotFoundException("There is no such kind of problem; /problems lists them.")
    return write_page(*_problem_page(_CODES[problem]), base="../", here="problems")


@cache
def _problems_page() -> tuple[str, str]:
    rows = "".join(
        f'<tr><td>{kind.status}</td><td><a href="{problem_type(code).lstrip("/")}"><code>{code}</code></a></td>'
        f"<td>{escape(kind.title)}</td></tr>\n"
        for code, kind in sorted(KINDS.items(), key=lambda item: item[1].status)
    )
    content = f"""\
<h1>Problems</h1>
<p>Every refusal is a problem document (RFC 9457, <code>application/problem+json</code>). Its <code>code</code> is
stable; its <code>type</code> is the path of one of these pages.</p>
<table class="stacked">
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Title</th></tr></thead>
<tbody>
{rows}</tbody>
</table>
"""
    return "Problems", content


@cache
def _problem_page(code: ProblemCode) -> tuple[str, str]:
    kind = KINDS[code]
    content = f"""\
<h1>{escape(kind.title)}</h1>
<p class="status">Status {kind.status}, code <code>{code}</code></p>
<p>{mark_up(read_meanings()[code])}</p>
{_show_example(code)}\
{_LISTED.get(code, "")}\
<p><a href="../problems">All problems</a> · <a href="../guide#errors-to-show">Errors to show</a></p>
"""
    return kind.title, content


def _show_example(code: ProblemCode) -> str:
    text = msgspec.json.format(msgspec.json.encode(read_examples().problems[code])).decode()
    return (
        f'<h2>An example</h2>\n<pre tabindex="0"><code class="language-json">{escape(text, quote=False)}</code></pre>\n'
    )


def _list_codes(faults: Iterable[tuple[str, str]]) -> str:
    rows = "".join(f"<dt><code>{code}</code></dt><dd>{escape(text)}</dd>\n" for code, text in faults)
    return f"<h2>Fault codes</h2>\n<dl>\n{rows}</dl>\n"


_LISTED: Final[dict[ProblemCode, str]] = {
    "impossible_state": _list_codes(FAULTS.items()),
    "invalid_body": _list_codes(SHAPE_FAULTS.items()),
}
"""The fault codes, for the pages of the problems that list faults."""
