"""How well a computer player plays."""

from typing import Final, Literal, TypeAlias, get_args

Level: TypeAlias = Literal["easy", "medium", "hard"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
