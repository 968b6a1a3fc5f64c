"""The common parts of all pages: the head, the navigation, and the headers."""

import re
from html import escape
from pathlib import Path
from string import Template
from typing import Any, Final

from litestar import Request, Response

from service import __version__

PAGE_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""The headers of a page: it may load files only from this service."""
_PAGES: Final = {
    "table": "Play",
    "how-to-play": "How to play",
    "guide": "Guide",
    "docs": "Reference",
    "rulesets": "Rulesets",
    "problems": "Problems",
}
_WORDS: Final = re.compile(r"`([^`]+)`|(/(?:docs|v1/[a-z-]+)\b)")
_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+/")
LOCAL: Final = "http://localhost:8000"
TEMPLATES: Final = Path(__file__).parent / "templates"
"""The texts of the pages."""
_TEMPLATES: Final = {path.name: Template(path.read_text(encoding="utf-8")) for path in TEMPLATES.iterdir()}


def fill(template: str, /, **texts: object) -> str:
    """Return a template with a text for each placeholder."""
    return _TEMPLATES[template].substitute(texts)


def address_of(request: Request[Any, Any, Any]) -> str:
    """Return the requested base URL without a trailing slash; a default if it cannot stand in a command."""
    address = str(request.base_url)
    return address.rstrip("/") if _ADDRESS.fullmatch(address) else LOCAL


def mark_up(text: str) -> str:
    """Escape a text, and mark paths and what is between backquotes as code."""
    return _WORDS.sub(lambda found: f"<code>{found[1] or found[2]}</code>", escape(text, quote=False))


def write_page(title: str, content: str, base: str = "", here: str = "", frame: str = "main") -> Response[bytes]:
    """Write a page.

    Shape: `base` is the relative path to the front page. `here` is the name of the page in the navigation, if it has
    one. `frame` is the element around the content, if the content has its own `main`.
    """
    links = "".join(
        f'<a href="{base}{name}"{" aria-current=page" * (name == here)}>{text}</a>\n' for name, text in _PAGES.items()
    )
    texts = {"base": base, "links": links, "frame": frame, "content": content, "version": __version__}
    text = fill("page.html", title=escape(title), **texts)
    return Response(text.encode(), media_type="text/html", headers=PAGE_HEADERS)
