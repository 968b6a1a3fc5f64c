"""The front page: what the service is, a trick drawn as cards, and where to go."""

import re
from html import escape
from typing import Any, Final

from litestar import MediaType, Request, Response

from service.api.pages.layout import write_page
from service.http.routes import page

_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+/")
LOCAL: Final = "http://localhost:8000"
QUESTION: Final = '{"trick": {"trump": "H", "leader": 0, "players": 4, "cards": ["AS", "TH", "6S", "JH"]}}'
ANSWER: Final = '{"seat":3,"side":null,"card":"JH","honours":21,"complete":true}'
SUMMARY: Final = (
    "The rules of Scotch Whist, a Scottish card game for two to eight, over HTTP: legal cards, tricks, "
    "scores, live games, and computer players. Every refusal names the rule and its source."
)
HOW_TO_ASK: Final = """\
Every question is one POST of JSON, below `/v1`, which needs nothing before it: the request holds the whole state of the
game, and the answer the next one. A card is its rank and its suit, such as `TH` for the ten of hearts. A refusal is a
problem document with a stable `code`, a pointer to each fault, and what would be accepted. To begin, POST
`{"rules": "trebor", "players": 4, "dealer": 3}` to `/v1/deals`, and send the `state` of its `position` to
`/v1/legal-moves`."""
_WAYS: Final = (
    (
        "guide",
        "A table in thirty minutes",
        "From the first call to a table at which people play, with errors and streams",
    ),
    ("docs", "Reference", "Every operation and field, with examples to try in curl, JavaScript and Python"),
    ("rulesets", "Rulesets", "The printed games beside each other, every rule with its source"),
    ("problems", "Problems", "What each refusal means, with an example, and what to do about it"),
    ("openapi.json", "OpenAPI 3.1", "To generate clients from; packages for TypeScript and Python are made already"),
    ("openapi-3.2.json", "OpenAPI 3.2", "The same, with every question by QUERY, which is safe to repeat"),
    ("metrics", "Metrics", "For Prometheus"),
)


@page("/", sync_to_thread=False)
def front_page(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Show what the service is and where to go."""
    return write_page("Catch the Ten", _front(_address_of(request)))


@page("/llms.txt", sync_to_thread=False)
def list_for_models(request: Request[Any, Any, Any]) -> Response[str]:
    """List for language models what the service is, how it is asked, and where to go. Source: llmstxt.org."""
    address = _address_of(request)
    ways = "\n".join(f"- [{name}]({address}/{path}): {text}" for path, name, text in _WAYS)
    return Response(
        f"""\
# Catch the Ten

> {SUMMARY}

{HOW_TO_ASK}

For example, with hearts as trumps, who takes this trick?

    {write_command(address)}

    {ANSWER}

Clients of the Model Context Protocol find each operation as a tool at {address}/mcp, which takes POST alone.

## Documents

{ways}
""",
        media_type=MediaType.TEXT,
    )


def _address_of(request: Request[Any, Any, Any]) -> str:
    """Return the address that was asked, without a trailing slash; a usual one if it cannot stand in a command."""
    address = str(request.base_url)
    return address.rstrip("/") if _ADDRESS.fullmatch(address) else LOCAL


def write_command(address: str) -> str:
    """Return a command that asks who wins a trick; `address` is that of the service, without a trailing slash."""
    return f"curl -sS {address}/v1/trick-winners -H 'Content-Type: application/json' -d '{QUESTION}'"


def _front(address: str) -> str:
    ways = "".join(
        f'<li><a href="{path}"><strong>{name}</strong></a><span>{text}</span></li>\n' for path, name, text in _WAYS
    )
    return f"""\
<div class="hero">
<div>
<h1>Catch the Ten</h1>
<p class="lead">{SUMMARY}</p>
<p class="actions"><a class="button" href="table">Play</a> <a class="button second" href="guide">Build a table</a></p>
</div>
<img src="static/deal.svg" width="640" height="474" alt="A trick on a green table: the ace of spades, the ten of hearts,
the six of spades and the jack of hearts. Below it, a hand of seven cards.">
</div>
<section>
<h2>Who takes this trick?</h2>
<p>Hearts are trumps. Seat 0 led the ace of spades, seat 1 trumped it with the ten, and seat 3 catches the ten with the
jack: 10 points and 11.</p>
<pre tabindex="0"><code class="language-sh">{escape(write_command(address), quote=False)}</code></pre>
<pre tabindex="0"><code class="language-json">{escape(ANSWER, quote=False)}</code></pre>
</section>
<h2>Where to go</h2>
<ul class="ways">
{ways}</ul>
"""
