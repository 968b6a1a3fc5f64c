"""Secrets stay secret: no answer, event, error, header or log line tells a bearer a card that it may not know yet.

At every version of random games, everything that every bearer can ask is asked, and the raw text of all answers is
searched for cards, tokens and the secrets of shuffles. What may be known is worked out from the log in the store.
"""

import logging
import re
from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec
import pytest

from service.game.cards import CODES, CardCode, mask_codes, mask_of
from service.game.fairness.commitment import commit, draw_seed_from, seed_from
from service.game.rules import game as rules_of_game
from service.game.rules.knowledge import infer_hands
from service.game.rules.record import Record
from service.game.rules.unseen import find_hidden
from service.game.rules.view import view
from service.game.rulesets import RULESETS
from service.live.entries import DealEntry, OpenEntry
from service.live.log import Game, Step, steps
from tests.support.effort import choose_effort
from tests.support.games.callers import EVERYBODY, GAMES, Bearer, Live, Table
from tests.support.games.listeners import Follow, Listener
from tests.support.http.client import Answer

CARD: Final = re.compile(r"(?<![\w-])([6-9TJQKA][CDHS])(?![\w-])")
PUBLIC: Final = re.compile(r'"draw":\[\[.*?\]\]|"strip":\[.*?\]')
"""The fields with cards that all may know: those drawn for the first deal, and the strip, shown with the proof."""
ROOM: Final = (
    ("trebor", 4, "penalise"),
    ("gamerules", 2, "refuse"),
    ("gamerules", 3, "refuse"),
    ("take-ten", 2, "refuse"),
    ("take-ten", 5, "refuse"),
    ("lots-of-kids", 5, "refuse"),
    ("denexa", 7, "refuse"),
    ("french-whist", 8, "penalise"),
)


class Spy:
    """All answers to the bearers of one game, and the cards that they may know."""

    def __init__(self, table: Table, follow: Follow, chance: Random) -> None:
        self.table = table
        self.chance = chance
        self.streams: dict[Bearer, Listener] = {bearer: follow(table, bearer) for bearer in self.bearers}
        self.read: dict[Bearer, int] = dict.fromkeys(self.bearers, 0)

    @property
    def bearers(self) -> tuple[Bearer, ...]:
        return (*self.table.seats, *EVERYBODY)

    def steps(self) -> list[Step]:
        lines = self.table.live.run(self.table.live.store.load(self.table.opened.id)).entries
        return list(steps(lines))

    def look(self) -> None:
        """Send all possible requests, and search the answers."""
        course = self.steps()
        game = course[-1].game
        forbidden = {*self.table.secrets, *secrets_of(course)}
        for bearer in self.bearers:
            cards = known_cards(game, bearer)
            for asked, answer in self.ask(bearer, game):
                assert_tells_only(raw(answer), cards | asked, forbidden)
            assert_tells_only(self.heard(bearer, game.version), cards, forbidden)

    def ask(self, bearer: Bearer, game: Game) -> Iterator[tuple[set[CardCode], Answer]]:
        """Ask as a bearer; with each answer come the cards that the question named."""
        table, version = self.table, game.version
        yield set(), table.call(bearer, "GET")
        yield set(), table.call(bearer, "GET", f"/changes?after={table.revision(version - 1)}")
        token = (
            {} if bearer is None else {"token": table.opened.host_token if bearer == "host" else table.tokens[bearer]}
        )
        yield set(), table.live.call("POST", "/v1/my-games", {"games": [{"id": table.opened.id, **token}]})
        if game.state is None or game.state.seat_to_play != bearer:
            card = self.chance.choice(CODES)
            yield {card}, table.play(bearer, card, self.chance.choice((version, version - 1)))
        if self.chance.random() < 0.1:
            yield from self.ask_more(bearer, version)

    def ask_more(self, bearer: Bearer, version: int) -> Iterator[tuple[set[CardCode], Answer]]:
        """Ask what cannot be or is no use."""
        table = self.table
        yield set(), table.call(None if bearer == "host" else bearer, "DELETE")
        yield set(), table.live.call("GET", table.path, headers=(("if-none-match", f'"{table.revision(version)}"'),))
        yield set(), table.call(bearer, "POST", "/deals", {}, version + 1)
        yield set(), table.call(bearer, "POST", "/plays", {"cards": 1}, version)
        yield set(), table.call(None if bearer == "host" else bearer, "POST", f"/seats/{len(table.seats)}/tokens")
        record = table.call(bearer, "GET", "/record")
        course = self.steps()
        if in_play(course[-1].game):
            yield set(), table.stir(bearer, "never-added")
        assert len(record.read(Record).deals) == len(course[-1].game.shuffles) - in_play(course[-1].game)
        yield set(CODES), record  # every card lay open in the deals that are over
        wrong = (("authorization", "Bearer " + "A" * 43),)
        for path in ("", "/record", "/events", "/changes"):
            yield set(), table.live.call("GET", table.path + path, headers=wrong)

    def heard(self, bearer: Bearer, version: int) -> str:
        """Return what the stream of a bearer has said since it was last asked."""
        stream = self.streams[bearer]
        stream.hear_version(version)
        text = stream.text[self.read[bearer] :].decode()
        self.read[bearer] = len(stream.text)
        return text


def raw(answer: Answer) -> str:
    """Write an answer out as it goes over the wire."""
    head = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
    return f"{answer.status}\n{head}\n\n{answer.body.decode()}"


def known_cards(game: Game, bearer: Bearer) -> set[CardCode]:
    """Return the cards that a bearer may see: its own hand in play, the open cards, and those that follow."""
    state = game.state
    if state is None:
        return set()
    cards = mask_of((*state.trick, state.turn_up))
    for pile in state.taken:
        cards |= pile
    if isinstance(bearer, int):
        cards |= state.hands[bearer]
    eyes = bearer if isinstance(bearer, int) else None
    inferred = infer_hands(find_hidden(view(state, eyes)), eyes)
    sure = mask_of(tuple(card for hand in inferred for card, _ in hand.must_hold))
    return set(mask_codes(cards | sure))


def secrets_of(course: list[Step]) -> set[str]:
    """List the secrets of a game that nobody may know yet: of the deal in play, the next one, and the draw."""
    opened, game = course[0].game.opened, course[-1].game
    secrets = [entry.secret for entry in (step.entry for step in course) if isinstance(entry, OpenEntry | DealEntry)]
    over = len(game.shuffles) - in_play(game)
    hidden = set(secrets[over:])
    seeds = {seed_from(parts.secret, parts.entropy) for parts in game.shuffles[over:]}
    assert game.secret in hidden
    drawn = draw_seed_from(opened.secret)
    return {*hidden, *seeds, drawn, opened.host.hex(), *(seat.hex() for seat in opened.seats)}


def in_play(game: Game) -> bool:
    return game.state is not None and rules_of_game.phase(game.state, rules_of_game.won(game.state)) == "playing"


def assert_tells_only(text: str, cards: set[CardCode], forbidden: set[str]) -> None:
    told = set(CARD.findall(PUBLIC.sub("", text)))
    assert told <= cards, (told - cards, text)
    assert not [secret for secret in forbidden if secret in text], text


@pytest.mark.parametrize(("rules", "players", "on_revoke"), ROOM[:: choose_effort(daily=3, nightly=1)])
def test_nobody_is_told_what_it_may_not_know_yet(
    live: Live,
    follow: Follow,
    chance: Random,
    caplog: pytest.LogCaptureFixture,
    rules: str,
    players: int,
    on_revoke: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    table = live.open(rules, players, on_revoke=on_revoke)
    spy = Spy(table, follow, chance)
    spy.look()
    table.stir(0, "mine")
    table.deal()
    spy.look()
    while table.phase() == "playing":
        play_or_err(spy)
        spy.look()
    table.deal()
    spy.look()
    public = caplog.text + table.live.call("GET", "/metrics").body.decode()
    assert_tells_only(public, set(), {*table.secrets, table.opened.id, *secrets_of(spy.steps())})


def play_or_err(spy: Spy) -> None:
    """Play a card; before it, now and then, one that may not be played, and after it the same again."""
    table, chance = spy.table, spy.chance
    turn = table.turn()
    game = spy.steps()[-1].game
    illegal = sorted(set(CODES) - set(turn.hand))
    if game.opened.on_revoke == "refuse":
        illegal += sorted(set(turn.hand) - set(turn.legal))
    card = chance.choice(illegal)
    refused = table.play(turn.seat, card, turn.version)
    assert_tells_only(raw(refused), {card, *known_cards(game, turn.seat)}, secrets_of(spy.steps()))
    # Late in a deal the penalised revoke, if there is one to be made.
    wrong = sorted(set(turn.hand) - set(turn.legal)) if len(turn.hand) < 4 else []
    card = wrong[0] if wrong and game.opened.on_revoke == "penalise" else chance.choice(turn.legal)
    for _ in range(2):
        made = table.play(turn.seat, card, turn.version)
        assert made.status == 200
        course = spy.steps()
        assert_tells_only(raw(made), known_cards(course[-1].game, turn.seat), {*table.secrets, *secrets_of(course)})


def test_a_commitment_is_shown_before_its_deal_and_opened_after_it(live: Live, chance: Random) -> None:
    table = live.open("french-whist", 3)  # no first deal of it can win: 36 at most
    promised: list[str] = []
    for deal in range(2):
        promised.append(table.see().shuffles[deal].commitment)
        table.deal()
        shown = table.see(0).shuffles
        assert [shuffle.commitment for shuffle in shown[: deal + 1]] == promised
        assert [shuffle.proof is not None for shuffle in shown] == [True] * deal + [False] * 2
        table.play_deal(chance)
    for promise, shuffle in zip(promised, table.see().shuffles, strict=False):
        assert shuffle.proof is not None
        assert commit(shuffle.proof.secret) == promise == shuffle.proof.commitment


def test_tokens_and_ids_never_repeat(live: Live) -> None:
    tables = [live.open(players=8) for _ in range(50)]
    secrets = [secret for table in tables for secret in (*table.secrets, table.opened.id)]
    assert len(set(secrets)) == len(secrets)


def test_a_token_in_the_url_is_not_looked_at_and_not_repeated(live: Live) -> None:
    table = live.open()
    for path in (f"{table.path}?token={table.secrets[0]}", f"{GAMES}?token={table.secrets[0]}"):
        assert table.secrets[0] not in raw(live.call("GET", path))
    assert live.call("GET", f"{table.path}?token={table.secrets[0]}").status == 200


def test_a_house_ruleset_with_card_names_in_it_is_shown_as_it_came(live: Live) -> None:
    house = msgspec.structs.replace(RULESETS["denexa"], id="house", name="The game of AS and TH")
    assert live.open(house).see().rules == house
