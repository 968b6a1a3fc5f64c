"""Whole games followed from views alone: a spectator and a seat that see only how many cards the others hold.

The second engine plays the game; the service is given a view of each deal, and then only the cards as they are played.
`python -m tests.programs.agreement.walks 500` follows 500 games of every arrangement.
"""

import sys
from random import Random
from typing import Final

from tests.programs.agreement import expected
from tests.programs.agreement.asking import Ask, ask
from tests.programs.agreement.games import plain_events
from tests.reference import engine
from tests.reference.engine import State

Arrangement = tuple[str, int, list[list[int]]]
ARRANGEMENTS: Final[list[Arrangement]] = engine.arrangements()


class Follower:
    """Somebody who follows a game: a seat, or a spectator (None)."""

    def __init__(self, eyes: int | None, state: State, ask: Ask = ask) -> None:
        self.eyes = eyes
        self._ask = ask
        self.seen = expected.view(state, eyes)

    def follow(self, before: State, after: State, card: str) -> None:
        """Play a card in the view, and compare what comes of it with the full game."""
        answer = self._ask("next_states", state=self.seen, cards=[card], unseen="as_held")
        should_be = expected.position(after)
        position = answer["position"]
        assert position["legal_cards"] in (None, should_be["legal_cards"])
        if should_be["turn"] == self.eyes and before["later_hands"] == after["later_hands"]:
            assert position["legal_cards"] == should_be["legal_cards"]
        assert plain_events(answer["events"]) == expected.events(before, after, should_be, card, None)
        # A hand that was just taken up is seen only by looking at it.
        taken_up = before["later_hands"] != after["later_hands"]
        own = None if taken_up else self.eyes
        assert position == {**should_be, "state": expected.view(after, own), "legal_cards": position["legal_cards"]}
        self.seen = expected.view(after, self.eyes) if taken_up else position["state"]

    def see_the_end(self, state: State) -> None:
        """Compare the count of the deal, and who deals next and from which scores."""
        at = expected.position(state)
        counted = self._ask("scores", state=self.seen)
        assert (counted["sides"], counted["winners"]) == (expected.scores(state, at), at["winners"])
        if at["phase"] == "deal_over":
            following = self._ask("deals", after=self.seen, seed="next")["position"]["state"]
            dealer = (state["dealer"] + 1) % len(state["hands"])
            assert (following["dealer"], following["scores"]) == (dealer, at["totals"])
            assert following["deal"] == state["deal"] + 1


def follow_game(arrangement: Arrangement, number: int, deals: int = 100) -> int:
    """Play a random game by the rules, at most `deals` deals of it, and follow it; return how many cards it had."""
    rules, players, sides = arrangement
    chance = Random(f"{rules}-{players}-{len(sides)}-{number}")
    state = engine.deal(rules, sides, chance.randrange(players), shuffled(rules, players, chance), 1, [0] * len(sides))
    cards = 0
    while True:
        followers = [Follower(eyes, state) for eyes in (None, chance.randrange(players))]
        while engine.turn(state) is not None:
            card = chance.choice(engine.legal_cards(state))
            after = engine.play(state, card)
            for follower in followers:
                follower.follow(state, after, card)
            state, cards = after, cards + 1
        for follower in followers:
            follower.see_the_end(state)
        if engine.phase(state) == "game_over" or state["deal"] == deals:
            return cards
        state = engine.next_deal(state, shuffled(rules, players, chance))


def shuffled(rules: str, players: int, chance: Random) -> list[str]:
    """Return the pack of these rules in random order."""
    order = engine.pack(rules, players)
    chance.shuffle(order)
    return order


def follow_games(games: int) -> None:
    """Follow a number of games of every arrangement; the first difference ends it."""
    for rules, players, sides in ARRANGEMENTS:
        cards = sum(follow_game((rules, players, sides), number) for number in range(games))
        print(f"{rules}, {players} players, {len(sides)} sides: {games} games, {cards} cards agree", flush=True)


if __name__ == "__main__":
    follow_games(int(sys.argv[1]))
