"""The requests of the examples: for every question, and for every problem that a question can meet."""

from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct

from service.schemas.refusal import ProblemCode

Body: TypeAlias = Any


class Example(NamedTuple):
    """An example of a body: its name, what it shows, and the body."""

    name: str
    summary: str
    body: Body


class ExampleRequest(Struct, frozen=True):
    """A request with its method and headers, by default those of a JSON request."""

    operation: str
    body: Body
    method: str = "POST"
    headers: tuple[tuple[bytes, bytes], ...] = ((b"content-type", b"application/json"),)


# Four players in two partnerships, `trebor`, in the middle of the fourth trick; seat 0 is to play.
MID_TRICK: Final[Body] = {
    "rules": "trebor",
    "sides": [[0, 2], [1, 3]],
    "dealer": 3,
    "deal": 1,
    "scores": [0, 0],
    "turn_up": "AD",
    "hands": [
        ["KD", "9D", "7D", "JH", "8C", "6C"],
        ["QD", "8D", "AH", "QH", "9H", "AC"],
        ["JD", "6D", "QC", "9C", "7C"],
        ["AD", "TD", "AS", "QS", "JC"],
    ],
    "later_hands": [],
    "leader": 2,
    "trick": ["7H", "TC"],
    "taken": [["KC", "6H", "8H", "TH", "KH", "6S", "7S", "8S", "9S", "TS", "JS", "KS"], []],
    "revoked": None,
}
# The same in one line.
MID_TRICK_LINE: Final = "ctt1_trebor_02.13_1_0.0_3-Ad_JhK97d86c.AQ9hQ8dAc.J6dQ97c.AQsATdJc_2-7hTc_KJT9876sKT86hKc.0"
# The same as seat 0 sees it: the other hands are numbers of cards.
SEAT_0_SEES: Final[Body] = {**MID_TRICK, "hands": [["KD", "9D", "7D", "JH", "8C", "6C"], 6, 5, 5]}
# The last tricks of a deal as seat 1 sees it: hearts are trumps, its partner led AC, and seat 2 is to play after it.
LAST_TRICKS_LINE: Final = "ctt1_trebor_02.13_1_0.0_3-Jh_3.K76hQd.4.3_3-AcTs_AQ6sK976dQ9876c.87sAhAJT8dKc"
# Two players, `take-ten`, hands of ten and sixteen cards not dealt: 6C is led, and seat 1 can follow.
TWO_PLAYERS: Final[Body] = {
    "rules": "take-ten",
    "sides": [[0], [1]],
    "dealer": 1,
    "deal": 1,
    "scores": [0, 0],
    "turn_up": "8S",
    "hands": [
        ["6S", "JH", "7H", "QC", "8C", "KD", "7D", "6D"],
        ["JS", "AS", "QS", "8S", "AH", "AC", "TC", "QD", "8D"],
    ],
    "later_hands": [],
    "leader": 0,
    "trick": ["6C"],
    "taken": [["7S", "KS"], []],
    "revoked": None,
}
TWO_PLAYERS_LINE: Final = "ctt1_take-ten_0.1_1_0.0_1-8s_6sJ7hK76dQ8c.AQJ8sAhQ8dATc_0-6c_K7s.0"
# The first deal of `denexa` for four, each alone, all played out.
DEAL_OVER_LINE: Final = (
    "ctt1_denexa_0.1.2.3_1_0.0.0.0_3-Ad_0.0.0.0_0_QsK9h9d.AJT7hAKQJT876c.KJ98sQ86hKQJTd9c.AT76sA876d"
)
DEAL_OVER: Final[dict[str, Any]] = {
    "rules": "denexa",
    "sides": [[0], [1], [2], [3]],
    "dealer": 3,
    "deal": 1,
    "scores": [0, 0, 0, 0],
    "turn_up": "AD",
    "hands": [[], [], [], []],
    "later_hands": [],
    "leader": 0,
    "trick": [],
    "taken": [
        ["9D", "9H", "KH", "QS"],
        ["6C", "7C", "8C", "TC", "JC", "QC", "KC", "AC", "7H", "TH", "JH", "AH"],
        ["9C", "TD", "JD", "QD", "KD", "6H", "8H", "QH", "8S", "9S", "JS", "KS"],
        ["6D", "7D", "8D", "AD", "6S", "7S", "TS", "AS"],
    ],
    "revoked": None,
}
# A game that its revoke has lost seat 0: it held JH, and its 9D is the last card of the trick.
GAME_OVER: Final[Body] = {
    **MID_TRICK,
    "hands": [["KD", "7D", "JH", "8C", "6C"], *MID_TRICK["hands"][1:]],
    "trick": ["7H", "TC", "9D"],
    "revoked": 0,
}
CARD_TWICE: Final[Body] = {**MID_TRICK, "trick": ["7H", "JH"], "scores": [41, 0]}
HOUSE_RULES: Final[Body] = {
    "id": "house",
    "name": "The rules of our house",
    "tables": [{"players": 4, "hands": 1, "cards": 9, "sides": [2]}],
    "three_at_a_time": True,
    "first_dealer": "cut",
    "opening_lead": "any_card",
    "void": "any_card",
    "revoke": {"fine": 10, "to": "others"},
    "card_points": "above_share",
    "honours": {"jack": 11, "ten": 15, "ace": 4, "king": 3, "queen": 2},
    "ten": "trumps",
    "target": 61,
    "winning": "highest_score",
    "deals": 6,
    "ties": "play_on",
}
# The start of a game for two: in the second trick seat 1 holds clubs and does not follow.
RECORD: Final[Body] = {
    "rules": "take-ten",
    "sides": [[0], [1]],
    "deals": [
        {
            "dealer": 1,
            "turn_up": "8S",
            "hands": [
                ["KS", "6S", "JH", "7H", "QC", "8C", "6C", "KD", "7D", "6D"],
                ["JS", "AS", "QS", "8S", "7S", "AH", "AC", "TC", "QD", "8D"],
            ],
            "plays": [
                {"seat": 0, "card": "KS"},
                {"seat": 1, "card": "7S"},
                {"seat": 0, "card": "6C"},
                {"seat": 1, "card": "8D"},
            ],
        }
    ],
}
# The same as a text.
RECORD_TEXT: Final = """\
[CatchTheTen 1]
[Rules "take-ten"]
[Sides [[0], [1]]]

[Dealer 1]
[TurnUp "8s"]
[Hands "K6sJ7hKd7d6dQ86c AQJ87sAhQ8dATc"]
0: Ks 7s
0: 6c 8d
"""
PACK: Final = [rank + suit for rank in "A7TQ6K8J9" for suit in "HSDC"]

# Must this hand trump?
BARE_HAND: Final[Body] = {"rules": "take-ten", "trump": "H", "trick": ["AS"], "hand": ["QH", "KH", "7D"]}
# Full at a table for five, and short at one for four.
BARE_LEAD: Final[Body] = {
    "rules": "lots-of-kids",
    "trump": "H",
    "trick": [],
    "hand": ["QH", "KH", "7D", "9D", "8C", "TC", "6S"],
}

EXAMPLES: Final[dict[str, tuple[Example, ...]]] = {
    "deals": (
        Example(
            "first_deal", "A first deal for four", {"rules": "trebor", "players": 4, "dealer": 3, "seed": "example"}
        ),
        Example("drawn_dealer", "A first deal whose dealer is drawn", {"rules": "denexa", "players": 4, "seed": "tie"}),
        Example("next_deal", "The deal after one that is over", {"after": DEAL_OVER, "seed": "example"}),
        Example(
            "given_pack",
            "Three at a time, from a pack in a given order",
            {"rules": "trebor", "sides": [[0, 2], [1, 3]], "dealer": 0, "pack": PACK, "three_at_a_time": True},
        ),
    ),
    "positions": (
        Example("mid_trick", "Four players in the middle of a trick", {"state": MID_TRICK}),
        Example("one_hand_seen", "The same, with only seat 0's hand seen", {"state": SEAT_0_SEES}),
        Example("deal_over", "A deal that is played out", {"state": DEAL_OVER}),
        Example("notation", "The first, asked by its notation", {"state": MID_TRICK_LINE}),
    ),
    "legal_moves": (
        Example("bare_hand", "A hand that is void in spades, when spades are led", BARE_HAND),
        Example("must_follow", "Hearts are led, and one card of the hand follows", {"state": MID_TRICK}),
        Example("two_players", "Two players, `take-ten`", {"state": TWO_PLAYERS}),
    ),
    "verdicts": (
        Example("bare_hand", "Must I trump? A hand, with no state around it", {**BARE_HAND, "card": "7D"}),
        Example("house_rules", "The same by house rules", {**BARE_HAND, "rules": HOUSE_RULES, "card": "7D"}),
        Example("bare_lead", "A lead that the number of players decides", {**BARE_LEAD, "card": "QH"}),
        Example("illegal_card", "A trump where a heart could follow", {"state": MID_TRICK, "card": "KD", "seat": 0}),
        Example("legal_card", "The heart that follows", {"state": MID_TRICK_LINE, "card": "JH"}),
    ),
    "trick_winners": (
        Example("current_trick", "The current trick of a state", {"state": MID_TRICK_LINE}),
        Example(
            "bare_trick",
            "A trick with no state: the jack of trumps beats the ace",
            {"trick": {"trump": "H", "leader": 2, "players": 4, "cards": ["9C", "AH", "TC", "JH"]}},
        ),
    ),
    "next_states": (
        Example("one_card", "Play one card", {"state": MID_TRICK, "cards": ["JH"]}),
        Example(
            "whole_trick", "Fill the trick and lead to the next", {"state": MID_TRICK_LINE, "cards": ["JH", "QH", "AC"]}
        ),
        Example(
            "revoke_penalised",
            "Let a revoke stand, which costs its side the game",
            {"state": MID_TRICK_LINE, "cards": ["9D"], "on_revoke": "penalise"},
        ),
        Example(
            "in_a_view",
            "Follow the game as seat 0 sees it: the cards of hidden hands are taken as held",
            {"state": SEAT_0_SEES, "cards": ["JH", "QH", "AC"], "unseen": "as_held"},
        ),
        Example("illegal_card", "A card that is refused", {"state": MID_TRICK_LINE, "cards": ["9D"]}),
    ),
    "scores": (
        Example("deal_over", "A deal that is played out", {"state": DEAL_OVER_LINE}),
        Example("so_far", "A deal so far", {"state": TWO_PLAYERS_LINE}),
    ),
    "diagnoses": (
        Example("impossible", "A state with two faults", {"state": CARD_TWICE}),
        Example("possible", "A state that can be", {"state": MID_TRICK}),
    ),
    "views": (
        Example("seat", "What seat 0 sees", {"state": MID_TRICK, "seat": 0}),
        Example("spectator", "What a spectator sees", {"state": MID_TRICK_LINE, "seat": None}),
    ),
    "knowledge": (
        Example("seat", "What seat 0 knows of the others", {"state": MID_TRICK_LINE, "seat": 0}),
        Example(
            "with_plays",
            "What seat 1 knows with all that was played in the deal, and two ways to fill the hidden hands",
            {
                "state": TWO_PLAYERS_LINE,
                "seat": 1,
                "plays": RECORD["deals"][0]["plays"][:3],
                "fillings": 2,
                "seed": "example",
            },
        ),
        Example("spectator", "What a spectator knows", {"state": TWO_PLAYERS_LINE, "seat": None}),
    ),
    "claims": (
        Example(
            "holds",
            "A trick more, against every hand and play of the others",
            {"state": LAST_TRICKS_LINE, "seat": 1, "tricks": 2},
        ),
        Example("refuted", "All tricks that are left", {"state": LAST_TRICKS_LINE, "seat": 1}),
    ),
    "analyses": (
        Example("worth", "What the rest of a deal is worth", {"state": MID_TRICK_LINE}),
        Example(
            "lost",
            "Where the deal of a record was lost",
            {"record": RECORD},
        ),
    ),
    "suggestions": (
        Example("last_tricks", "Near the end of a deal", {"state": LAST_TRICKS_LINE}),
        Example(
            "with_plays",
            "With all that was played in the deal",
            {"state": TWO_PLAYERS_LINE, "level": "easy", "seed": "example", "plays": RECORD["deals"][0]["plays"][:3]},
        ),
    ),
    "adjudications": (Example("revoke", "A record with a revoke in it", RECORD),),
    "draws": (
        Example("five_players", "Five players draw", {"players": 5, "seed": "example"}),
        Example("tie", "Two tie for the highest card and draw again", {"players": 5, "seed": "tie"}),
    ),
    "batches": (
        Example(
            "three_questions",
            "Three questions; one is refused",
            {
                "questions": [
                    {"kind": "verdicts", "state": MID_TRICK_LINE, "card": "JH"},
                    {"kind": "trick_winners", "state": MID_TRICK_LINE},
                    {"kind": "next_states", "state": MID_TRICK_LINE, "cards": ["KD"]},
                ]
            },
        ),
    ),
}

REFUSED_REQUESTS: Final[dict[ProblemCode, ExampleRequest]] = {
    "malformed_body": ExampleRequest("positions", b'{"state": '),
    "invalid_body": ExampleRequest("verdicts", {"state": {**MID_TRICK, "dealer": "3", "turn_up": "1H"}, "card": "JH"}),
    "not_acceptable": ExampleRequest("positions", {"state": MID_TRICK}, headers=((b"accept", b"text/html"),)),
    "body_too_large": ExampleRequest("batches", b"", headers=((b"content-length", b"100000000"),)),
    "unsupported_media_type": ExampleRequest("positions", b"", headers=((b"content-type", b"text/plain"),)),
    "deal_over": ExampleRequest("verdicts", {"state": DEAL_OVER_LINE, "card": "JH"}),
    "game_over": ExampleRequest("next_states", {"state": GAME_OVER, "cards": ["9H"]}),
    "deal_not_over": ExampleRequest("deals", {"after": MID_TRICK}),
    "not_your_turn": ExampleRequest("verdicts", {"state": MID_TRICK_LINE, "card": "9H", "seat": 1}),
    "malformed_notation": ExampleRequest("positions", {"state": MID_TRICK_LINE.replace("_1_", "_01_")}),
    "impossible_state": ExampleRequest("positions", {"state": CARD_TWICE}),
    "impossible_request": ExampleRequest(
        "deals", {"rules": "trebor", "players": 4, "sides": [[0, 2], [1, 3]], "dealer": 3}
    ),
    "impossible_ruleset": ExampleRequest(
        "deals",
        {
            "rules": {**HOUSE_RULES, "tables": [{"players": 4, "hands": 1, "cards": 10, "sides": [2]}]},
            "players": 4,
            "dealer": 3,
        },
    ),
    "unknown_ruleset": ExampleRequest("deals", {"rules": "bridge", "players": 4, "dealer": 3}),
    "players_not_in_ruleset": ExampleRequest("deals", {"rules": "lots-of-kids", "players": 3, "dealer": 0}),
    "illegal_play": ExampleRequest("next_states", {"state": MID_TRICK_LINE, "cards": ["KD"]}),
    "hand_not_seen": ExampleRequest("legal_moves", {"state": {**MID_TRICK, "hands": [6, 6, 5, 5]}}),
    "no_revoke_penalty": ExampleRequest(
        "next_states", {"state": TWO_PLAYERS, "cards": ["8D"], "on_revoke": "penalise"}
    ),
}
"""For every problem that a question can be refused with, a request that is refused so."""
