"""Generate the table of settings for operators: python -m deploy.generate.settings_table."""

from pathlib import Path
from typing import Final

from service.platform.settings import write_table

GUIDE: Final = Path(__file__).parents[1] / "SETTINGS.md"
BEGIN: Final = "<!-- settings -->\n"
END: Final = "<!-- /settings -->\n"


def with_table(guide: str) -> str:
    """Return the guide with the table between its marks."""
    before, _, rest = guide.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{write_table()}\n{END}{after}"


if __name__ == "__main__":
    GUIDE.write_text(with_table(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
