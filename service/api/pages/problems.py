"""The pages of the problems: a list, and a page for each kind."""

from collections.abc import Iterable
from functools import cache
from html import escape
from typing import Final

import msgspec
from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from service.api.examples import read_examples
from service.api.pages.layout import fill, mark_up, write_page
from service.api.reference.problems import read_meanings
from service.game.faults import FAULTS
from service.http.problem_kinds import PROBLEM_KINDS, problem_type
from service.http.routes import page
from service.http.validation import SHAPE_FAULTS
from service.schemas.refusal import ProblemCode

_CODES: Final[dict[str, ProblemCode]] = {problem_type(code).rpartition("/")[2]: code for code in PROBLEM_KINDS}


@page("/problems", sync_to_thread=False)
def show_problems() -> Response[bytes]:
    """List the kinds of problems."""
    return write_page("Problems", _list_problems(), here="problems")


@page("/problems/{problem:str}", sync_to_thread=False)
def show_problem(problem: FromPath[str]) -> Response[bytes]:
    """Explain a kind of problem."""
    if problem not in _CODES:
        raise NotFoundException("There is no such kind of problem; /problems lists them.")
    code = _CODES[problem]
    return write_page(PROBLEM_KINDS[code].title, _explain(code), base="../", here="problems")


@cache
def _list_problems() -> str:
    rows = "".join(
        f'<tr><td>{kind.status}</td><td><a href="{problem_type(code).lstrip("/")}"><code>{code}</code></a></td>'
        f"<td>{escape(kind.title)}</td></tr>\n"
        for code, kind in sorted(PROBLEM_KINDS.items(), key=lambda item: item[1].status)
    )
    return fill("problems.html", rows=rows)


@cache
def _explain(code: ProblemCode) -> str:
    kind = PROBLEM_KINDS[code]
    example = escape(msgspec.json.format(msgspec.json.encode(read_examples().problems[code])).decode(), quote=False)
    texts = {"meaning": mark_up(read_meanings()[code]), "example": example, "faults": _LISTED.get(code, "")}
    return fill("problem.html", title=escape(kind.title), status=kind.status, code=code, **texts)


def _list_codes(faults: Iterable[tuple[str, str]]) -> str:
    rows = "".join(f"<dt><code>{code}</code></dt><dd>{escape(text)}</dd>\n" for code, text in faults)
    return f"<h2>Fault codes</h2>\n<dl>\n{rows}</dl>\n"


_LISTED: Final[dict[ProblemCode, str]] = {
    "impossible_state": _list_codes(FAULTS.items()),
    "invalid_body": _list_codes(SHAPE_FAULTS.items()),
}
"""The fault codes, for the pages of the problems that list faults."""
