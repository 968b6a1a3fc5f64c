"""The only way from a claim to a sound state: `admit` lets a claim in, `faults` lists all that is wrong with it.

A claim is admitted if every card is in one place at most, the sizes of the hands fit the tricks taken, the lead, the
turn-up, the current trick, a revoke and the scores are possible, and the hidden hands can be filled so that they are.
Not checked is
- how the earlier tricks were played: whether legal plays lead to these cards in these piles, and whether a side reached
  game before the last trick;
- whether these points can be made in this number of deals.
"""

from service.game.rules.admission.examination import admit, admit_unexamined, faults

__all__ = ["admit", "admit_unexamined", "faults"]
