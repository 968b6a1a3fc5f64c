"""Catch the Ten, "known as Scottish Whist", in Cassell's Book of In-door Amusements, about 1881: two to six players."""

from typing import Final

from service.game.rulesets.ruleset import SIXES, Ruleset, Source, Sources, TableRule, alone

_WHERE: Final = "cassell, Catch the Ten"

CASSELL: Final = Ruleset(
    id="cassell",
    name="Catch the Ten (Cassell, about 1881)",
    description=(
        "Four play in couples, six in two parties or three pairs, others alone; a revoke loses the game. The source "
        "adds that it is known as Scottish Whist. This project's reading, where the source is silent: two have a hand "
        "of 18 and three one of 12; five strip the six of clubs, or the six that the dealer names; only cards above "
        "the share count; cards are dealt singly, and anyone deals first; 41 counts when the deal is over, in the "
        "counting order of denexa; of sides level at the step that decides, the one with the higher score after the "
        "whole count wins; still level, they win together. Loss of the game ends the game at once, and every other "
        "side wins."
    ),
    tables=(
        alone(2, 1, 18),
        alone(3, 1, 12),
        TableRule(4, 1, 9, (2,)),
        TableRule(5, 1, 7, (5,), ("6C",), SIXES),
        TableRule(6, 1, 6, (2, 3)),
    ),
    three_at_a_time=False,
    first_dealer="anyone",
    opening_lead="any_card",
    void="any_card",
    revoke="loss_of_game",
    card_points="above_share",
    ten="trumps",
    winning="counting_order",
    sources=Sources(
        tables=Source(
            _WHERE,
            "As many sixes go as let the rest be divided evenly; two, three and five play alone, four in couples, six "
            "as two parties in alternate seats or three pairs facing each other. The hands of two and three, and which "
            "six goes, are a reading.",
            reading=True,
        ),
        trump_rank=Source(_WHERE, "The jack is the best trump."),
        three_at_a_time=Source(_WHERE, "The deal is described without packets: singly.", reading=True),
        first_dealer=Source(_WHERE, "Nothing is said of the first dealer: anyone.", reading=True),
        opening_lead=Source(_WHERE, "As at whist: any card."),
        following=Source(_WHERE, "As at whist: a player with cards of the suit led plays one of them."),
        void=Source(_WHERE, "Without a card of the suit led, every card is free."),
        revoke=Source(_WHERE, "A revoke loses the game."),
        card_points=Source(
            _WHERE,
            "The cards of the tricks taken count; that those above the share do is read from this.",
            reading=True,
        ),
        honours=Source(_WHERE, "Of trumps: jack 11, ten 10, ace 4, king 3, queen 2."),
        ten=Source(_WHERE, "The ten of trumps scores 10."),
        target=Source(_WHERE, "The game is 41."),
        winning=Source(_WHERE, "When 41 counts is not said: counted after the deal, as denexa does.", reading=True),
        deals=Source(_WHERE, "No number of deals ends the game: it is played to 41.", reading=True),
        ties=Source(_WHERE, "Nothing is said of sides level to the end: they win together.", reading=True),
    ),
)
