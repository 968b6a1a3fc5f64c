"""Scotch Whist as Denexa Games prints it: each alone, points counted in a fixed order."""

from typing import Final

from service.game.rulesets.ruleset import Ruleset, Source, Sources, alone

DENEXA: Final = Ruleset(
    id="denexa",
    name="Scotch Whist (Denexa Games)",
    description=(
        "Each player plays alone; points are counted in a fixed order when the deal is over. "
        "This project's reading, where the source is silent: cards are dealt singly, and anyone deals first; sides "
        "that reach 41 at the same step of the count are parted by the score at that step, then by the score after the "
        "whole count; still level, they win together. To exceed 41, as it once says, is read as to reach it, as it "
        "says elsewhere. It lays tricks taken face down; states and views show them all the same."
    ),
    tables=(
        alone(2, 1, 18),
        alone(3, 1, 12),
        alone(4, 1, 9),
        alone(5, 1, 7, ("6C",)),
        alone(6, 1, 6),
        alone(7, 1, 5, ("6C",)),
    ),
    three_at_a_time=False,
    first_dealer="anyone",
    opening_lead="any_card",
    void="any_card",
    revoke="not_allowed",
    card_points="above_share",
    ten="trumps",
    winning="counting_order",
    sources=Sources(
        tables=Source(
            "denexa, Setup",
            "Two to seven players share the whole pack of 36, a hand each; five and seven first "
            "discard the six of clubs.",
        ),
        trump_rank=Source(
            "denexa, Card ranking", "In trumps the jack is raised above the ace; the ten stays below the queen."
        ),
        three_at_a_time=Source("denexa, Setup", "The deal is described without packets: singly.", reading=True),
        first_dealer=Source("denexa, Setup", "Nothing is said of the first dealer: anyone.", reading=True),
        opening_lead=Source("denexa, Play of the hand", "The player left of the dealer leads; no card is barred."),
        following=Source("denexa, Play of the hand", "A player who holds the suit led must follow it."),
        void=Source("denexa, Play of the hand", "A player who cannot follow may play any card, a trump among them."),
        revoke=Source("denexa, Play of the hand", "Not following when able is not allowed; no penalty is named."),
        card_points=Source("denexa, Scoring", "One point for each card taken beyond the number dealt: 20 - 9 = 11."),
        honours=Source("denexa, Scoring", "Of trumps: ten 10, ace 4, king 3, queen 2, jack 11."),
        ten=Source("denexa, Scoring", "The ten of trumps scores ten."),
        target=Source(
            "denexa, Object; Scoring",
            "The first at 41 or more wins; where several are said to exceed 41, this is read as to reach it.",
            reading=True,
        ),
        winning=Source(
            "denexa, Scoring",
            "When several get there in a deal, the count is: ten, card points, ace, king, queen, jack; first there "
            "wins.",
        ),
        deals=Source("denexa, Scoring", "Deals follow one another until a player reaches 41."),
        ties=Source("denexa, Scoring", "Nothing is said of players level to the end: they win together.", reading=True),
    ),
)
