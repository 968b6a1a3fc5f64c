"""The page that compares the printed games, every field with its source."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any, Final, get_type_hints

from litestar import Response
from msgspec import Meta

from service.api.pages.layout import fill, mark_up, write_page
from service.game.rulesets import RULESETS, Ruleset
from service.game.rulesets.ruleset import Honours, Source, Sources, TableRule
from service.http.routes import page

_HINTS: Final[dict[str, Any]] = get_type_hints(Ruleset, include_extras=True)


@page("/rulesets", sync_to_thread=False)
def compare_rulesets() -> Response[bytes]:
    """Show the printed games side by side."""
    return write_page("Rulesets", _compare(), here="rulesets")


@cache
def _compare() -> str:
    games = tuple(RULESETS.values())
    heads = "".join(f'<th scope="col"><a href="#{game.id}">{escape(game.name)}</a></th>' for game in games)
    rows = "".join(_row(field, games) for field in Sources.__struct_fields__)
    fields = "".join(_quote(field, games) for field in Sources.__struct_fields__)
    return fill("rulesets.html", heads=heads, rows=rows, games="".join(map(_introduce, games)), fields=fields)


def _row(field: str, games: Sequence[Ruleset]) -> str:
    values = [_show(game, field) for game in games]
    usual, count = Counter(values).most_common(1)[0]
    unlike = set(values) - {usual} if count > len(values) / 2 else ()
    cells = "".join(f"<td>{f'<mark>{value}</mark>' if value in unlike else value}</td>" for value in values)
    return f'<tr><th scope="row"><a href="#{field}">{_name(field)}</a></th>{cells}</tr>\n'


def _name(field: str) -> str:
    """Return the name of a field or a value for people."""
    return escape(field.replace("_", " ").capitalize())


def _introduce(game: Ruleset) -> str:
    return fill("ruleset.html", id=game.id, name=escape(game.name), description=escape(game.description))


def _quote(field: str, games: Sequence[Ruleset]) -> str:
    *_, about = [meta.description for meta in _HINTS[field].__metadata__ if isinstance(meta, Meta)]
    rows = "".join(_quote_source(game, field) for game in games)
    return fill("field.html", field=field, name=_name(field), about=mark_up(about or ""), rows=rows)


def _quote_source(game: Ruleset, field: str) -> str:
    source: Source = getattr(game.sources, field)
    reading = ' <span class="reading">reading</span>' if source.reading else ""
    return (
        f"<div><dt>{escape(game.name)}: {_show(game, field)}</dt>"
        f"<dd>{escape(source.says)} <cite>{escape(source.where)}</cite>{reading}</dd></div>\n"
    )


def _show(game: Ruleset, field: str) -> str:
    """Write the value of a field for people."""
    match getattr(game, field):
        case _ if field == "tables":
            return "<br>".join(map(_show_table, game.tables))
        case None:
            return "none"
        case bool(value):
            return "yes" if value else "no"
        case Honours(jack, ten, ace, king, queen):
            return f"J {jack}, T {ten}, A {ace}, K {king}, Q {queen}"
        case str(value):
            return _name(value)
        case value:
            return escape(str(value))


def _show_table(table: TableRule) -> str:
    dealt = f"{table.hands} × {table.cards}" if table.hands > 1 else f"{table.cards}"
    teams = [str(number) for number in table.sides if number != table.players]
    return f"{table.players} play: {dealt} cards" + (f", {' or '.join(teams)} sides" if teams else "")
