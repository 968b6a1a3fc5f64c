"""The page on which the printed games stand beside each other, every field with its source."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any, Final, get_type_hints

from litestar import Response
from msgspec import Meta

from service.api.pages.layout import mark_up, write_page
from service.http.routes import page
from service.rulesets import RULESETS, Ruleset
from service.rulesets.ruleset import Honours, Source, Sources, TableRule

_HINTS: Final[dict[str, Any]] = get_type_hints(Ruleset, include_extras=True)


@page("/rulesets", sync_to_thread=False)
def compare_rulesets() -> Response[bytes]:
    """Show the printed games beside each other."""
    return write_page("Rulesets", _compare(), here="rulesets")


@cache
def _compare() -> str:
    games = tuple(RULESETS.values())
    heads = "".join(f'<th scope="col"><a href="#{game.id}">{game.id}</a></th>' for game in games)
    rows = "".join(_row(field, games) for field in Sources.__struct_fields__)
    return f"""\
<h1>Rulesets</h1>
<p class="lead">The printed sources of the game disagree, so each is a ruleset of its own. Where most agree, what
differs is <mark>marked</mark>; <span class="reading">reading</span> stands where a source is silent and this
project decides. As data: <a href="v1/rulesets"><code>/v1/rulesets</code></a>. For house rules, change one and send it
wherever a request has <code>rules</code>: see <a href="guide#house-rules">the guide</a>.</p>
<div class="scroll" role="region" aria-label="The rulesets, field by field" tabindex="0">
<table class="compare">
<thead><tr><th scope="col">Field</th>{heads}</tr></thead>
<tbody>
{rows}</tbody>
</table>
</div>
<h2>The games</h2>
{"".join(map(_introduce, games))}\
<h2>What the sources say</h2>
{"".join(_quote(field, games) for field in Sources.__struct_fields__)}"""


def _row(field: str, games: Sequence[Ruleset]) -> str:
    values = [_show(game, field) for game in games]
    usual, count = Counter(values).most_common(1)[0]
    unlike = set(values) - {usual} if count > len(values) / 2 else ()
    cells = "".join(f"<td>{f'<mark>{value}</mark>' if value in unlike else value}</td>" for value in values)
    return f'<tr><th scope="row"><a href="#{field}"><code>{field}</code></a></th>{cells}</tr>\n'


def _introduce(game: Ruleset) -> str:
    return f"""\
<section class="game" id="{game.id}">
<h3>{escape(game.name)} <code>{game.id}</code></h3>
<p>{escape(game.description)}</p>
<p><a href="v1/rulesets/{game.id}">As data</a></p>
</section>
"""


def _quote(field: str, games: Sequence[Ruleset]) -> str:
    (about,) = [meta.description for meta in _HINTS[field].__metadata__ if isinstance(meta, Meta)]
    rows = "".join(_quote_source(game, field) for game in games)
    return f"""\
<section class="field" id="{field}">
<h3><code>{field}</code></h3>
<p>{mark_up(about or "")}</p>
<dl>
{rows}</dl>
</section>
"""


def _quote_source(game: Ruleset, field: str) -> str:
    source: Source = getattr(game.sources, field)
    reading = ' <span class="reading">reading</span>' if source.reading else ""
    return (
        f"<div><dt><code>{game.id}</code> {_show(game, field)}</dt>"
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
        case value:
            return escape(str(value))


def _show_table(table: TableRule) -> str:
    dealt = f"{table.hands} × {table.cards}" if table.hands > 1 else f"{table.cards}"
    teams = [str(number) for number in table.sides if number != table.players]
    return f"{table.players} play: {dealt} cards" + (f", {' or '.join(teams)} sides" if teams else "")
