"""The running build: version, commit, and if its slowest modules are compiled (docs/decisions/0027)."""

import os
from typing import Final, Literal

from service import __version__
from service.game import cards

BUILD: Final[Literal["pure", "compiled"]] = "pure" if cards.__file__.endswith(".py") else "compiled"
COMMIT: Final = os.environ.get("COMMIT") or "unknown"
"""The commit that the image was built from; the image sets it."""
ABOUT: Final = f"{__version__} ({COMMIT[:12]}, {BUILD})"
"""The running version, commit and build, for people."""
