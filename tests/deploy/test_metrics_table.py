"""The table of metrics that operators read."""

from importlib import import_module
from typing import Final

from deploy.generate.metrics_table import write_table
from service.platform.metrics.apps import make_series
from tests.platform.metrics.readings import series
from tests.support.http.client import the_app
from tests.support.http.server import ROOT

NAMED: Final = {line.split("`")[1] for line in write_table().splitlines() if line.startswith("| `catchten_")}


def test_the_table_follows_the_code() -> None:
    assert (ROOT / "deploy" / "METRICS.md").read_text(encoding="utf-8") == write_table()


def test_the_table_names_what_is_shown_and_nothing_else() -> None:
    the_app()
    make_series("arran")
    import_module("service.server.connection")  # as every server does: it makes series
    shown = {name for name, _ in series()}
    parts = {f"{name}{part}" for name in NAMED for part in ("", "_bucket", "_sum", "_count")}
    assert NAMED
    assert shown <= parts
    assert all(any(name.startswith(named) for name in shown) for named in NAMED)
