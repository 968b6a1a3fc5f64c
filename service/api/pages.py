"""The pages for people: the front page, and one for each kind of problem."""

import re
from collections.abc import Iterable
from functools import cache
from html import escape
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from service.api.page import write_page
from service.api.problem_catalog import ProblemCatalog, make_catalog
from service.faults import FAULTS
from service.http.negotiation import weigh
from service.http.operation import MALFORMED, read
from service.http.problem_kinds import KINDS, problem_type
from service.http.validation import SHAPE_FAULTS
from service.wire.refusal import ProblemCode

_CODES: Final[dict[str, ProblemCode]] = {problem_type(code).rpartition("/")[2]: code for code in KINDS}
_HTML: Final = "text/html"
_JSON: Final = "application/json"
_VARY: Final = {"vary": "accept"}
CATALOG: Final = msgspec.json.encode(make_catalog())
_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+/")
_WORDS: Final = re.compile(r"`([^`]+)`|(/(?:docs|v1/[a-z-]+)\b)")


def curl_line(base: str) -> str:
    """Return a command that deals a first deal; `base` is the address of the service without a trailing slash."""
    body = '{"rules": "trebor", "players": 4, "dealer": 3}'
    return f"curl -sS {base}/v1/deals -H 'Content-Type: application/json' -d '{body}'"


@read(
    "/",
    operation_id="front_page",
    tags=["Pages"],
    summary="Show the front page",
    description="A page for people: what the service is, a first call to try, and where to read on.",
    response_description="The page.",
    media_type=_HTML,
    problems=MALFORMED,
)
def front_page(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Show what the service is and where to read on."""
    address = str(request.base_url)
    known = _ADDRESS.fullmatch(address)
    return write_page(*_front_page(address.rstrip("/") if known else "http://localhost:8000"))


@read(
    "/problems",
    operation_id="list_problems",
    tags=["Pages"],
    summary="List the kinds of problems",
    description="Each with its code, status and title, and a link to its page; for who prefers JSON, the same as data, "
    "with every fault of a body or a state and every reason of a verdict.",
    response_description="The kinds of problems.",
    media_type=_HTML,
    data=ProblemCatalog,
    problems=MALFORMED,
)
def list_problems(request: Request[Any, Any, Any]) -> Response[bytes]:
    """List the kinds of problems, as a page or as data."""
    accepted = request.headers.get("accept", "").lower()
    if weigh(accepted, _JSON) > weigh(accepted, _HTML):
        return Response(CATALOG, media_type=_JSON, headers=_VARY)
    page = write_page(*_problems_page(), here="problems")
    page.headers |= _VARY
    return page


@read(
    "/problems/{problem:str}",
    operation_id="get_problem",
    tags=["Pages"],
    summary="Explain a kind of problem",
    description="The page that the `type` of a problem document points to: the cause and the remedy.",
    response_description="The page.",
    media_type=_HTML,
    problems=(*MALFORMED, "not_found"),
)
def get_problem(problem: FromPath[str]) -> Response[bytes]:
    """Explain a kind of problem."""
    if problem not in _CODES:
        raise NotFoundException("There is no such kind of problem; /problems lists them.")
    return write_page(*_problem_page(_CODES[problem]), base="../", here="problems")


HANDLERS: Final = (front_page, list_problems, get_problem)


def _front_page(address: str) -> tuple[str, str]:
    content = f"""\
<h1>Catch the Ten</h1>
<p>This service knows the rules of Catch the Ten, also called Scotch Whist, and of its family of card games. Ask it
which cards may be played, who wins a trick, what a deal scores, or whether a state is possible.</p>
<h2>Try it</h2>
<pre><code>{escape(curl_line(address))}</code></pre>
<h2>Read on</h2>
<table>
<tr><td><a href="table">Table</a></td><td>Play against the computer, and see every call that the page makes</td></tr>
<tr><td><a href="guide">Guide</a></td><td>A table in thirty minutes</td></tr>
<tr><td><a href="docs">Documentation</a></td><td>Every operation, with examples to try</td></tr>
<tr><td><a href="openapi.json">openapi.json</a></td><td>The same as OpenAPI 3.1, to generate clients from</td></tr>
<tr><td><a href="v1/rulesets">Rulesets</a></td><td>The games of the family as data, every rule with its source</td></tr>
<tr><td><a href="problems">Problems</a></td><td>What each problem means and what to do about it</td></tr>
<tr><td><a href="metrics">Metrics</a></td><td>In the text format of Prometheus</td></tr>
</table>
"""
    return "Catch the Ten", content


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
<table>
<tr><th>Status</th><th>Code</th><th>Title</th></tr>
{rows}</table>
<p><a href="./">Catch the Ten</a></p>
"""
    return "Problems", content


@cache
def _problem_page(code: ProblemCode) -> tuple[str, str]:
    kind = KINDS[code]
    content = f"""\
<h1>{escape(kind.title)}</h1>
<p>Status {kind.status}, code <code>{code}</code></p>
<p>{_mark_up(kind.meaning)}</p>
{_LISTED.get(code, "")}\
<p><a href="../problems">All problems</a> · <a href="../docs">Documentation</a></p>
"""
    return kind.title, content


def _list_codes(faults: Iterable[tuple[str, str]]) -> str:
    rows = "".join(f"<dt><code>{code}</code></dt><dd>{escape(text)}</dd>\n" for code, text in faults)
    return f"<h2>Fault codes</h2>\n<dl>\n{rows}</dl>\n"


_LISTED: Final[dict[ProblemCode, str]] = {
    "impossible_state": _list_codes(FAULTS.items()),
    "invalid_body": _list_codes(SHAPE_FAULTS.items()),
}
"""The fault codes, for the pages of the problems that list faults."""


def _mark_up(text: str) -> str:
    """Escape a text, and mark paths and what is between backquotes as code."""
    return _WORDS.sub(lambda found: f"<code>{found[1] or found[2]}</code>", escape(text, quote=False))
