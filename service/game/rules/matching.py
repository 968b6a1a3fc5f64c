"""The matching of cards to places that want them.

All places can be served exactly if no choice of them wants more cards together than there are in their sets.
Source: Hall (1935), on distinct representatives.
"""

from collections.abc import Iterable
from typing import TypeAlias

from service.game.cards import Mask

Want: TypeAlias = tuple[int, Mask]
"""How many cards a place wants, and the set that they are of."""


def can_serve(wants: Iterable[Want]) -> bool:
    """Return True if each place can get as many cards of its set as it wants, all of them different."""
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
