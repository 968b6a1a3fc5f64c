"""The grammars of docs/notation.md, read from the page and turned into patterns; no code of the service is in it."""

import re
from functools import cache
from pathlib import Path
from typing import Final

PAGE: Final = (Path(__file__).parents[3] / "docs" / "notation.md").read_text(encoding="utf-8")
_RULE: Final = re.compile(r"([a-z-]+) (=/?) (.*)")
_TOKEN: Final = re.compile(
    r'\s*(?:(?P<repeat>\d*\*\d*)?(?:%s"(?P<exact>[^"]*)"|"(?P<text>[^"A-Za-z]*)"|%x(?P<first>[0-9A-F]+)(?:-(?P<last>'
    r"[0-9A-F]+))?|(?P<name>[a-z][a-z-]*)|(?P<open>[\[(]))|(?P<close>[\])])|(?P<either>/))"
)
"""A letter in a string without %s could be large or small, so there is none."""


@cache
def rules(number: int) -> dict[str, str]:
    """Read the rules of a grammar of the page; the first grammar is number 0. Alternatives stand beside each other."""
    found: dict[str, str] = {}
    block = re.findall(r"^```abnf\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[number]
    for line in filter(None, block.splitlines()):
        rule = _RULE.fullmatch(line)
        assert rule, line
        name, sign, said = rule.groups()
        assert (sign == "=/") == (name in found), name
        found[name] = f"{found[name]} / {said}" if name in found else said
    return found


@cache
def pattern(number: int, rule: str) -> re.Pattern[str]:
    """Return a rule of a grammar as a pattern for whole texts."""
    return re.compile(_write(number, rule))


@cache
def _write(number: int, rule: str) -> str:
    said, at, written = rules(number)[rule], 0, ""
    ends: list[str] = []
    while at < len(said):
        token = _TOKEN.match(said, at)
        assert token, said[at:]
        at, times = token.end(), _times(token["repeat"])
        if token["open"]:
            ends.append("?" if token["open"] == "[" else times)
            written += "(?:"
        elif token["close"]:
            written += ")" + ends.pop()
        else:
            written += "|" if token["either"] else f"(?:{_element(number, token)}){times}"
    return written


def _times(repeat: str | None) -> str:
    return f"{{{repeat.replace('*', ',') if repeat[0] != '*' else '0' + repeat.replace('*', ',')}}}" if repeat else ""


def _element(number: int, token: re.Match[str]) -> str:
    if token["name"]:
        return _write(number, token["name"])
    if token["first"]:
        return f"[{_letter(token['first'])}-{_letter(token['last'] or token['first'])}]"
    return re.escape(token["exact"] or token["text"])


def _letter(number: str) -> str:
    return f"\\U{int(number, 16):08x}"
