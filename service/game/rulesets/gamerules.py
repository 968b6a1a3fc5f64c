"""Scotch Whist as GameRules prints it: two to eight players, alone or in pairs."""

from typing import Final

from service.game.rulesets.ruleset import SIXES, Ruleset, Source, Sources, TableRule, alone

GAMERULES: Final = Ruleset(
    id="gamerules",
    name="Scotch Whist (GameRules)",
    description=(
        "Two to eight players, alone or in pairs; two or three players play several hands in a deal. "
        "This project's reading, where the source is silent: 41 counts when the deal is over, in the counting order of "
        "denexa; of sides level at the step that decides, the one with the higher score after the whole count wins; "
        "still level, they win together. Cards are dealt singly, and anyone deals first. The share is counted over all "
        "hands of a deal, though its example, 8 cards taken of 6 dealt for 2 points, fits one hand of two players. The "
        "winner of the last trick of a hand leads to the next hand. Partners sit evenly spaced: of three pairs each "
        "faces the third seat from it, of four the fourth."
    ),
    tables=(
        alone(2, 3, 6),
        alone(3, 2, 6),
        TableRule(4, 1, 9, (4, 2)),
        alone(5, 1, 7, ("6S",)),
        TableRule(6, 1, 6, (6, 3)),
        alone(7, 1, 5, ("6S",)),
        TableRule(8, 1, 4, (8, 4), SIXES),
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
            "gamerules, The deal",
            "Three hands of 6 for two, two of 6 for three; 9, 7, 6, 5, 4 cards for four to eight, who strip the six of "
            "spades (5, 7) or all sixes (8); four, six and eight may form teams of two; later hands stay face down.",
        ),
        trump_rank=Source("gamerules, Card values", "The jack of trumps is the highest card of the deal."),
        three_at_a_time=Source("gamerules, The deal", "The deal is described without packets: singly.", reading=True),
        first_dealer=Source("gamerules, The deal", "Nothing is said of the first dealer: anyone.", reading=True),
        opening_lead=Source("gamerules, The play", "The player left of the dealer begins with any card."),
        following=Source("gamerules, The play", "Each player matches the suit led if able."),
        void=Source("gamerules, The play", "A player who cannot match it plays a trump or any other card."),
        revoke=Source("gamerules, The play", "Matching the suit is a duty; no penalty is named."),
        card_points=Source(
            "gamerules, Scoring",
            "One point for each card captured beyond the number first dealt: over all hands of a deal, as this is "
            "read, though its example fits one hand.",
            reading=True,
        ),
        honours=Source("gamerules, Scoring", "Of trumps: jack 11, ten 10, ace 4, king 3, queen 2."),
        ten=Source("gamerules, Scoring", "The ten of trumps scores 10."),
        target=Source("gamerules, Scoring", "The first player or team at 41 or more wins."),
        winning=Source(
            "gamerules, Scoring",
            "The first there wins; when two get there in one deal is not said: counted as denexa does.",
            reading=True,
        ),
        deals=Source("gamerules, Scoring", "No number of deals ends the game: it is played to 41.", reading=True),
        ties=Source(
            "gamerules, Scoring", "Nothing is said of sides level to the end: they win together.", reading=True
        ),
    ),
)
