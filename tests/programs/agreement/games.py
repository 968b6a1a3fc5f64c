"""Random whole games, asked of the service and of the second engine card by card.

Each engine goes on from its own state: the service gets back what it gave, the second engine what it made.
"""

from random import Random
from typing import Final, NamedTuple

import msgspec
import pytest

from service.game.rulesets import RULESETS, Ruleset
from service.schemas.refusal import Refusal
from tests.programs.agreement import expected
from tests.programs.agreement.asking import Ask, ask
from tests.programs.agreement.expected import PACK, Answer
from tests.reference import engine
from tests.reference.engine import Rules, State

HOUSE_RULES: Final[dict[str, tuple[object, ...]]] = {
    "winning": ("counting_order", "highest_score", "at_once"),
    "void": ("any_card", "trump_if_able"),
    "opening_lead": ("any_card", "no_trump"),
    "card_points": ("above_share", "tricks", "none"),
    "honours": ({}, {"jack": 20, "ten": 1, "queen": 0}, dict.fromkeys(("jack", "ten", "ace", "king", "queen"), 6)),
    "ten": ("trumps", "diamonds"),
    "trump_rank": ("jack_high", "ace_high"),
    "revoke": (
        "not_allowed",
        "loss_of_game",
        "loss_of_deal",
        {"fine": 7, "to": "nobody"},
        {"fine": 20, "to": "others"},
    ),
    "target": (41, 41, 15, 60),
    "deals": (None, None, 1, 2, 3),
    "ties": ("shared", "play_on"),
}


class Game(NamedTuple):
    """The rules and the sides of a game, the random numbers that decide its course, and the way to ask the service."""

    rules: str | Rules
    ruleset: Rules
    sides: list[list[int]]
    penalise: bool
    chance: Random
    ask: Ask = ask

    @property
    def players(self) -> int:
        """The number of players."""
        return sum(len(side) for side in self.sides)

    def happens(self, once_in: int) -> bool:
        """Return True at random, `once_in` a number of times."""
        return self.chance.random() * once_in < 1


def published(rules: str, **changes: object) -> Rules:
    """A ruleset of the service as plain JSON in its full form, with these fields changed."""
    changed = msgspec.convert(msgspec.to_builtins(RULESETS[rules]) | changes, Ruleset)
    plain: Rules = msgspec.json.decode(msgspec.json.encode(changed))
    return plain


def own_rules(rules: str, players: int, **changes: object) -> Rules:
    """Rules of the players' own: one table of a ruleset, with these fields changed."""
    table = next(table for table in RULESETS[rules].tables if table.players == players)
    return published(rules, id="house", description="", sources={}, tables=[msgspec.to_builtins(table)], **changes)


def any_rules(rules: str, players: int, chance: Random) -> Rules:
    """One table of a ruleset under rules picked at random, each field by itself."""
    return own_rules(rules, players, **{name: chance.choice(kinds) for name, kinds in HOUSE_RULES.items()})


def play_game(game: Game) -> State:
    """Play a game to its end, comparing the engines at every state."""
    order, three = shuffled(game), _three_at_a_time(game)
    dealer = game.chance.randrange(game.players)
    scores = _starting_scores(game)
    first = {"rules": game.rules, "sides": game.sides, "dealer": dealer, "scores": scores}
    dealt = game.ask("deals", **first, pack=order, three_at_a_time=three)["position"]
    state = engine.deal(game.rules, game.sides, dealer, order, 1, scores, three)
    while True:
        assert dealt == expected.position(state)
        last, state = _play_deal(game, dealt, state)
        if last["phase"] == "game_over":
            return state
        order, three = shuffled(game), _three_at_a_time(game)
        dealt = game.ask("deals", after=last["state"], pack=order, three_at_a_time=three)["position"]
        state = engine.next_deal(state, order, three)


def shuffled(game: Game) -> list[str]:
    """A pack in random order, after the strip; of any choice of strip that the ruleset leaves."""
    table = next(table for table in game.ruleset["tables"] if table["players"] == game.players)
    choice = table["strip_choice"] or table["strip"]
    strip = game.chance.sample(choice, len(table["strip"]))
    order = [card for card in PACK if card not in strip]
    game.chance.shuffle(order)
    return order


def _starting_scores(game: Game) -> list[int]:
    """Nothing, or now and then what the sides bring from before."""
    most = game.ruleset["target"] - 1 if game.happens(4) else 0
    return [game.chance.randint(0, most) for _ in game.sides]


def _three_at_a_time(game: Game) -> bool:
    return bool(game.ruleset["three_at_a_time"]) and game.happens(2)


def _play_deal(game: Game, at: Answer, state: State) -> tuple[Answer, State]:
    """Play a deal until it is over; return its end as each engine has it."""
    while at["phase"] == "playing":
        at, state = compare_play(game, at, state, _choose(game, expected.reasons(state, at)))
    compare_answers(game, at, state, {})
    return at, state


def compare_play(game: Game, at: Answer, state: State, card: str) -> tuple[Answer, State]:
    """Compare all answers about a state, and what becomes of it by a card; return that as each engine has it."""
    reasons = expected.reasons(state, at)
    compare_answers(game, at, state, reasons)
    _compare_other_cards(game, at, state)
    after = engine.play(state, card, game.penalise)
    should_be = expected.position(after)
    answer = _next_state(game, at, card)
    assert answer["position"] == should_be
    assert plain_events(answer["events"]) == expected.events(state, after, should_be, card, reasons[card])
    return answer["position"], after


def _choose(game: Game, reasons: dict[str, str | None]) -> str:
    """A legal card; now and then one against the rules, where revokes are penalised."""
    if game.penalise and len(reasons) > 1 and game.happens(40):
        return game.chance.choice(list(reasons))
    return game.chance.choice([card for card, reason in reasons.items() if reason is None])


def _next_state(game: Game, at: Answer, card: str) -> Answer:
    on_revoke = "penalise" if game.penalise else "refuse"
    return game.ask("next_states", state=at["state"], cards=[card], on_revoke=on_revoke)


def compare_answers(game: Game, at: Answer, state: State, reasons: dict[str, str | None]) -> None:
    """Compare the service's answers on its own state with the second engine."""
    if game.happens(8):
        assert game.ask("positions", state=at["state"]) == at
    moves = game.ask("legal_moves", state=at["state"])
    assert (moves["turn"], moves["legal_cards"]) == (at["turn"], at["legal_cards"])
    assert {verdict["card"]: verdict["reason"] for verdict in moves["verdicts"]} == reasons
    counted = game.ask("scores", state=at["state"])
    assert (counted["phase"], counted["winners"]) == (at["phase"], at["winners"])
    assert counted["sides"] == expected.scores(state, at)


def _compare_other_cards(game: Game, at: Answer, state: State) -> None:
    """Compare the verdicts on random cards of the pack, now and then on all; play some of the illegal ones, too."""
    for card in PACK if game.happens(300) else game.chance.choices(PACK, k=game.chance.choice((0, 0, 2))):
        reason = engine.verdict(state, card)
        verdict = game.ask("verdicts", state=at["state"], card=card)
        assert (verdict["reason"], verdict["legal"]) == (reason, reason is None)
        assert verdict["legal_cards"] == at["legal_cards"]
        if reason == "not_in_hand" or (reason is not None and not game.penalise):
            _compare_refusal(game, at, card, verdict)


def _compare_refusal(game: Game, at: Answer, card: str, verdict: Answer) -> None:
    if game.happens(5):
        with pytest.raises(Refusal) as refused:
            _next_state(game, at, card)
        assert refused.value.code == "illegal_play"
        assert msgspec.json.decode(msgspec.json.encode(refused.value.fact)) == verdict


def plain_events(events: list[Answer]) -> list[Answer]:
    """The events without the texts that the second engine does not write."""
    plain = [dict(event) for event in events]
    for event in plain:
        if event["type"] == "revoked":
            event["why"] = event.pop("verdict")["reason"]
        if event["type"] == "game_won":
            event["how"] = event.pop("won_by")["how"]
    return plain
