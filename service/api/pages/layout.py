"""The common parts of all pages for people: the head, the way to the other pages, and the headers."""

import re
from html import escape
from typing import Final

from litestar import Response

from service import __version__

PAGE_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""The headers of a page, which let it use only what this service serves."""
_PAGES: Final = {
    "table": "Play",
    "how-to-play": "How to play",
    "guide": "Guide",
    "docs": "Reference",
    "rulesets": "Rulesets",
    "problems": "Problems",
}
_WORDS: Final = re.compile(r"`([^`]+)`|(/(?:docs|v1/[a-z-]+)\b)")


def mark_up(text: str) -> str:
    """Escape a text, and mark paths and what is between backquotes as code."""
    return _WORDS.sub(lambda found: f"<code>{found[1] or found[2]}</code>", escape(text, quote=False))


def write_page(title: str, content: str, base: str = "", here: str = "", frame: str = "main") -> Response[bytes]:
    """Write a page.

    Shape: `base` leads from it to the front page; `here` names it, if it is one of those to which every page leads;
    `frame` is the element around the content, if that has a `main` of its own.
    """
    links = "".join(
        f'<a href="{base}{name}"{" aria-current=page" * (name == here)}>{text}</a>\n' for name, text in _PAGES.items()
    )
    text = f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<link rel="icon" href="{base}static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{base}static/pages.css">
</head>
<body>
<header class="site">
<a class="home" href="{base or "./"}"><span aria-hidden="true">10<b>♥</b></span> Catch the Ten</a>
<nav aria-label="Pages">
{links}</nav>
</header>
<{frame} class="content">
{content}</{frame}>
<footer class="site">
<span>Catch the Ten {__version__}, under the license Apache-2.0</span>
<nav aria-label="Sources">
<a href="{base}guide#packages">Packages for TypeScript and Python</a>
<a href="{base}openapi.json">OpenAPI</a>
</nav>
</footer>
</body>
</html>
"""
    return Response(text.encode(), media_type="text/html", headers=PAGE_HEADERS)
