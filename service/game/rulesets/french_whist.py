"""French whist, which Dick (1885) calls a variety of Catch the Ten: a variant of trebor."""

from typing import Final

from msgspec.structs import replace

from service.game.rulesets.ruleset import Ruleset, Source
from service.game.rulesets.trebor import PARTNERS, TREBOR_SOURCES

FRENCH_WHIST: Final = Ruleset(
    id="french-whist",
    name="French Whist (Dick, 1885)",
    description=(
        "As trebor, but each trick scores 1 in place of card points, and the ten that scores is the ten of diamonds. "
        "This project's reading, where the source is silent: that ten scores 10 under any trump, though the source "
        "thinks that its witness was in error, and everything else is as in trebor, its readings included."
    ),
    tables=PARTNERS,
    three_at_a_time=True,
    first_dealer="cut",
    opening_lead="any_card",
    void="any_card",
    revoke="loss_of_game",
    card_points="tricks",
    ten="diamonds",
    winning="at_once",
    sources=replace(
        TREBOR_SOURCES,
        card_points=Source("trebor, French whist", "Tricks count as at whist, one point for each."),
        ten=Source(
            "trebor, French whist",
            "The ten of diamonds is a trump only when diamonds are; that it scores 10 all the same is read from this, "
            "though the source thinks that its witness was in error.",
            reading=True,
        ),
    ),
)
