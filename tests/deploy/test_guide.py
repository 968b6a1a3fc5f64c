"""The operators' guide: it names every setting and every alert."""

import re
from typing import Final

from deploy.generate.settings_table import BEGIN, END, with_table
from tests.deploy.files import GUIDE, alerts
from tests.deploy.names import settings

TEXT: Final = GUIDE.read_text(encoding="utf-8")


def test_the_table_of_settings_is_what_the_code_says() -> None:
    assert TEXT.count(BEGIN) == TEXT.count(END) == 1
    assert with_table(TEXT) == TEXT, "write it anew: python -m deploy.generate.settings_table"


def test_the_guide_leads_to_the_page_of_every_alert() -> None:
    for name, alert in alerts().items():
        line = f"| [{name}](runbooks/{name}.md) | {alert['labels']['severity']} | {alert['annotations']['summary']} |"
        assert line in TEXT


def test_a_setting_that_the_text_names_is_one() -> None:
    named = {name for name in re.findall(r"`([A-Z][A-Z_]+)(?:=[^`]*)?`", TEXT) if "_" in name}
    assert {name for name in named if not name.startswith("OTEL_")} <= settings()
