"""Catch the Ten as Trebor printed it in 1830: 41 counts at once, a revoke loses the game."""

from typing import Final

from service.game.rulesets.ruleset import SIXES, Ruleset, Source, Sources, TableRule, alone

PARTNERS: Final = (
    alone(2, 3, 6),
    alone(3, 1, 6),
    TableRule(4, 1, 9, (2, 4)),
    alone(5, 1, 7, ("6S",)),
    TableRule(6, 1, 6, (2, 3, 6)),
    alone(7, 1, 5, ("6S",)),
    TableRule(8, 1, 4, (2, 8), SIXES),
)

TREBOR_SOURCES: Final = Sources(
    tables=Source(
        "trebor, Overview; Deal and play",
        "Four, six and eight form two teams in alternate seats, six also three pairs, and a later book lets each play "
        "alone; two get three hands of 6, three one of 6, four to eight 9, 7, 6, 5, 4; the six of spades (5, 7) or all "
        "sixes (8) are stripped.",
    ),
    trump_rank=Source("trebor, Overview", "Cards rank as at whist, but in trumps the jack is the highest."),
    three_at_a_time=Source("trebor, Deal and play", "The dealer gives one card at a time, or packets of three."),
    first_dealer=Source(
        "trebor, Deal and play", "The pack is cut; that the cut finds the dealer is read from this.", reading=True
    ),
    opening_lead=Source("trebor, Deal and play", "Eldest hand opens the deal, and no card is barred."),
    following=Source("trebor, Deal and play", "As at whist: a player with cards of the suit led plays one of them."),
    void=Source("trebor, Deal and play", "Without a card of the suit led, every card is free."),
    revoke=Source(
        "trebor, Deal and play",
        "A revoke loses the game; a later book prefers the milder loss of the deal's points, the others scoring what "
        "they have made: set this field to loss_of_deal for that.",
    ),
    card_points=Source(
        "trebor, Object",
        "One point for each card above the share of the side, its players' shares added up: 32 - 2 x 9 = 14. That "
        "it counts all hands of a deal is read from this.",
        reading=True,
    ),
    honours=Source("trebor, Object", "Of trumps: jack 11, ten 10, ace 4, king 3, queen 2."),
    ten=Source("trebor, Object", "The ten of trumps scores 10."),
    target=Source("trebor, Winning", "Forty-one is game."),
    winning=Source("trebor, Winning", "Game counts as soon as a side has it, before the hand is played out."),
    deals=Source("trebor, Winning", "No number of deals ends the game: it is played to forty-one.", reading=True),
    ties=Source("trebor, Winning", "Nothing is said of sides that are level: they win together.", reading=True),
)

TREBOR: Final = Ruleset(
    id="trebor",
    name="Catch the Ten (Trebor, 1830)",
    description=(
        "The oldest printed rules: partners where the number is even, 41 counts at once, a revoke loses the game. This "
        "project's reading, where the source is silent: the cut finds the first dealer; dealt three at a time, the "
        "last packet may be smaller; the share is counted over all hands of a deal, and the winner of the last trick "
        "of a hand leads to the next hand; of three pairs each partner faces the third seat from it; loss of the game "
        "ends the game at once and every other side wins; under the milder penalty the deal ends at once, the revoking "
        "side counts 0 for it and the others count what they have taken so far; sides that are level win together."
    ),
    tables=PARTNERS,
    three_at_a_time=True,
    first_dealer="cut",
    opening_lead="any_card",
    void="any_card",
    revoke="loss_of_game",
    card_points="above_share",
    ten="trumps",
    winning="at_once",
    sources=TREBOR_SOURCES,
)
