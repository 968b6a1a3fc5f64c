"""The front page: what the service is, a trick as cards, and where to go."""

from html import escape
from textwrap import indent
from typing import Any, Final

from litestar import MediaType, Request, Response

from service.api.pages.layout import address_of, fill, write_page
from service.http.routes import page

QUESTION: Final = '{"rules": "take-ten", "trump": "H", "trick": ["AS"], "hand": ["QH", "KH", "7D"], "card": "7D"}'
ANSWER: Final = """\
{
  "seat": null,
  "card": "7D",
  "legal": false,
  "reason": "must_trump",
  "rule": {
    "ruleset": "take-ten",
    "field": "void",
    "source": "take-ten, Rules",
    "says": "Without that suit a trump must be put, and without a trump any card.",
    "reading": false
  },
  "detail": "AS was led, the hand is void in spades and holds hearts, so it must trump and may not play 7D.",
  "legal_cards": ["KH", "QH"],
  "possible": null,
  "undecided": false,
  "missing": null
}"""
SUMMARY: Final = (
    "The rules of Scotch Whist, a Scottish card game for two to eight, over HTTP: legal cards, tricks, "
    "scores, live games, and computer players. Every refusal names the rule and its source."
)
_WAYS: Final = (
    (
        "guide",
        "A table in thirty minutes",
        "From the first call to a table at which people play, with errors and streams",
    ),
    ("docs", "Reference", "Every operation and field, with examples to try in curl, JavaScript and Python"),
    ("rulesets", "Rulesets", "The printed games beside each other, every rule with its source"),
    ("guide/rules", "Rules", "Every rule in words, for those who write an engine, with examples"),
    ("problems", "Problems", "What each refusal means, with an example, and what to do about it"),
    ("openapi.json", "OpenAPI 3.1", "To generate clients from; packages for TypeScript and Python are made already"),
    ("openapi-3.2.json", "OpenAPI 3.2", "The same, with every question by QUERY, which is safe to repeat"),
    ("metrics", "Metrics", "For Prometheus"),
)


@page("/", sync_to_thread=False)
def front_page(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Show what the service is and where to go."""
    return write_page("Catch the Ten", _front(address_of(request)))


@page("/llms.txt", sync_to_thread=False)
def list_for_models(request: Request[Any, Any, Any]) -> Response[str]:
    """Tell language models what the service is, how to ask it, and where to go. Source: llmstxt.org."""
    address = address_of(request)
    ways = "\n".join(f"- [{name}]({address}/{path}): {text}" for path, name, text in _WAYS)
    command, answer = write_command(address), indent(ANSWER, "    ").lstrip()
    text = fill("llms.txt", summary=SUMMARY, address=address, command=command, answer=answer, ways=ways)
    return Response(text, media_type=MediaType.TEXT)


def write_command(address: str) -> str:
    """Return a command that asks if a card may be played; `address` has no slash at its end."""
    return f"curl -sS {address}/v1/verdicts -H 'Content-Type: application/json' -d '{QUESTION}'"


def _front(address: str) -> str:
    ways = "".join(
        f'<li><a href="{path}"><strong>{name}</strong></a><span>{text}</span></li>\n' for path, name, text in _WAYS
    )
    command, answer = escape(write_command(address), quote=False), escape(ANSWER, quote=False)
    return fill("front.html", summary=SUMMARY, command=command, answer=answer, ways=ways)
