"""The plays of a deal, as a follower of the game sees them."""

from collections.abc import Sequence

from catch_the_ten.models import CardPlayed, CardsDealt, RecordedPlay, TakenBack
from catch_the_ten.sight import Update


class History:
    """All plays of the deal, or None if it was not followed from its beginning."""

    def __init__(self) -> None:
        self.plays: Sequence[RecordedPlay] | None = None

    def take(self, update: Update) -> None:
        """Take what an update shows."""
        if update.whole:
            self.plays = None
        for event in update.events:
            if isinstance(event, CardsDealt):
                self.plays = []
            elif isinstance(event, CardPlayed) and self.plays is not None:
                self.plays = [*self.plays, RecordedPlay(seat=event.seat, card=event.card)]
            elif isinstance(event, TakenBack) and self.plays is not None:
                self.plays = self.plays[:-1]
