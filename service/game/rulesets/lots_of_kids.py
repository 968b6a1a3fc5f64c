"""Scotch Whist as Lots of Kids prints it: no trump opens a deal, and no jack is raised."""

from typing import Final

from service.game.rulesets.ruleset import SIXES, Ruleset, Source, Sources, TableRule, alone

LOTS_OF_KIDS: Final = Ruleset(
    id="lots-of-kids",
    name="Scotch Whist (Lots of Kids)",
    description=(
        "Four to six players, each alone; eldest hand may not open with a trump; trumps rank as plain suits do, "
        "ace high; the highest score above 40 wins. "
        "This project's reading, where the source is silent: eldest hand with nothing but trumps leads any card, and "
        "no later lead is barred; five players strip the six of clubs unless the caller names another six; players "
        "level at the top win together; aces are high in the draw for the dealer, and players who tie for the highest "
        "card draw again."
    ),
    tables=(
        alone(4, 1, 9),
        TableRule(5, 1, 7, (5,), ("6C",), SIXES),
        alone(6, 1, 6),
    ),
    three_at_a_time=False,
    first_dealer="highest_card",
    trump_rank="ace_high",
    opening_lead="no_trump",
    void="any_card",
    revoke="not_allowed",
    card_points="above_share",
    ten="trumps",
    winning="highest_score",
    sources=Sources(
        tables=Source(
            "lots-of-kids, the deal",
            "Four, five or six players get nine, seven or six cards; five first remove one six.",
        ),
        trump_rank=Source(
            "lots-of-kids, the play; advice",
            "The highest trump wins, aces are high, and trumps from queen to ace beat jack and ten: no jack is raised.",
        ),
        three_at_a_time=Source("lots-of-kids, the deal", "Cards are dealt one at a time."),
        first_dealer=Source(
            "lots-of-kids, the deal",
            "Each draws a card; the highest deals. That aces are high in the draw, and that ties draw again, is this "
            "project's reading.",
        ),
        opening_lead=Source(
            "lots-of-kids, the play",
            "The card that opens the deal cannot be a trump. That later leads are free, and so is the first lead of a "
            "hand of trumps alone, is this project's reading.",
        ),
        following=Source("lots-of-kids, the play", "Each player after the leader plays the suit that was led."),
        void=Source("lots-of-kids, the play", "A player who cannot follow plays a trump or any other suit."),
        revoke=Source("lots-of-kids, the play", "Following is a duty; no penalty is named."),
        card_points=Source("lots-of-kids, scoring", "One point for each card more than a player began with."),
        honours=Source("lots-of-kids, scoring", "Of trumps: jack 11, ten 10, ace 4, king 3, queen 2."),
        ten=Source("lots-of-kids, scoring", "The ten of trumps is worth 10."),
        target=Source("lots-of-kids, scoring", "More than 40 points win."),
        winning=Source("lots-of-kids, scoring", "Scores are added up after a deal; of several, the highest wins."),
        deals=Source("lots-of-kids, scoring", "Play continues until one has more than 40 points."),
        ties=Source(
            "lots-of-kids, scoring", "Nothing is said of players level at the top: they win together.", reading=True
        ),
    ),
)
