"""The build that runs: pure Python, or with its slowest modules compiled (docs/decisions/0027)."""

from typing import Final, Literal

from service.game import cards

BUILD: Final[Literal["pure", "compiled"]] = "pure" if cards.__file__.endswith(".py") else "compiled"
