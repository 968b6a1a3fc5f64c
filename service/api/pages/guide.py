"""The guide for teams that build on the service, and the documents it links to, from Markdown."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from posixpath import dirname, join, normpath
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from markdown_it import MarkdownIt
from markdown_it.token import Token

from service.api.pages.layout import LOCAL, address_of, write_page
from service.api.pages.static_files import find_document
from service.http.routes import page

DOCUMENTS: Final = {
    "guide": "service/api/pages/templates/guide.md",
    "guide/rules": "docs/rules.md",
    "guide/notation": "docs/notation.md",
    "guide/hidden": "docs/hidden.md",
    "guide/proofs": "openapi/conformance/PROOFS.md",
    "guide/shuffle": "openapi/conformance/SHUFFLE.md",
    "guide/conformance": "openapi/conformance/README.md",
    "guide/typescript": "clients/typescript/README.md",
    "guide/python": "clients/python/README.md",
    "guide/changelog": "CHANGELOG.md",
}
"""The file of each address, as a path of the repository."""
_ADDRESSES: Final = {path: name for name, path in DOCUMENTS.items()} | {
    f"openapi/{name}.json": f"{name}.json" for name in ("arazzo", "openapi")
}
_PAGE: Final = re.compile(r"/(?:docs|guide|openapi(?:-3\.2)?\.json|problems|rulesets|table)")
_BASE: Final = "\0"
_WIDE: Final = re.compile(r"<table>(?=\s<thead>\s<tr>(?:\s<th>.*</th>){4})")
"""A table of four columns or more: on a narrow screen each cell needs its head."""
_NO_WORD: Final = re.compile(r"[^\w -]")


@page(["/guide", "/guide/{name:str}"], sync_to_thread=False)
def show_guide(request: Request[Any, Any, Any], name: FromPath[str] = "") -> Response[bytes]:
    """Show the guide or a document; its commands ask the host of this request."""
    address = f"guide/{name}".rstrip("/")
    if address not in DOCUMENTS:
        raise NotFoundException("There is no such document; /guide leads to each.")
    title, content = _make_content(address)
    base = "../" * address.count("/")
    return write_page(title, content.replace(_BASE, address_of(request)), base, here="guide")


@cache
def _make_content(address: str) -> tuple[str, str]:
    """Return the title and the content of a page, with a placeholder for the host."""
    title, contents, text = _render(address)
    aside = f'<nav class="contents" aria-labelledby="contents"><h2 id="contents">Contents</h2>\n{contents}</nav>\n'
    article = text.replace(LOCAL, _BASE).replace(LOCAL.removeprefix("http://"), _BASE)
    return title, f'<div class="guide">\n{aside}<article>\n{article}</article>\n</div>\n'


def _render(address: str) -> tuple[str, str, str]:
    """Return the title of a document, its table of contents and its text, as HTML."""
    markdown = MarkdownIt("commonmark").enable("table")
    tokens = markdown.parse(find_document(DOCUMENTS[address]).read_text(encoding="utf-8"))
    heads = [(token, inline) for token, inline in pairwise(tokens) if token.type == "heading_open"]
    firsts = {_NO_WORD.sub("", inline.content.lower()).replace(" ", "-"): token for token, inline in reversed(heads)}
    for anchor, token in firsts.items():
        token.attrs["id"] = anchor
    for token in tokens:
        token.children = token.children and _link(token.children, address)
    items = [
        f'<li><a href="#{token.attrs["id"]}">{markdown.renderInline(inline.content)}</a></li>\n'
        for token, inline in heads
        if token.tag == "h2"
    ]
    made = markdown.renderer.render(tokens, markdown.options, {})
    return heads[0][1].content, f"<ol>\n{''.join(items)}</ol>\n", _make_reachable(made)


def _make_reachable(text: str) -> str:
    """Make scrollable parts reachable by keyboard."""
    return _WIDE.sub('<table class="wide" tabindex="0">', text.replace("<pre>", '<pre tabindex="0">'))


def _link(tokens: Sequence[Token], address: str) -> list[Token]:
    """Link each named page and document, but nothing that is not served."""
    base, linked, away = "../" * address.count("/"), list[Token](), False
    for token in tokens:
        if token.type == "link_open":
            path, _, place = str(token.attrs["href"]).partition("#")
            found = _ADDRESSES.get(normpath(join(dirname(DOCUMENTS[address]), path))) if path else ""
            away = found is None
            token.attrs["href"] = (base + found if found else "") + f"#{place}" * bool(place)
        if token.type.startswith("link_") and away:
            continue
        name = _PAGE.fullmatch(token.content) if token.type == "code_inline" else None
        opening = Token("link_open", "a", 1, attrs={"href": base + token.content.removeprefix("/")})
        linked += [opening, token, Token("link_close", "a", -1)] if name else [token]
    return linked
