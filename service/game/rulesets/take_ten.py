"""Scottish Whist as Take Ten prints it: a player who cannot follow suit must trump."""

from typing import Final

from service.game.rulesets.ruleset import Ruleset, Source, Sources, alone

TAKE_TEN: Final = Ruleset(
    id="take-ten",
    name="Scottish Whist (Take Ten)",
    description=(
        "Two to six players, each alone; the whole pack is used, and cards that do not divide evenly are not dealt; a "
        "player who cannot follow suit must trump. This project's reading, where the source is silent: cards are dealt "
        "singly; of players level at the step of the count that decides, the one with the higher score after the whole "
        "count wins; still level, they win together; players who tie for the highest card drawn draw again."
    ),
    tables=(
        alone(2, 1, 10),
        alone(3, 1, 10),
        alone(4, 1, 9),
        alone(5, 1, 7),
        alone(6, 1, 6),
    ),
    three_at_a_time=False,
    first_dealer="lot",
    opening_lead="any_card",
    void="trump_if_able",
    revoke="not_allowed",
    card_points="above_share",
    ten="trumps",
    winning="counting_order",
    sources=Sources(
        tables=Source(
            "take-ten, Rules",
            "Ten cards each for two or three, 9, 7, 6 for four to six; cards left over are put aside.",
        ),
        trump_rank=Source("take-ten, Rules", "In trumps the jack is the highest card."),
        three_at_a_time=Source("take-ten, Rules", "The deal is described without packets: singly.", reading=True),
        first_dealer=Source("take-ten, Rules", "The first dealer is found by lot; how the lot is drawn is not said."),
        opening_lead=Source("take-ten, Rules", "The player left of the dealer starts with any card."),
        following=Source("take-ten, Rules", "Each puts a card of the suit led."),
        void=Source("take-ten, Rules", "Without that suit a trump must be put, and without a trump any card."),
        revoke=Source("take-ten, Rules", "Following and trumping are duties; no penalty is named."),
        card_points=Source("take-ten, Rules", "One point for each card taken beyond the number dealt."),
        honours=Source("take-ten, Rules", "Of trumps: queen 2, king 3, ace 4, ten 10, jack 11."),
        ten=Source("take-ten, Rules", "The ten of trumps scores 10."),
        target=Source("take-ten, Rules", "The first at 41 points or more wins."),
        winning=Source(
            "take-ten, Rules",
            "When two get there at once, the count runs ten, extra cards, ace, king, queen, jack; first there wins.",
        ),
        deals=Source("take-ten, Rules", "No number of deals ends the game: it is played to 41.", reading=True),
        ties=Source("take-ten, Rules", "Nothing is said of players level to the end: they win together.", reading=True),
    ),
)
