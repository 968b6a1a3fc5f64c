"""The only way from a claim to a possible state: `admit` accepts a claim, `faults` lists its faults.

A claim is admitted if
- no card is in two places;
- the sizes of the hands fit the tricks taken;
- the lead, the turn-up, the current trick, a revoke and the scores are possible;
- the hidden hands have a filling that keeps all this possible.

Two things are not checked:
- how the earlier tricks were played: whether legal plays lead to these cards in these piles, and whether a side reached
  game before the last trick;
- whether these points can be made in this number of deals.
"""

from service.game.rules.admission.examination import admit, admit_unexamined, faults

__all__ = ["admit", "admit_unexamined", "faults"]
