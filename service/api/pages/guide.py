"""The guide for teams that build on the service, made from Markdown."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Final

from litestar import Request, Response
from markdown_it import MarkdownIt
from markdown_it.token import Token

from service.api.pages.layout import LOCAL, address_of, write_page
from service.api.pages.static_files import STATIC
from service.http.routes import page

_PAGE: Final = re.compile(r"/(?:docs|guide|openapi\.json|problems|rulesets|table)")
_BASE: Final = "\0"
_NO_WORD: Final = re.compile(r"[^\w -]")


@page("/guide", sync_to_thread=False)
def show_guide(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Show the guide, whose commands ask the host that was asked for it."""
    title, content = _make_content()
    return write_page(title, content.replace(_BASE, address_of(request)), here="guide")


@cache
def _make_content() -> tuple[str, str]:
    """Return the title and the content of the page; in place of the host that is asked stands what no text has."""
    title, contents, text = render_guide((STATIC / "guide.md").read_text(encoding="utf-8"))
    aside = f'<nav class="contents" aria-labelledby="contents"><h2 id="contents">Contents</h2>\n{contents}</nav>\n'
    article = text.replace(LOCAL, _BASE).replace(LOCAL.removeprefix("http://"), _BASE)
    return title, f'<div class="guide">\n{aside}<article>\n{article}</article>\n</div>\n'


def render_guide(text: str) -> tuple[str, str, str]:
    """Return the title of a guide, its table of contents and its text, as HTML."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    heads = [(token, inline) for token, inline in pairwise(tokens) if token.type == "heading_open"]
    for token, inline in heads:
        token.attrs["id"] = _NO_WORD.sub("", inline.content.lower()).replace(" ", "-")
    for token in tokens:
        token.children = token.children and _link(token.children)
    items = [
        f'<li><a href="#{token.attrs["id"]}">{markdown.renderInline(inline.content)}</a></li>\n'
        for token, inline in heads
        if token.tag == "h2"
    ]
    made = markdown.renderer.render(tokens, markdown.options, {})
    return heads[0][1].content, f"<ol>\n{''.join(items)}</ol>\n", _make_reachable(made)


def _make_reachable(text: str) -> str:
    """Let a keyboard reach what may have to be scrolled."""
    return text.replace("<pre>", '<pre tabindex="0">')


def _link(tokens: Sequence[Token]) -> list[Token]:
    """Link each page of this service that is named, and no file of the repository, which is not served."""
    linked: list[Token] = []
    away = False
    for token in tokens:
        if token.type == "link_open":
            away = not str(token.attrs["href"]).startswith("#")
        if token.type.startswith("link_") and away:
            continue
        name = _PAGE.fullmatch(token.content) if token.type == "code_inline" else None
        opening = Token("link_open", "a", 1, attrs={"href": token.content.removeprefix("/")})
        linked += [opening, token, Token("link_close", "a", -1)] if name else [token]
    return linked
