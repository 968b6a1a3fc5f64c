"""The cases that are made from the service: its answers to states, records and deals, without their texts."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, Final

import msgspec

from openapi.conformance.generate.hands import list_cards, list_hands, list_refused
from openapi.conformance.generate.pasts import list_pasts
from openapi.conformance.generate.plain import leave_problem_texts_out, leave_texts_out, write_ruleset
from openapi.conformance.generate.records import list_records
from openapi.conformance.generate.states import (
    PLAYED_OFF,
    Named,
    claim_hidden_revoke,
    claim_played_on,
    claim_void_revoke,
    list_hidden_turns,
    list_states,
    list_unfillable,
    list_voids,
)
from service.game.cards import card_code, cards_of
from service.game.notation.record import drop_defaults
from service.game.rules import play, verdicts
from service.game.rulesets import RULESETS, Ruleset
from service.game.state import Claim, State, hand_size, to_claim
from service.schemas.refusal import Refusal
from tests.programs.agreement.asking import Json, ask
from tests.programs.agreement.expected import PACK
from tests.support.shaken import shake
from tests.support.strategies import ARRANGEMENTS, phase

Case = dict[str, Any]
_SHAKES: Final = 6000
_MAX_CLAIMED: Final = 8
"""Cards that are left in all hands where a claim is asked about: few enough to try everything."""
_OFTEN: Final = 8
"""Cases of each fault, about."""
_TOLD_OF_RULESETS: Final = {"id", "name", "description", "sources"}
"""The fields of a ruleset that are for people."""


_NO_DEALS: Final[tuple[Json, ...]] = (
    {"seed": "none"},
    {"rules": "trebor", "dealer": 0, "seed": "none"},
    {"rules": "trebor", "players": 4, "sides": [[0, 2], [1, 3]], "dealer": 0, "seed": "none"},
    {"rules": "trebor", "players": 4, "pack": PACK},
    {"rules": "trebor", "players": 4, "dealer": 0, "seed": "none", "pack": PACK},
    {"rules": "trebor", "players": 4, "dealer": 0, "pack": PACK[:35]},
    {"rules": "trebor", "players": 4, "dealer": 4, "seed": "none"},
    {"rules": "trebor", "players": 5, "dealer": 0, "seed": "none", "strip": ["6C"]},
    {"rules": "lots-of-kids", "players": 5, "dealer": 0, "seed": "none", "strip": ["6C", "6C"]},
    {"rules": "trebor", "players": 4, "dealer": 0, "seed": "none", "scores": [41, 0]},
    {"rules": "trebor", "players": 4, "dealer": 0, "seed": "none", "scores": [0, 0, 0]},
    {"rules": "denexa", "players": 4, "dealer": 0, "seed": "none", "three_at_a_time": True},
    {"rules": "denexa", "players": 8, "dealer": 0, "seed": "none"},
    {"rules": "whist", "players": 4, "dealer": 0, "seed": "none"},
)
"""Deals that are refused."""


def make_cases() -> dict[str, list[Case]]:
    """Make the cases of every file that is made, by the name of the file."""
    states = list_states()
    made = {
        "rulesets": _of_rulesets(),
        "states": [*_of_states([*states, *list_voids()]), *_of_hidden_cards()],
        "impossible": [*_of_impossible_states(states), *_of_impossible_rulesets()],
        "tricks": _of_tricks(),
        "hands": _of_hands(),
        "pasts": _of_pasts(),
        "deals": _of_deals(states),
        "games": _of_games(),
    }
    return {name: [{"id": f"{name}-{at}", **case} for at, case in enumerate(cases, 1)] for name, cases in made.items()}


def question(kind: str, written: Json | None = None, **body: Any) -> Case:
    """Ask the service, and return the question with its answer or its problem."""
    whole = body if written is None else {"state": written, **body}
    asked = {"kind": kind, **({"ask": body} if body else {})}
    try:
        return {**asked, "answer": leave_texts_out(kind, ask(kind, **whole))}
    except Refusal as refusal:
        errors = [{"pointer": error.pointer, "code": error.code} for error in refusal.errors]
        return {**asked, "problem": leave_problem_texts_out({"code": refusal.code, "errors": errors})}


def write_state(claim: Claim) -> Json:
    """Write a state as a request may have it, house rules without what is for people."""
    written: Json = msgspec.to_builtins(claim)
    if isinstance(claim.rules, Ruleset):
        written["rules"] = write_ruleset(claim.rules)
    return written


def _of_rulesets() -> Iterator[Case]:
    for name, ruleset in RULESETS.items():
        told = {field: value for field, value in write_ruleset(ruleset).items() if field not in _TOLD_OF_RULESETS}
        yield {"says": name, "questions": [{"kind": "rulesets", "ask": {"id": name}, "answer": told}]}


def _of_states(states: list[Named]) -> Iterator[Case]:
    for at, (says, state) in enumerate(states):
        written = write_state(to_claim(state))
        yield {"says": says, "state": written, "questions": list(_ask_about(state, written, Random(at)))}


def _ask_about(state: State, written: Json, chance: Random) -> Iterator[Case]:
    """Ask what can be asked about a state."""
    yield question("positions", written)
    yield question("scores", written)
    moves = question("legal_moves", written)
    yield moves
    if any(isinstance(hand, int) for hand in written["hands"]):
        shown = [seat for seat, hand in enumerate(written["hands"]) if not isinstance(hand, int)]
        yield question("knowledge", written, seat=chance.choice([*shown, None]))
    elif chance.random() < 0.15:
        yield question("views", written, seat=chance.randrange(len(written["hands"])))
    if state.trick:
        yield question("trick_winners", written)
    if sum(map(hand_size, state.hands)) <= _MAX_CLAIMED:
        yield from _list_claims(state, written)
    answer = moves.get("answer")
    if answer is None:
        yield from _ask_about_hidden_hand(written, chance)
    elif answer["turn"] is None:
        yield question("next_states", written, cards=[PACK[0]])
    else:
        yield from _ask_about_hand(written, answer, chance)
        yield from _ask_about_next(state, written, answer, chance)


def _ask_about_hand(written: Json, moves: Json, chance: Random) -> Iterator[Case]:
    """Play a legal card and one that is not; judge a card that is not in the hand, and another seat's turn."""
    illegal = [verdict["card"] for verdict in moves["verdicts"] if verdict["reason"]]
    held = [verdict["card"] for verdict in moves["verdicts"]]
    others = [card for card in PACK if card not in held]
    yield question("next_states", written, cards=[chance.choice(moves["legal_cards"])])
    yield question("verdicts", written, card=chance.choice(others))
    if chance.random() < 0.1:
        yield question("verdicts", written, card=chance.choice(moves["legal_cards"]))
    if illegal:
        card = chance.choice(illegal)
        yield question("verdicts", written, card=card)
        yield question("next_states", written, cards=[card])
        yield question("next_states", written, cards=[card], on_revoke="penalise")
    if chance.random() < 0.1:
        seat = (moves["turn"] + 1) % len(written["hands"])
        yield question("verdicts", written, card=moves["legal_cards"][0], seat=seat)


def _ask_about_next(state: State, written: Json, moves: Json, chance: Random) -> Iterator[Case]:
    """Play around the table, or a legal card with a penalty that the ruleset does not name."""
    if not any(isinstance(hand, int) for hand in written["hands"]) and chance.random() < 0.15:
        yield question("next_states", written, cards=_play_around(state, chance))
    if state.table.ruleset.revoke == "not_allowed" and chance.random() < 0.1:
        yield question("next_states", written, cards=moves["legal_cards"][:1], on_revoke="penalise")


def _list_claims(state: State, written: Json) -> Iterator[Case]:
    """Claim all tricks, some tricks or points, for every seat whose hand is shown, or for the first."""
    for seat in [seat for seat, hand in enumerate(state.hands) if hand > 0] or [0]:
        for body in ({}, {"tricks": 1}, {"tricks": 2}, {"points": 3}):
            yield question("claims", written, seat=seat, **body)


def _play_around(state: State, chance: Random) -> list[str]:
    """Play a card for each seat, or until the deal is over."""
    cards: list[str] = []
    while phase(state) == "playing" and len(cards) < state.table.players:
        legal = verdicts.legal_cards(state)
        if legal is None:  # a hidden hand was taken up
            break
        card = chance.choice(cards_of(legal))
        cards.append(card_code(card))
        state = play.play(state, card).state
    return cards


def _ask_about_hidden_hand(written: Json, chance: Random) -> Iterator[Case]:
    """Judge and play some cards of a hand that is hidden."""
    for card in chance.sample(PACK, 3):
        yield question("verdicts", written, card=card)
        yield question("next_states", written, cards=[card], unseen="as_held")


def _of_hidden_cards() -> Iterator[Case]:
    """Judge and play cards of hidden hands, until each outcome was seen twice."""
    found = Counter[str]()
    for state in list_hidden_turns():
        written = write_state(to_claim(state))
        questions = list[Case]()
        for card in PACK:
            played = question("next_states", written, cards=[card], unseen="as_held")
            for asked in (question("verdicts", written, card=card), played):
                outcome = _name_outcome(asked)
                if found[outcome] < 2:
                    found[outcome] += 1
                    questions.append(asked)
        if questions:
            yield {"says": "cards of a hidden hand", "state": written, "questions": questions}


def _name_outcome(asked: Case) -> str:
    """Name the outcome for a card: the refusal with its codes, or the verdict with its possible reasons."""
    if "problem" in asked:
        return f"{asked['problem']['code']} {[error['code'] for error in asked['problem']['errors']]}"
    answer = asked["answer"]
    if asked["kind"] == "next_states":
        return "played"
    possible = [each["reason"] for each in answer["possible"] or ()]
    return f"{answer['reason']} {answer['legal_cards'] is None} {possible}"


def _of_impossible_states(states: list[Named]) -> Iterator[Case]:
    """Change sound states so that they cannot be, until each fault was found often enough or is found no more."""
    chance, found = Random("impossible"), Counter[str]()
    for _ in range(_SHAKES):
        written = msgspec.json.decode(msgspec.json.encode(write_state(to_claim(chance.choice(states).state))))
        for _ in range(chance.randint(1, 2)):
            shake(written, chance)
        diagnosis = question("diagnoses", written)
        codes = {fault["code"] for fault in diagnosis["answer"]["faults"]}
        if any(found[code] < _OFTEN for code in codes) and len(diagnosis["answer"]["faults"]) < 5:
            found.update(codes)
            yield {"state": written, "questions": [diagnosis]}
    for claim in (claim_played_on(), claim_void_revoke(), claim_hidden_revoke()):
        written = write_state(claim)
        yield {"state": written, "questions": [question("diagnoses", written)]}
    for claim in islice(list_unfillable(), _OFTEN):
        written = write_state(claim)
        yield {"state": written, "questions": [question("diagnoses", written), question("positions", written)]}
    sound = write_state(to_claim(states[0].state))
    twice = sound | {"sides": [[0], [0]]}
    yield {"state": twice, "questions": [question("diagnoses", twice)]}
    yield from _of_level_scores(states)
    yield from _of_ties_at_game(states)


def _of_level_scores(states: list[Named]) -> Iterator[Case]:
    """Diagnose deals that begin with all sides level at the target: none can be the first."""
    for ruleset in RULESETS.values():
        state = next(state for _, state in states if state.table.ruleset == ruleset)
        written = write_state(to_claim(state)) | {"scores": [ruleset.target] * len(state.scores), "deal": 1}
        yield {"state": written, "questions": [question("diagnoses", written)]}
        if ruleset.winning == "highest_score":
            house = {**write_ruleset(ruleset), "id": "house", "ties": "play_on"}
            yield {
                "state": {**written, "rules": house},
                "questions": [question("diagnoses", {**written, "rules": house})],
            }


def _of_ties_at_game(states: list[Named]) -> Iterator[Case]:
    """Diagnose a second deal where ties are played off: nobody is level, or two are, below another or at the top."""
    state = next(state for _, state in states if state.table.ruleset.id == "denexa" and len(state.scores) == 4)
    written = write_state(to_claim(state)) | {"deal": 2}
    for winning in ("counting_order", "highest_score"):
        house = {**write_ruleset(RULESETS["denexa"]), "id": "house", "ties": "play_on", "winning": winning}
        for scores in ([45, 42, 0, 0], [45, 42, 42, 0], [45, 45, 42, 0]):
            claimed = {**written, "rules": house, "scores": scores}
            yield {"state": claimed, "questions": [question("diagnoses", claimed)]}


def _of_impossible_rulesets() -> Iterator[Case]:
    """Diagnose states under rulesets that cannot be."""
    state = write_state(to_claim(list_states()[0].state))
    house = {**write_ruleset(RULESETS["gamerules"]), "id": "house"}
    table: Any = house["tables"][0]
    nothing = dict.fromkeys(house["honours"], 0)
    for change in (
        {"id": "trebor"},
        {"tables": [table, table]},
        {"tables": [{**table, "cards": 13}]},
        {"tables": [{**table, "players": 5, "hands": 1, "sides": [2]}]},
        {"tables": [{**table, "sides": [2, 2]}]},
        {"tables": [{**table, "strip": ["JC"]}]},
        {"tables": [{**table, "strip": ["6C", "6C"], "cards": 5}]},
        {"tables": [{**table, "strip": ["6C"], "strip_choice": ["6D", "6H"], "cards": 5}]},
        {"tables": [{**table, "strip_choice": ["6D", "6H"]}]},
        {"honours": nothing, "card_points": "none"},
    ):
        yield {"questions": [question("diagnoses", state={**state, "rules": {**house, **change}})]}


def _of_tricks() -> Iterator[Case]:
    """Ask who wins a bare trick."""
    chance = Random("tricks")
    for _ in range(40):
        players = chance.randint(2, 8)
        cards = chance.sample(PACK, chance.randint(1, players))
        trick = {"trump": chance.choice("CDHS"), "leader": chance.randrange(players), "players": players}
        rules = {"rules": chance.choice(list(RULESETS))} if chance.random() < 0.5 else {}
        yield {"questions": [question("trick_winners", trick={**trick, "cards": cards, **rules})]}


def _of_hands() -> Iterator[Case]:
    """Judge bare hands: all their cards, and one that is not among them."""
    for at, body in enumerate(list_hands()):
        asked = [question("legal_moves", **body)]
        if not at % 8:
            other = next(card for card in PACK[at % 36 :] + PACK if card not in {*body["hand"], *body["trick"]})
            asked.append(question("verdicts", **body, card=other))
        yield {"questions": asked}
    for says, body in list_cards():
        moves = {name: value for name, value in body.items() if name != "card"}
        yield {"says": says, "questions": [question("legal_moves", **moves), question("verdicts", **body)]}
    for says, body in list_refused():
        yield {"says": says, "questions": [question("verdicts", **body)]}


def _of_pasts() -> Iterator[Case]:
    """Ask what a seat or a spectator can know from all plays of a deal, and refuse plays that do not fit."""
    for past in list_pasts():
        written = write_state(to_claim(past.state))
        asked = question("knowledge", written, seat=past.eyes, plays=past.write_plays())
        for hand in asked.get("answer", {}).get("hands", ()):
            del hand["chances"]  # which follow from the rest, and are asked of states
        yield {"says": past.says, "state": written, "questions": [asked]}


def _of_deals(states: list[Named]) -> Iterator[Case]:
    """Deal packs in a given order, for first deals and for next ones, and what cannot be dealt."""
    chance = Random("deals")
    for rules, sides in ARRANGEMENTS:
        ruleset = RULESETS[str(rules)]
        table = next(table for table in ruleset.tables if table.players == sum(map(len, sides)))
        strip = chance.sample(table.strip_choice or table.strip, len(table.strip))
        pack = chance.sample([card for card in PACK if card not in strip], 36 - len(strip))
        threes = chance.random() < 0.5
        dealer = chance.randrange(table.players + 1)
        asked = question("deals", rules=rules, sides=sides, dealer=dealer, pack=pack, three_at_a_time=threes)
        yield {"questions": [msgspec.to_builtins(asked)]}
    for body in _NO_DEALS:
        yield {"questions": [question("deals", **body)]}
    over = [state for _, state in states if not state.trick and state.played_out]
    stripped = [state for says, state in states if says in {"another six was stripped", PLAYED_OFF}]
    for state in over[::6] + stripped:
        written = write_state(to_claim(state))
        yield {"questions": [question("deals", after=written, seed=f"after-{state.deal}")]}


def _of_games() -> Iterator[Case]:
    """Adjudicate whole games, and records that depart from the rules."""
    for says, record in list_records():
        written: Json = msgspec.to_builtins(drop_defaults(record))
        if isinstance(record.rules, Ruleset):
            written["rules"] = write_ruleset(record.rules)
        yield {"says": says, "questions": [question("adjudications", **written)]}
