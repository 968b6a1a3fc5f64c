"""How well a computer player plays."""

from typing import Literal, TypeAlias

Level: TypeAlias = Literal["easy", "medium", "hard"]
