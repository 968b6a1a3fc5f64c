"""Matching of cards to places that need them.

All places can be served exactly if no choice of them wants more cards together than there are in their sets.
Source: Hall (1935), on distinct representatives.
"""

from collections.abc import Iterable
from typing import TypeAlias

from service.game.cards import Mask

Want: TypeAlias = tuple[int, Mask]
"""How many cards a place needs, and the set that they come from."""


def can_serve(wants: Iterable[Want]) -> bool:
    """Return True if each place can get its number of cards from its set, all different."""
    sizes: dict[Mask, int] = {}
    for size, among in wants:
        if size:
            sizes[among] = sizes.get(among, 0) + size
    together = [(0, 0)]
    for among, size in sizes.items():
        for others, union in together[:]:
            if others + size > (union | among).bit_count():
                return False
            together.append((others + size, union | among))
    return True
