"""The second engine as a service: it answers the questions of the cases that it knows how to answer.

Of states with hidden hands it lists all fillings, if they are few. What it does not know it refuses with `Unknown`:
the faults of impossible states, the places of faults, the proofs, the texts of records.
"""

from collections.abc import Callable
from itertools import chain, combinations
from typing import Final

from openapi.conformance.runner import Json, Reply, Request
from tests.game.fairness.test_shuffle import PlainStream, plain_draw
from tests.programs.agreement import expected
from tests.programs.agreement.endings import MAX_FILLINGS, fillings_about
from tests.programs.agreement.expected import as_held
from tests.programs.agreement.hidden_hands import in_all_and_in_some
from tests.reference import engine
from tests.reference.claims import Goal, holds
from tests.reference.engine import State
from tests.reference.fillings import Place, cards_at, chance_of, fillings, hidden_places
from tests.reference.records import Read, read_record, winners


class Unknown(Exception):
    """A question that the second engine does not know how to answer."""


class Refused(Exception):
    """A question that it refuses."""


def ask(request: Request) -> Reply:
    """Answer a request.

    Errors: Unknown.
    """
    kind = request.path.removeprefix("/v1/").replace("-", "_")
    if kind not in _ANSWERS or not isinstance(request.body, dict):
        raise Unknown
    try:
        return Reply(200, _ANSWERS[kind](request.body))
    except Refused as refused:
        return Reply(422, {"code": str(refused)})


def _fill(state: State | str) -> list[State]:
    """List every filling of a state; one that shows all hands is its only one."""
    if isinstance(state, str):
        raise Unknown
    if hidden_places(state) and fillings_about(state) > MAX_FILLINGS:
        raise Unknown
    full = list(fillings(state)) if hidden_places(state) else [state]
    if not full:
        raise Refused("impossible_state")
    return full


def _positions(body: Json) -> Json:
    full = _fill(body["state"])
    answers = [expected.position(one) for one in full]
    legal = {tuple(answer["legal_cards"]) for answer in answers}
    return {**answers[0], "state": None, "legal_cards": answers[0]["legal_cards"] if len(legal) == 1 else None}


def _list_bare(body: Json) -> list[State]:
    """List a state for each table that the facts of a bare question fit, in the first trick of a deal and later.

    Errors: Unknown, for facts that are left out or that a state or a seat contradicts; Refused, if they fit no table.
    """
    if not {"rules", "trump", "trick", "hand"} <= body.keys() or {"state", "seat"} & body.keys():
        raise Unknown
    if isinstance(body["rules"], str) and body["rules"] not in engine.RULESETS:
        raise Refused("unknown_ruleset")
    tables = [table for table in expected.rules_of(body)["tables"] if body.get("players") in {None, table["players"]}]
    if not tables:
        raise Refused("players_not_in_ruleset")
    found = [
        _put_at(body, table, first=first)
        for table in tables
        for first in (True, False)
        if _fits(body, table, first=first)
    ]
    if not found:
        raise Refused("impossible_state")
    return found


def _fits(body: Json, table: Json, *, first: bool) -> bool:
    """Return True if some pack and some turn-up let a seat hold the hand in the first trick of a deal, or later."""
    trick, hand, cards = body["trick"], body["hand"], [*body["trick"], *body["hand"]]
    is_full, last = len(hand) == table["cards"], len(trick) + 1 == table["players"]
    if len(trick) >= table["players"] or len(hand) > table["cards"] or len(set(cards)) < len(cards):
        return False
    if not (is_full if first else not is_full or table["hands"] > 1):
        return False
    out = combinations(table.get("strip_choice") or table["strip"], len(table["strip"]))
    packs = [set(expected.PACK) - set(strip) for strip in out if not set(strip) & set(cards)]
    turn_ups = [card for pack in packs for card in pack if card[1] == body["trump"]]
    if not first or table["hands"] > 1:
        return bool(packs)
    return any(card in hand if last else card not in cards for card in turn_ups)


def _put_at(body: Json, table: Json, *, first: bool) -> State:
    seats = table["players"]
    hands: list[list[str] | int] = [[] for _ in range(seats)]
    hands[len(body["trick"])] = body["hand"]
    state: Json = {"rules": body["rules"], "sides": [[seat] for seat in range(seats)], "dealer": 0, "deal": 1}
    state |= {"scores": [0] * seats, "turn_up": "6" + body["trump"], "hands": hands, "later_hands": [], "leader": 0}
    taken = [list[str]() if first else ["none"], *([] for _ in range(seats - 1))]
    return {**state, "trick": body["trick"], "taken": taken, "revoked": None}


def _judge_bare(full: list[State], card: str) -> Json:
    """Judge a card of a bare hand by each state that it may be of."""
    reasons = {engine.verdict(one, card) for one in full}
    if len(reasons) == 1:
        return {"card": card, "reason": min(reasons, key=str)}
    missing = "players" if len({len(one["hands"]) for one in full}) > 1 else "state"
    return {"card": card, "reason": None, "undecided": True, "missing": missing}


def _legal_moves(body: Json) -> Json:
    if "state" not in body or "hand" in body:
        bare = _list_bare(body)
        judged = [_judge_bare(bare, card) for card in as_held(bare[0], body["hand"])]
        legal = [each["card"] for each in judged if each["reason"] is None and "undecided" not in each]
        return {"turn": None, "legal_cards": legal, "verdicts": judged}
    full = _fill(body["state"])
    turn = engine.turn(full[0])
    if turn is None:
        return {"turn": None, "legal_cards": [], "verdicts": []}
    if len({frozenset(one["hands"][turn]) for one in full}) > 1:
        raise Refused("hand_not_seen")
    at = expected.position(full[0])
    reasons = expected.reasons(full[0], at)
    verdicts = [{"card": card, "reason": reason} for card, reason in reasons.items()]
    return {"turn": turn, "legal_cards": at["legal_cards"], "verdicts": verdicts}


_FIELDS: Final = {"must_follow_suit": "following", "must_trump": "void", "no_trump_lead": "opening_lead"}


def _verdicts(body: Json) -> Json:
    if "state" not in body or "hand" in body:
        return _verdict_of_bare(body)
    full = _fill(body["state"])
    turn, card = engine.turn(full[0]), body["card"]
    if turn is None:
        raise Refused(engine.phase(full[0]))
    if body.get("seat", turn) != turn:
        raise Refused("not_your_turn")
    reasons = {engine.verdict(one, card) for one in full}
    if None in reasons and len(reasons) > 1:
        raise Refused("hand_not_seen")
    legal = {tuple(as_held(one, engine.legal_cards(one))) for one in full}
    told = {"seat": turn, "card": card, "legal": reasons == {None}, "legal_cards": _one_of(legal)}
    if len(reasons) > 1:
        order = [reason for reason in ("not_in_hand", *_FIELDS) if reason in reasons]
        possible = [{"reason": reason} for reason in order]
        return {**told, "reason": "depends_on_hand", "rule": None, "possible": possible}
    (reason,) = reasons
    return {**told, "reason": reason, "rule": {"field": _FIELDS.get(reason)} if reason else None}


def _verdict_of_bare(body: Json) -> Json:
    full = _list_bare(body)
    judged = _judge_bare(full, body["card"])
    legal = {tuple(as_held(one, engine.legal_cards(one))) for one in full}
    reason = "no_trump_lead" if "undecided" in judged else judged["reason"]
    rule = {"field": _FIELDS.get(reason)} if reason else None
    return {"seat": None, **judged, "legal": judged["reason"] is None, "rule": rule, "legal_cards": _one_of(legal)}


def _one_of(found: set[tuple[str, ...]]) -> list[str] | None:
    return list(*found) if len(found) == 1 else None


def _next_states(body: Json) -> Json:
    state, events = body["state"], list[Json]()
    if hidden_places(state):
        raise Unknown
    penalise = _penalises(body, state)
    for card in body["cards"]:
        reason, after = _play(state, card, penalise=penalise)
        events += expected.events(state, after, expected.position(after), card, reason)
        state = after
    for event in events:
        if "why" in event:
            event["verdict"] = {"reason": event["why"]}
        if "how" in event:
            event["won_by"] = {"how": event["how"]}
    return {"position": expected.position(state), "events": events}


def _penalises(body: Json, state: State) -> bool:
    penalise = body.get("on_revoke") == "penalise"
    if penalise and expected.rules_of(state)["revoke"] == "not_allowed":
        raise Refused("no_revoke_penalty")
    return penalise


def _play(state: State, card: str, *, penalise: bool) -> tuple[str | None, State]:
    """Play a card, and return the rule against it with the state after it."""
    if engine.turn(state) is None:
        raise Refused(engine.phase(state))
    reason = engine.verdict(state, card)
    if reason is not None and not (penalise and reason != "not_in_hand"):
        raise Refused("illegal_play")
    return reason, engine.play(state, card, penalise)


def _scores(body: Json) -> Json:
    state = _fill(body["state"])[0]
    at = expected.position(state)
    won = {"how": engine.how_won(state)} if at["winners"] else None
    sides = expected.scores(state, at)
    return {"phase": at["phase"], "sides": sides, "winners": at["winners"], "won_by": won}


def _trick_winners(body: Json) -> Json:
    if "state" not in body:
        raise Unknown
    state = _fill(body["state"])[0]
    seat = engine.trick_winner(state)
    if seat is None:
        raise Unknown
    players = len(state["hands"])
    card = state["trick"][(seat - state["leader"]) % players]
    return {"seat": seat, "card": card, "complete": len(state["trick"]) == players}


def _views(body: Json) -> Json:
    return {"state": expected.view(body["state"], body["seat"])}


def _knowledge(body: Json) -> Json:
    seen = expected.view(body["state"], body["seat"])
    plays: list[Json] = body.get("plays", [])
    if plays and any(
        table["hands"] > 1 for table in expected.rules_of(seen)["tables"] if table["players"] == len(seen["hands"])
    ):
        raise Unknown
    full = [one for one in _fill(seen) if not plays or _came_by(one, plays)]
    if not full:
        raise Refused("impossible_request")
    later = len(seen["later_hands"][0]) if seen["later_hands"] else 0
    places = [Place(seat, at) for seat in range(len(seen["hands"])) for at in range(later + 1)]
    return {"hands": [_known(full, place) for place in places if place != (body["seat"], 0)]}


def _came_by(state: State, plays: list[Json]) -> bool:
    """Return True if these plays lead to a state of one hand a seat, and all but a revoke at the end are legal."""
    of_seats: list[list[str]] = [
        [made["card"] for made in plays if made["seat"] == seat] for seat in range(len(state["hands"]))
    ]
    hands: list[list[str]] = [[*held, *played] for held, played in zip(state["hands"], of_seats, strict=True)]
    leader = (state["dealer"] + 1) % len(of_seats)
    at = {
        **state,
        "hands": hands,
        "leader": leader,
        "trick": [],
        "taken": [list[str]() for _ in state["taken"]],
        "revoked": None,
    }
    cards = [card for held in hands for card in held]
    for number, made in enumerate(plays, start=1):
        if len(cards) > len(set(cards)) or engine.turn(at) != made["seat"]:
            return False
        ends = number == len(plays) and state["revoked"] is not None
        if (engine.verdict(at, made["card"]) is not None) is not ends:
            return False
        at = engine.let_stand(at, made["card"]) if ends else engine.lay(at, made["card"])
    return expected.tidy(at) == expected.tidy(state)


def _known(full: list[State], place: Place) -> Json:
    must_hold, may_hold = (as_held(full[0], cards) for cards in in_all_and_in_some(full, place))
    void = [suit for suit in engine.SUITS if suit not in {card[1] for card in may_hold}]
    return {
        "seat": place.seat,
        "hand_index": place.at,
        "size": len(cards_at(full[0], place)),
        "must_hold": [{"card": card} for card in must_hold],
        "may_hold": may_hold,
        "chances": [chance_of(full, place, card) for card in may_hold] if full[0]["revoked"] is None else None,
        "void": [{"suit": suit} for suit in void],
    }


def _claims(body: Json) -> Json:
    seen = expected.view(body["state"], body["seat"])
    full = _fill(seen)
    if engine.phase(full[0]) != "playing":
        raise Refused(engine.phase(full[0]))
    if isinstance(seen["hands"][body["seat"]], int):
        raise Refused("hand_not_seen")
    goal = Goal(body["seat"], body.get("tricks"), body.get("points"))
    return {"outcome": "holds" if holds(full, goal, seen) else "refuted"}


def _deals(body: Json) -> Json:
    """Deal a pack in a given order, or one that a seed shuffles, for a first deal or a next one."""
    threes = body.get("three_at_a_time", False)
    if "after" in body:
        state = body["after"]
        if engine.phase(state) != "deal_over":
            raise Refused("game_over")
        order = PlainStream("deal", body["seed"]).shuffled(_find_pack(state))
        return {"position": {"state": expected.tidy(engine.next_deal(state, order, threes))}}
    if not {"rules", "sides", "dealer", "pack"} <= body.keys():
        raise Unknown
    players = sum(map(len, body["sides"]))
    rules = engine.RULESETS[body["rules"]]
    if body["dealer"] >= players or (threes and rules["id"] not in {"trebor", "french-whist"}):
        raise Refused("impossible_request")
    scores = [0] * len(body["sides"])
    state = engine.deal(body["rules"], body["sides"], body["dealer"], body["pack"], 1, scores, threes)
    return {"position": {"state": expected.tidy(state)}}


def _find_pack(state: Json) -> list[str]:
    """Return the pack of a deal that is over: where the dealer chose the strip, the cards dealt were all of it."""
    usual = engine.pack(state["rules"], len(state["hands"]))
    taken = {card for pile in state["taken"] for card in pile}
    whole = [rank + suit for suit in engine.SUITS for rank in engine.RANKS if rank + suit in taken]
    return whole if len(whole) == len(usual) else usual


def _draws(body: Json) -> Json:
    rounds, dealer = plain_draw(body["players"], body["seed"])
    told = [[{"seat": seat, "card": card} for seat, card in drawn.items()] for drawn in rounds]
    return {"rounds": told, "dealer": dealer}


def _adjudications(body: Json) -> Json:
    """Read a record that can be, and that is of a game from its first deal on."""
    deals: list[Json] = [{"later_hands": [], "revokes_found": [], **deal} for deal in body["deals"]]
    ends = [deal["ended_by"] for deal in deals if "ended_by" in deal]
    two = len(body["sides"]) == 2
    if {"deal", "scores", "resigned"} & body.keys() or not all(map(_can_be, deals)):
        raise Unknown
    if any(end["seat"] >= sum(map(len, body["sides"])) or (end["how"] == "concession" and not two) for end in ends):
        raise Unknown
    _penalises(body, body)
    read, wrong = read_record({"on_revoke": "refuse", **body, "deals": deals})
    won = winners(read)
    how = {"how": engine.how_won(read[-1].end)} if won else None
    return {"deals": list(map(_tell_deal, read)), "irregularities": wrong, "winners": won, "won_by": how}


def _can_be(deal: Json) -> bool:
    """Return True if no card was dealt twice, and no revoke found before it was made."""
    hands = [hand for hand in (*deal["hands"], *chain(*deal["later_hands"])) if not isinstance(hand, int)]
    cards = [*chain(*hands)]
    found: list[Json] = deal["revokes_found"]
    return len(cards) == len(set(cards)) and all(revoke["play_index"] <= revoke["after_index"] for revoke in found)


def _tell_deal(deal: Read) -> Json:
    verdicts = [_tell_verdict(judged.reasons) for judged in deal.verdicts]
    told = {"phase": engine.phase(deal.end), "points": engine.points(deal.end), "totals": engine.totals(deal.end)}
    return {"verdicts": verdicts, **told}


def _tell_verdict(reasons: frozenset[str | None]) -> Json:
    if None in reasons:
        return {"reason": None, "undecided": True} if len(reasons) > 1 else {"reason": None}
    return {"reason": "depends_on_hand" if len(reasons) > 1 else min(map(str, reasons))}


_ANSWERS: Final[dict[str, Callable[[Json], Json]]] = {
    "positions": _positions,
    "legal_moves": _legal_moves,
    "verdicts": _verdicts,
    "next_states": _next_states,
    "scores": _scores,
    "trick_winners": _trick_winners,
    "views": _views,
    "knowledge": _knowledge,
    "claims": _claims,
    "deals": _deals,
    "draws": _draws,
    "adjudications": _adjudications,
}
