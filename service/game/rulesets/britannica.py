"""Catch the Ten as the Encyclopædia Britannica printed it in 1911: the honours alone count."""

from typing import Final

from service.game.rulesets.ruleset import SIXES, Ruleset, Source, Sources, TableRule, alone

_WHERE: Final = "britannica, volume 5, page 505"

BRITANNICA: Final = Ruleset(
    id="britannica",
    name="Catch the Ten (Encyclopædia Britannica, 1911)",
    description=(
        "Partners wherever the number is even; the five honours alone count, and a revoke loses the game. This "
        "project's reading, where the source is silent: five and seven players always strip the six of spades; three "
        "players have two hands each; of eight, two sides of four or four pairs sit evenly spaced; cards are dealt "
        "singly, and a cut finds the first dealer; a player without the suit led plays any card; 41 counts when the "
        "deal is over, in the counting order of denexa; of sides level at the step that decides, the one with the "
        "higher score after the whole count wins; still level, they win together. The winner of the last trick of a "
        "hand leads to the next hand. Loss of the game ends the game at once, and every other side wins."
    ),
    tables=(
        alone(2, 3, 6),
        alone(3, 2, 6),
        TableRule(4, 1, 9, (2,)),
        alone(5, 1, 7, ("6S",)),
        TableRule(6, 1, 6, (2, 3)),
        alone(7, 1, 5, ("6S",)),
        TableRule(8, 1, 4, (2, 4), SIXES),
    ),
    three_at_a_time=False,
    first_dealer="cut",
    opening_lead="any_card",
    void="any_card",
    revoke="loss_of_game",
    card_points="none",
    ten="trumps",
    winning="counting_order",
    sources=Sources(
        tables=Source(
            _WHERE,
            "Two have three hands of six each; an even number plays in partnership, six as two sides or three, eight "
            "in alternate pairs; an odd number alone; five and seven usually strip the six of spades, eight all sixes. "
            "That they always do, and the hands of three, is a reading.",
            reading=True,
        ),
        trump_rank=Source(_WHERE, "The jack of trumps stands above the ace."),
        three_at_a_time=Source(_WHERE, "The deal is described without packets: singly.", reading=True),
        first_dealer=Source(
            _WHERE,
            "The pack is cut twice, and the ace is highest in cutting; that a cut finds the dealer is read from this.",
            reading=True,
        ),
        opening_lead=Source(_WHERE, "Eldest hand leads any card."),
        following=Source(_WHERE, "As at whist: a player with cards of the suit led plays one of them."),
        void=Source(_WHERE, "Nothing is said of a player without the suit led: any card.", reading=True),
        revoke=Source(_WHERE, "A revoke loses the game."),
        card_points=Source(_WHERE, "Cards other than the five honours count nothing."),
        honours=Source(_WHERE, "Of trumps: jack 11, ten 10, ace 4, king 3, queen 2."),
        ten=Source(_WHERE, "The ten of trumps scores 10."),
        target=Source(_WHERE, "The game is 41."),
        winning=Source(_WHERE, "When 41 counts is not said: counted after the deal, as denexa does.", reading=True),
        deals=Source(_WHERE, "No number of deals ends the game: it is played to 41.", reading=True),
        ties=Source(_WHERE, "Nothing is said of sides level to the end: they win together.", reading=True),
    ),
)
