"""The operators' pages: they name every setting and every alert."""

import re
from typing import Final

from deploy.generate.settings_table import BEGIN, END, with_table
from tests.deploy.files import DEPLOY, SETTINGS, alerts
from tests.deploy.names import settings

PAGES: Final = sorted(DEPLOY.glob("*.md"))
TEXT: Final = "".join(page.read_text(encoding="utf-8") for page in PAGES)
TABLE: Final = SETTINGS.read_text(encoding="utf-8")


def test_the_table_of_settings_is_what_the_code_says() -> None:
    assert TABLE.count(BEGIN) == TABLE.count(END) == 1
    assert with_table(TABLE) == TABLE, "write it anew: python -m deploy.generate.settings_table"


def test_the_guide_leads_to_the_page_of_every_alert() -> None:
    for name, alert in alerts().items():
        line = f"| [{name}](runbooks/{name}.md) | {alert['labels']['severity']} | {alert['annotations']['summary']} |"
        assert line in TEXT


def test_the_first_hour_is_short_and_leads_to_every_page() -> None:
    first = (DEPLOY / "README.md").read_text(encoding="utf-8")
    assert len(first.splitlines()) <= 150
    assert {page.name for page in PAGES} - {"README.md"} <= set(re.findall(r"\]\(([\w.]+)", first))


def test_a_setting_that_the_text_names_is_one() -> None:
    named = {name for name in re.findall(r"`([A-Z][A-Z_]+)(?:=[^`]*)?`", TEXT) if "_" in name}
    assert {name for name in named if not name.startswith("OTEL_")} <= settings()
