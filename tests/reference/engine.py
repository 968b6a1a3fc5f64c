"""A slow, plain rules engine for Catch the Ten (Scotch Whist), to check the main engine against.

Written from the printed sources alone, with strings and lists, so that it reads like the rules. A card
is two letters, rank then suit ("TH" is the ten of hearts). A state is the plain dict of the API.
"""

from typing import Any

State = dict[str, Any]
Rules = dict[str, Any]

SUITS = "CDHS"
RANKS = "6789TJQKA"  # low to high, in every plain suit

# The order of the trump suit, low to high.
TRUMP_RANKS = {
    "jack_high": "6789TQKAJ",
    "ace_high": "6789TJQKA",
}

# What every source prints; house rules may name others.
GAME = 41
# The most deals of a game, under any rules.
MOST_DEALS = 100
HONOUR_POINTS = {"jack": 11, "ten": 10, "ace": 4, "king": 3, "queen": 2}

# denexa and take-ten print this order; gamerules prints none, and the project reads it the same way.
# A fine is a house rule, and counts before everything else.
COUNTING_ORDER = ["fine", "ten", "card_points", "ace", "king", "queen", "jack"]


# ---------------------------------------------------------------------------------------------------
# The rulesets
# ---------------------------------------------------------------------------------------------------


def _table(players: int, hands: int, cards: int, strip: str, sides: list[int]) -> Rules:
    """One line of a source's table of deals."""
    return {"players": players, "hands": hands, "cards": cards, "strip": strip.split(), "sides": sides}


DENEXA: Rules = {
    "id": "denexa",
    "trump_rank": "jack_high",
    "opening_lead": "any_card",
    "void": "any_card",
    "revoke": "not_allowed",
    "winning": "counting_order",
    "card_points": "above_share",
    "ten": "trumps",
    "tables": [
        _table(2, 1, 18, "", [2]),
        _table(3, 1, 12, "", [3]),
        _table(4, 1, 9, "", [4]),
        _table(5, 1, 7, "6C", [5]),
        _table(6, 1, 6, "", [6]),
        _table(7, 1, 5, "6C", [7]),
    ],
}

GAMERULES: Rules = {
    "id": "gamerules",
    "trump_rank": "jack_high",
    "opening_lead": "any_card",
    "void": "any_card",
    "revoke": "not_allowed",
    "winning": "counting_order",
    "card_points": "above_share",
    "ten": "trumps",
    "tables": [
        _table(2, 3, 6, "", [2]),
        _table(3, 2, 6, "", [3]),
        _table(4, 1, 9, "", [4, 2]),
        _table(5, 1, 7, "6S", [5]),
        _table(6, 1, 6, "", [6, 3]),
        _table(7, 1, 5, "6S", [7]),
        _table(8, 1, 4, "6C 6D 6H 6S", [8, 4]),
    ],
}

# This source never raises the jack of trumps, and its closing advice says that the trumps from the queen
# up to the ace win against jacks and tens: so its trumps rank as any other suit does.
LOTS_OF_KIDS: Rules = {
    "id": "lots-of-kids",
    "trump_rank": "ace_high",
    "opening_lead": "no_trump",
    "void": "any_card",
    "revoke": "not_allowed",
    "winning": "highest_score",
    "card_points": "above_share",
    "ten": "trumps",
    "tables": [
        _table(4, 1, 9, "", [4]),
        {**_table(5, 1, 7, "6C", [5]), "strip_choice": ["6C", "6D", "6H", "6S"]},  # any one six, says the source
        _table(6, 1, 6, "", [6]),
    ],
}

TAKE_TEN: Rules = {
    "id": "take-ten",
    "trump_rank": "jack_high",
    "opening_lead": "any_card",
    "void": "trump_if_able",
    "revoke": "not_allowed",
    "winning": "counting_order",
    "card_points": "above_share",
    "ten": "trumps",
    "tables": [
        _table(2, 1, 10, "", [2]),
        _table(3, 1, 10, "", [3]),
        _table(4, 1, 9, "", [4]),
        _table(5, 1, 7, "", [5]),
        _table(6, 1, 6, "", [6]),
    ],
}

TREBOR: Rules = {
    "id": "trebor",
    "trump_rank": "jack_high",
    "opening_lead": "any_card",
    "void": "any_card",
    "revoke": "loss_of_game",
    "winning": "at_once",
    "card_points": "above_share",
    "ten": "trumps",
    "tables": [
        _table(2, 3, 6, "", [2]),
        _table(3, 1, 6, "", [3]),
        _table(4, 1, 9, "", [2, 4]),
        _table(5, 1, 7, "6S", [5]),
        _table(6, 1, 6, "", [2, 3, 6]),
        _table(7, 1, 5, "6S", [7]),
        _table(8, 1, 4, "6C 6D 6H 6S", [2, 8]),
    ],
}

# Only the honours count, and an even number never plays alone.
BRITANNICA: Rules = {
    **TREBOR,
    "id": "britannica",
    "winning": "counting_order",
    "card_points": "none",
    "tables": [
        _table(2, 3, 6, "", [2]),
        _table(3, 2, 6, "", [3]),
        _table(4, 1, 9, "", [2]),
        _table(5, 1, 7, "6S", [5]),
        _table(6, 1, 6, "", [2, 3]),
        _table(7, 1, 5, "6S", [7]),
        _table(8, 1, 4, "6C 6D 6H 6S", [2, 4]),
    ],
}

CASSELL: Rules = {
    **TREBOR,
    "id": "cassell",
    "winning": "counting_order",
    "tables": [
        _table(2, 1, 18, "", [2]),
        _table(3, 1, 12, "", [3]),
        _table(4, 1, 9, "", [2]),
        {**_table(5, 1, 7, "6C", [5]), "strip_choice": ["6C", "6D", "6H", "6S"]},  # which six goes is not said
        _table(6, 1, 6, "", [2, 3]),
    ],
}

# From the related games of the trebor source.
FRENCH_WHIST: Rules = {**TREBOR, "id": "french-whist", "card_points": "tricks", "ten": "diamonds"}

RULESETS: dict[str, Rules] = {
    "denexa": DENEXA,
    "gamerules": GAMERULES,
    "lots-of-kids": LOTS_OF_KIDS,
    "take-ten": TAKE_TEN,
    "trebor": TREBOR,
    "britannica": BRITANNICA,
    "cassell": CASSELL,
    "french-whist": FRENCH_WHIST,
}


def _ruleset(rules: str | Rules) -> Rules:
    """The ruleset of this id, or the ruleset itself when a whole one is given."""
    if isinstance(rules, str):
        return RULESETS[rules]
    return rules


def _deal_table(rules: str | Rules, players: int) -> Rules:
    """The table of this ruleset for this number of players."""
    for table in _ruleset(rules)["tables"]:
        if table["players"] == players:
            found: Rules = table
            return found
    raise ValueError("these rules are not for this number of players")


def arrangements() -> list[tuple[str, int, list[list[int]]]]:
    """Every (rules id, players, sides) that the sources allow: alone and in each partnership."""
    return [
        (name, table["players"], _evenly_spaced(table["players"], sides))
        for name, rules in RULESETS.items()
        for table in rules["tables"]
        for sides in table["sides"]
    ]


def _evenly_spaced(players: int, sides: int) -> list[list[int]]:
    """The seats of each side when partners sit as far apart as they can."""
    return [[seat for seat in range(players) if seat % sides == side] for side in range(sides)]


# ---------------------------------------------------------------------------------------------------
# The pack and the deal
# ---------------------------------------------------------------------------------------------------


def pack(rules: str | Rules, players: int) -> list[str]:
    """The cards used by this number of players: clubs to spades, six to ace, with the strip out."""
    strip = _deal_table(rules, players)["strip"]
    return [rank + suit for suit in SUITS for rank in RANKS if rank + suit not in strip]


def deal(
    rules: str | Rules,
    sides: list[list[int]],
    dealer: int,
    order: list[str],
    number: int,
    scores: list[int],
    three: bool = False,
) -> State:
    """Deal the cards in this order, singly or three at a time, and turn up the last one dealt."""
    players = sum(len(side) for side in sides)
    table = _deal_table(rules, players)
    wanted = players * table["hands"] * table["cards"]
    if len(order) < wanted or len(set(order)) < len(order):
        raise ValueError("the pack is short or holds a card twice")
    dealt = order[:wanted]
    piles = _round_the_piles(dealt, players * table["hands"], table["cards"], 3 if three else 1)

    hands_of: list[list[list[str]]] = [[] for _ in range(players)]
    for place, pile in enumerate(piles):
        hands_of[(dealer + 1 + place) % players].append(pile)

    return {
        "rules": rules,
        "sides": [list(side) for side in sides],
        "dealer": dealer,
        "deal": number,
        "scores": list(scores),
        "turn_up": dealt[-1],
        "hands": [hands[0] for hands in hands_of],
        "later_hands": [hands[1:] for hands in hands_of] if table["hands"] > 1 else [],
        "leader": (dealer + 1) % players,
        "trick": [],
        "taken": [[] for _ in sides],
        "revoked": None,
    }


def _round_the_piles(dealt: list[str], piles: int, cards: int, at_a_time: int) -> list[list[str]]:
    """Go round the piles, giving each `at_a_time` cards, or fewer when fewer are wanting."""
    heap = list(dealt)
    made: list[list[str]] = [[] for _ in range(piles)]
    while heap:
        for pile in made:
            given = min(at_a_time, cards - len(pile))
            pile.extend(heap[:given])
            del heap[:given]
    return made


def next_deal(state: State, order: list[str], three: bool = False) -> State:
    """The deal after this one: the deal passes to the left and the points go into the game scores."""
    if phase(state) != "deal_over":
        raise ValueError("this deal is not over, or the game is")
    dealer = (state["dealer"] + 1) % len(state["hands"])
    return deal(state["rules"], state["sides"], dealer, order, state["deal"] + 1, scores_carried_on(state), three)


# ---------------------------------------------------------------------------------------------------
# The play
# ---------------------------------------------------------------------------------------------------


def turn(state: State) -> int | None:
    """The seat that is to play, or None when the deal or the game is over."""
    if phase(state) != "playing":
        return None
    return _seat_to_play(state)


def legal_cards(state: State) -> list[str]:
    """The cards that the seat to play may play, in the order of its hand."""
    seat = turn(state)
    if seat is None:
        return []
    return [card for card in state["hands"][seat] if _broken_rule(state, seat, card) is None]


def verdict(state: State, card: str) -> str | None:
    """None when the seat to play may play this card, else the rule against it."""
    seat = turn(state)
    if seat is None:
        raise ValueError("nobody is to play")
    if card not in state["hands"][seat]:
        return "not_in_hand"
    return _broken_rule(state, seat, card)


def broken_rule_in_trick(state: State, place: int) -> str | None:
    """The rule that was broken by the card at this place of the trick, by a hand that still holds the rest."""
    seat = _seat_after(state, state["leader"], place)
    before = _copy(state)
    before["trick"] = state["trick"][:place]
    before["hands"][seat].append(state["trick"][place])
    return _broken_rule(before, seat, state["trick"][place])


def trick_winner(state: State) -> int | None:
    """The seat that holds the trick so far, or None when no card is in it."""
    trick: list[str] = state["trick"]
    if not trick:
        return None
    best = 0
    for place in range(1, len(trick)):
        if _beats(state, trick[place], trick[best]):
            best = place
    return _seat_after(state, state["leader"], best)


def play(state: State, card: str, penalise: bool = False) -> State:
    """The state after the seat to play plays this card. A penalised revoke stands and ends the deal."""
    reason = verdict(state, card)
    if reason is not None and not (penalise and _can_stand(state, reason)):
        raise ValueError(reason)

    return lay(state, card) if reason is None else let_stand(state, card)


def let_stand(state: State, card: str) -> State:
    """The state after a penalised revoke: it is the last card of a trick that nobody takes."""
    return {**_put_down(state, card), "revoked": _seat_to_play(state)}


def lay(state: State, card: str) -> State:
    """The state after the seat to play lays this card, by the rules or not; its hand may be a number of cards."""
    after = _put_down(state, card)
    if len(after["trick"]) == len(after["hands"]):
        _gather(after)
        if not any(after["hands"]) and after["later_hands"]:
            _take_up_next_hands(after)
    return after


def _put_down(state: State, card: str) -> State:
    """The state with this card out of the hand of the seat to play, and in the trick."""
    after, seat = _copy(state), _seat_to_play(state)
    if isinstance(after["hands"][seat], int):
        after["hands"][seat] -= 1
    else:
        after["hands"][seat].remove(card)
    after["trick"].append(card)
    return after


def _can_stand(state: State, reason: str) -> bool:
    """True when a card against the rules may be let stand: a revoke, where the rules have a penalty."""
    return reason != "not_in_hand" and _ruleset(state["rules"])["revoke"] != "not_allowed"


def _seat_after(state: State, seat: int, steps: int) -> int:
    """The seat a number of steps to the left of this one."""
    return (seat + steps) % len(state["hands"])


def _seat_to_play(state: State) -> int:
    """The seat whose card the trick waits for."""
    return _seat_after(state, state["leader"], len(state["trick"]))


def _broken_rule(state: State, seat: int, card: str) -> str | None:
    """The rule that this seat would break by playing this card of its hand, or None."""
    rules = _ruleset(state["rules"])
    hand = state["hands"][seat]
    if not state["trick"]:
        banned = rules["opening_lead"] == "no_trump" and _is_first_lead(state)
        if banned and _is_trump(state, card) and not all(_is_trump(state, other) for other in hand):
            return "no_trump_lead"
        return None

    led = _suit(state["trick"][0])
    if _suit(card) == led:
        return None
    if any(_suit(other) == led for other in hand):
        return "must_follow_suit"
    must_trump = rules["void"] == "trump_if_able" and any(_is_trump(state, other) for other in hand)
    if must_trump and not _is_trump(state, card):
        return "must_trump"
    return None


def _is_first_lead(state: State) -> bool:
    """True when nobody has played a card in this deal yet."""
    return not state["trick"] and not any(state["taken"])


def _rank(card: str) -> str:
    return card[0]


def _suit(card: str) -> str:
    return card[1]


def _is_trump(state: State, card: str) -> bool:
    return _suit(card) == _suit(state["turn_up"])


def _beats(state: State, later: str, earlier: str) -> bool:
    """True when the later card takes the trick from the earlier one, which holds it so far."""
    if _suit(later) != _suit(earlier):
        return _is_trump(state, later)
    order = trump_ranks(state) if _is_trump(state, later) else RANKS
    return order.index(_rank(later)) > order.index(_rank(earlier))


def trump_ranks(state: State) -> str:
    """The trumps' order. A whole ruleset that does not name one has the jack on top."""
    return TRUMP_RANKS[_ruleset(state["rules"]).get("trump_rank", "jack_high")]


def _gather(state: State) -> None:
    """Give the complete trick to the winner's side; the winner leads to the next."""
    winner = trick_winner(state)
    assert winner is not None
    state["taken"][_side_of(state, winner)].extend(state["trick"])
    state["trick"] = []
    state["leader"] = winner


def _take_up_next_hands(state: State) -> None:
    """Every seat takes up the next of its hands; the value is [] once nobody has one left."""
    state["hands"] = [later[0] for later in state["later_hands"]]
    left = [later[1:] for later in state["later_hands"]]
    state["later_hands"] = left if any(left) else []


def _side_of(state: State, seat: int) -> int:
    """The number of the side that this seat plays for."""
    for number, side in enumerate(state["sides"]):
        if seat in side:
            return number
    raise ValueError("this seat is on no side")


def _copy(state: State) -> State:
    """A state that can be changed without changing this one."""
    return {
        **state,
        "sides": [list(side) for side in state["sides"]],
        "scores": list(state["scores"]),
        "hands": [_copy_hand(hand) for hand in state["hands"]],
        "later_hands": [[_copy_hand(hand) for hand in later] for later in state["later_hands"]],
        "trick": list(state["trick"]),
        "taken": [list(cards) for cards in state["taken"]],
    }


def _copy_hand(hand: list[str] | int) -> list[str] | int:
    return hand if isinstance(hand, int) else list(hand)


# ---------------------------------------------------------------------------------------------------
# The score
# ---------------------------------------------------------------------------------------------------


def items(state: State) -> list[dict[str, int]]:
    """The points of each side so far in this deal: card points, and points for each honour."""
    return [_items_of(state, side) for side in range(len(state["sides"]))]


def points(state: State) -> list[int]:
    """The points of each side so far in this deal."""
    return [sum(made.values()) for made in items(state)]


def totals(state: State) -> list[int]:
    """The total of each side: its game score and its points so far in this deal."""
    return [score + made for score, made in zip(state["scores"], points(state), strict=True)]


def _items_of(state: State, side: int) -> dict[str, int]:
    """The items of one side; a side that lost the deal's points has nothing."""
    if _lost_the_deal(state, side):
        return dict.fromkeys(COUNTING_ORDER, 0)
    rules = _ruleset(state["rules"])
    worth = HONOUR_POINTS | rules.get("honours", {})
    taken = state["taken"][side]
    trumps = _suit(state["turn_up"])
    ten = "TD" if rules["ten"] == "diamonds" else "T" + trumps
    made = {
        "ten": worth["ten"] if ten in taken else 0,
        "card_points": _card_points(state, side),
        "ace": worth["ace"] if "A" + trumps in taken else 0,
        "king": worth["king"] if "K" + trumps in taken else 0,
        "queen": worth["queen"] if "Q" + trumps in taken else 0,
        "jack": worth["jack"] if "J" + trumps in taken else 0,
    }
    return {"fine": _fine(state, side, sum(made.values())), **made}


def _card_points(state: State, side: int) -> int:
    """One for each card above the side's share; in French whist one for each trick; or none, if the house says so."""
    rules = _ruleset(state["rules"])
    taken = len(state["taken"][side])
    players = len(state["hands"])
    if rules["card_points"] == "none":
        return 0
    if rules["card_points"] == "tricks":
        return taken // players
    table = _deal_table(state["rules"], players)
    share: int = len(state["sides"][side]) * table["cards"] * table["hands"]
    return max(0, taken - share)


def _fine(state: State, side: int, made: int) -> int:
    """House rules may fine a revoke: the side pays what it has at most, and each other side may get the fine."""
    penalty = _ruleset(state["rules"])["revoke"]
    if state["revoked"] is None or isinstance(penalty, str):
        return 0
    fine: int = penalty["fine"]
    if _side_of(state, state["revoked"]) != side:
        return fine if penalty["to"] == "others" else 0
    owned: int = state["scores"][side] + made
    return -fine if owned > fine else -owned


def _lost_the_deal(state: State, side: int) -> bool:
    """True for the side that revoked, where a revoke costs the points of the deal (trebor, milder)."""
    if state["revoked"] is None or _ruleset(state["rules"])["revoke"] != "loss_of_deal":
        return False
    return _side_of(state, state["revoked"]) == side


def _lost_by_revoke(state: State) -> bool:
    """True when a revoke ended the whole game (trebor)."""
    return state["revoked"] is not None and _ruleset(state["rules"])["revoke"] == "loss_of_game"


# ---------------------------------------------------------------------------------------------------
# The end
# ---------------------------------------------------------------------------------------------------


def phase(state: State) -> str:
    """The game goes on ("playing"), or this deal is done ("deal_over"), or all is ("game_over")."""
    if how_won(state) is not None:
        return "game_over"
    return "deal_over" if _deal_is_done(state) else "playing"


def winners(state: State) -> list[int]:
    """The sides that have won, or [] while the game is not over."""
    how = how_won(state)
    if how is None:
        return []
    if how == "revoke":
        loser = _side_of(state, state["revoked"])
        return [side for side in range(len(state["sides"])) if side != loser]
    return _on_top(state, how)


def how_won(state: State) -> str | None:
    """How the game has been won, or None while it goes on."""
    if _lost_by_revoke(state):
        return "revoke"
    how = _how_it_would_be_won(state)
    ties = _ruleset(state["rules"]).get("ties", "shared")
    if how is not None and ties == "play_on" and state["deal"] < MOST_DEALS and len(_on_top(state, how)) > 1:
        return None
    return how


def _how_it_would_be_won(state: State) -> str | None:
    """The same, before it is asked if a tie is played off."""
    rules = _ruleset(state["rules"])
    deals = rules.get("deals") or MOST_DEALS
    if not _deal_is_done(state) and rules["winning"] != "at_once":
        return None
    if _somebody_has_game(state):
        return "tie_broken" if _had_game(state) else str(rules["winning"])
    if state["deal"] < deals or not _deal_is_done(state):
        return None
    return "last_deal" if state["deal"] == deals else "tie_broken"


def _on_top(state: State, how: str) -> list[int]:
    """The sides that win in this way."""
    if how == "counting_order":
        return _first_in_counting_order(state)
    at_the_end = totals(state)
    playing_off = list(range(len(at_the_end)))
    if how == "tie_broken" and _ruleset(state["rules"])["winning"] == "counting_order" and _had_game(state):
        playing_off = _at_the_same_score(state["scores"], _game(state))
    best = max(at_the_end[side] for side in playing_off)
    return [side for side in playing_off if at_the_end[side] == best]


def _at_the_same_score(scores: list[int], least: int) -> list[int]:
    """The sides that stand together at one score, the highest of the kind."""
    for score in sorted(scores, reverse=True):
        together = [side for side, other in enumerate(scores) if other == score]
        if len(together) > 1 and score >= least:
            return together
    return []


def scores_carried_on(state: State) -> list[int]:
    """The scores that the next deal starts from.

    If a tie in counting order is played off, a side outside the tie cannot win: it starts at least a point behind the
    tied sides.
    """
    carried = totals(state)
    if _ruleset(state["rules"])["winning"] == "counting_order" and _somebody_has_game(state):
        tied = _on_top(state, "tie_broken" if _had_game(state) else "counting_order")
        for side, standing in enumerate(carried):
            if side not in tied and standing >= carried[tied[0]]:
                carried[side] = carried[tied[0]] - 1
    return carried


def _game(state: State) -> int:
    """The score that is game."""
    target: int = _ruleset(state["rules"]).get("target", GAME)
    return target


def _deal_is_done(state: State) -> bool:
    """True when all the cards are played, or a revoke has ended the deal."""
    if state["revoked"] is not None:
        return True
    return not any(state["hands"]) and not state["later_hands"] and not state["trick"]


def _somebody_has_game(state: State) -> bool:
    return max(totals(state)) >= _game(state)


def _had_game(state: State) -> bool:
    """True when somebody had game before this deal already, so that it plays off a tie."""
    return any(score >= _game(state) for score in state["scores"])


def _highest(scores: list[int]) -> list[int]:
    """The side with the highest score, or all the sides that are level there."""
    return [side for side, score in enumerate(scores) if score == max(scores)]


def _first_in_counting_order(state: State) -> list[int]:
    """Count every side up, item by item; the first to stand at game wins (denexa, take-ten).

    If two sides reach it at the same item, this project gives the game to the higher score at that item, then to the
    higher score after the whole count, then to both.
    """
    made = items(state)
    at_the_end = totals(state)
    standing = list(state["scores"])
    for item in COUNTING_ORDER:
        standing = [score + made[side][item] for side, score in enumerate(standing)]
        if max(standing) >= _game(state):
            first = _highest(standing)
            return [side for side in first if at_the_end[side] == max(at_the_end[other] for other in first)]
    return []
