"""The table of settings of the operators' guide: python -m tests.deploy.settings_table writes it anew.

Until `python -m service settings` prints it: then the guide is compared with that, and this file goes.
"""

from typing import Any, Final

import msgspec

from service.settings import Settings
from tests.deploy.files import GUIDE

BEGIN: Final = "<!-- settings -->\n"
END: Final = "<!-- /settings -->\n"
_BOUNDS: Final = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "minLength": "at least {} characters",
    "pattern": "`{}`",
}


def settings_table() -> str:
    """Write every setting with its meaning, default and bounds."""
    schema = msgspec.json.schema(Settings)["$defs"]["Settings"]["properties"]
    rows = [_row(name, setting) for name, setting in schema.items()]
    return "| variable | meaning | default | bounds |\n| --- | --- | --- | --- |\n" + "".join(rows)


def _row(name: str, setting: dict[str, Any]) -> str:
    default = "unset" if setting["default"] is None else f"`{setting['default']}`"
    either: list[dict[str, Any]] = setting.get("anyOf", [])
    facts = {name: value for part in (setting, *either) for name, value in part.items()}
    bounds = ", ".join(text.format(facts[key]) for key, text in _BOUNDS.items() if key in facts).replace("|", "\\|")
    return f"| `{name.upper()}` | {setting['description']} | {default} | {bounds or '–'} |\n"


def with_table(guide: str) -> str:
    """Put the table into the guide, between its marks."""
    before, _, rest = guide.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{settings_table()}\n{END}{after}"


if __name__ == "__main__":
    GUIDE.write_text(with_table(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
