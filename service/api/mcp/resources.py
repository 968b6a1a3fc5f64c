"""Resources: the rules of the game as a text, and each printed ruleset as JSON with its sources."""

import re
from typing import Final

from msgspec.json import encode

from service.api.pages.static_files import find_document
from service.game.rulesets import RULESETS

_RELATIVE: Final = re.compile(r"\[([^\]]+)\]\((?!\w+:|#)[^)]*\)")
"""A link to another document of the repository, which is no resource."""
_RULES: Final = "catch-the-ten://rules"
_TEXTS: Final = {
    _RULES: ("text/markdown", _RELATIVE.sub(r"\1", find_document("docs/rules.md").read_text("utf-8"))),
    **{f"{_RULES}/{name}": ("application/json", encode(ruleset).decode()) for name, ruleset in RULESETS.items()},
}
LISTED: Final = [{"uri": uri, "name": uri.rpartition("/")[2], "mimeType": media} for uri, (media, _) in _TEXTS.items()]
CONTENTS: Final = {uri: {"uri": uri, "mimeType": media, "text": text} for uri, (media, text) in _TEXTS.items()}
