"""The outcome of a request, decided on a game without a store: an entry, a repetition, or a refusal."""

import asyncio
from typing import Final

import pytest
from msgspec.structs import replace

from service.game.cards import cards_of
from service.game.rules.verdicts import legal_cards
from service.live.changes import MAX_ATTEMPTS, change
from service.live.decisions import (
    Append,
    Applied,
    Decision,
    Repeat,
    decide_computer,
    decide_deal,
    decide_entropy,
    decide_play,
    decide_rematch,
    decide_renewal,
    decide_resignation,
)
from service.live.entries import (
    ComputerEntry,
    DealEntry,
    EntropyEntry,
    Entry,
    OpenEntry,
    PlayEntry,
    RematchEntry,
    ResignEntry,
    TokenEntry,
    write_entry,
)
from service.live.log import Game, Step, advance, open_game
from service.live.repository import Repository
from service.live.store.memory import MemoryStore
from service.live.tokens import derive_token, hash_token
from service.live.views import view_change
from service.schemas.ids import NOBODY, Caller, GameId, Key, Salt, Token
from service.schemas.refusal import ProblemCode, Refusal
from service.schemas.revision import NO_REVISION, Revision

ONE, TWO, HOST = map(Token, ("one", "two", "host"))
TOKENS: Final = (ONE, TWO)
OPENED: Final = open_game(
    write_entry(
        OpenEntry(
            "denexa",
            ((0,), (1,)),
            "refuse",
            60,
            False,
            1,
            "0" * 64,
            hash_token(HOST),
            tuple(map(hash_token, TOKENS)),
        ),
        b"nonce.",
        0,
    )
)


def after(game: Game, entry: Entry) -> Step:
    return advance(game, entry, write_entry(entry, b"nonce.", 1))


DEALT: Final = after(OPENED, DealEntry(0, threes=False, secret="1" * 64)).game
assert DEALT.state is not None
TURN: Final = DEALT.state.seat_to_play
LEGAL: Final = cards_of(legal_cards(DEALT.state) or 0)
PLAYED: Final = after(DEALT, PlayEntry(TURN, LEGAL[0]))
RESIGNED: Final = after(DEALT, ResignEntry(0)).game
STIRRED_AND_DEALT: Final = after(
    after(OPENED, EntropyEntry(1, "x")).game, DealEntry(0, threes=False, secret="1" * 64)
).game
KEY: Final = Key("a key")
NEXT: Final = GameId("next")
NEW: Final = derive_token(Token("void by now"), KEY, Salt(b"salt"))
RENEWAL: Final = TokenEntry(1, hash_token(NEW), b"request", Salt(b"salt"))


def deal(game: Game, token: Token | None, revision: Revision | None = None) -> Decision:
    return decide_deal(game, token, revision, None, threes=False, secret="2" * 64)


@pytest.mark.parametrize(
    ("decided", "entry", "role"),
    [
        (decide_entropy(OPENED, TWO, "x"), EntropyEntry(1, "x"), 1),
        (deal(OPENED, HOST, OPENED.revision), DealEntry(0, threes=False, secret="2" * 64), "host"),
        (deal(OPENED, TWO, OPENED.revision), DealEntry(0, threes=False, secret="2" * 64), 1),
        (decide_play(DEALT, TOKENS[TURN], DEALT.revision, LEGAL[0]), PlayEntry(TURN, LEGAL[0]), TURN),
        (decide_resignation(DEALT, HOST, DEALT.revision, 1), ResignEntry(1), "host"),
        (decide_resignation(DEALT, ONE, DEALT.revision, None), ResignEntry(0), 0),
        (decide_renewal(OPENED, HOST, KEY, RENEWAL, 0), RENEWAL, "host"),
        (decide_computer(OPENED, ONE, OPENED.revision, ComputerEntry(0, "easy"), 0), ComputerEntry(0, "easy"), 0),
        (
            decide_computer(DEALT, ONE, DEALT.revision, ComputerEntry(1, "medium"), 0, 120.0),
            ComputerEntry(1, "medium"),
            0,
        ),
        (decide_rematch(RESIGNED, ONE, NEXT, 0), RematchEntry(NEXT), 0),
        (decide_rematch(RESIGNED, HOST, NEXT, 0), RematchEntry(NEXT), "host"),
    ],
)
def test_what_is_right_becomes_an_entry(decided: Decision, entry: Entry, role: object) -> None:
    assert isinstance(decided, Append)
    assert (decided.entry, decided.role) == (entry, role)


@pytest.mark.parametrize(
    ("decided", "step"),
    [
        (decide_entropy(STIRRED_AND_DEALT, TWO, "x"), after(OPENED, EntropyEntry(1, "x"))),
        (
            decide_entropy(after(OPENED, EntropyEntry(1, "x")).game, TWO, "x"),
            after(OPENED, EntropyEntry(1, "x")),
        ),
        (deal(DEALT, HOST, OPENED.revision), after(OPENED, DealEntry(0, threes=False, secret="1" * 64))),
        (decide_play(PLAYED.game, TOKENS[TURN], DEALT.revision, LEGAL[0]), PLAYED),
        (decide_resignation(PLAYED.game, ONE, DEALT.revision, None), after(DEALT, ResignEntry(0))),
        (
            decide_computer(PLAYED.game, ONE, DEALT.revision, ComputerEntry(0, "easy"), 0),
            after(DEALT, ComputerEntry(0, "easy")),
        ),
        (decide_renewal(after(OPENED, RENEWAL).game, Token("void by now"), KEY, RENEWAL, 0), after(OPENED, RENEWAL)),
    ],
)
def test_what_may_have_been_done_is_answered_by_the_same_change_and_no_other(decided: Decision, step: Step) -> None:
    assert isinstance(decided, Repeat)
    assert decided.is_same(step)
    assert not decided.is_same(after(DEALT, PlayEntry(TURN, LEGAL[1])))


def test_a_seat_that_is_as_it_shall_be_is_left() -> None:
    decided = decide_computer(DEALT, ONE, DEALT.revision, ComputerEntry(0, None), 0)
    assert isinstance(decided, Applied)
    assert (decided.step.game, decided.repeated) == (DEALT, True)
    change = view_change(decided.step, 0)
    assert (change.version, change.events, change.shuffles) == (str(DEALT.revision), (), ())
    assert isinstance(decide_computer(DEALT, ONE, OPENED.revision, ComputerEntry(0, None), 0), Repeat)


SEATED: Final = after(OPENED, ComputerEntry(0, "easy")).game


@pytest.mark.parametrize(
    ("decided", "code"),
    [
        (decide_entropy(OPENED, HOST, "x"), "wrong_token"),
        (decide_entropy(OPENED, None, "x"), "token_missing"),
        (decide_entropy(after(OPENED, EntropyEntry(0, "y")).game, ONE, "x"), "entropy_given"),
        (decide_entropy(DEALT, ONE, "x"), "deal_not_over"),
        (decide_entropy(STIRRED_AND_DEALT, TWO, "y"), "deal_not_over"),
        (deal(OPENED, ONE, OPENED.revision), "wrong_token"),
        (deal(OPENED, Token("three")), "unknown_token"),
        (deal(OPENED, HOST), "version_needed"),
        (deal(OPENED, HOST, NO_REVISION), "bad_version"),
        (deal(DEALT, HOST, DEALT.revision), "deal_not_over"),
        (deal(RESIGNED, HOST, RESIGNED.revision), "game_over"),
        (decide_play(OPENED, ONE, None, 0), "version_needed"),
        (decide_play(OPENED, ONE, OPENED.revision, 0), "not_dealt"),
        (decide_play(DEALT, TOKENS[1 - TURN], DEALT.revision, LEGAL[0]), "not_your_turn"),
        (decide_play(RESIGNED, ONE, RESIGNED.revision, 0), "game_over"),
        (
            decide_play(replace(DEALT, computers=("easy", "easy")), TOKENS[TURN], DEALT.revision, 0),
            "computer_plays",
        ),
        (decide_resignation(DEALT, ONE, None, None), "version_needed"),
        (decide_resignation(OPENED, ONE, OPENED.revision, None), "not_dealt"),
        (decide_resignation(DEALT, HOST, None, None), "invalid_body"),
        (decide_resignation(DEALT, HOST, None, 2), "impossible_request"),
        (decide_resignation(DEALT, ONE, None, 1), "wrong_token"),
        (decide_renewal(OPENED, ONE, KEY, RENEWAL, 0), "wrong_token"),
        (
            decide_renewal(after(OPENED, RENEWAL).game, Token("void by now"), KEY, replace(RENEWAL, name="Another"), 0),
            "idempotency_key_reused",
        ),
        (decide_computer(OPENED, HOST, OPENED.revision, ComputerEntry(5, "easy"), 0), "not_found"),
        (decide_computer(OPENED, HOST, None, ComputerEntry(0, None), 0), "version_needed"),
        (decide_computer(SEATED, HOST, SEATED.revision, ComputerEntry(1, "easy"), 0), "impossible_request"),
        (decide_computer(DEALT, ONE, DEALT.revision, ComputerEntry(1, "medium"), 0, 119.9), "not_away"),
        (decide_computer(DEALT, ONE, DEALT.revision, ComputerEntry(1, "hard"), 0, 120.0), "impossible_request"),
        (decide_computer(DEALT, None, DEALT.revision, ComputerEntry(1, "medium"), 0, 120.0), "token_missing"),
        (decide_computer(SEATED, TWO, SEATED.revision, ComputerEntry(0, "medium"), 0, 120.0), "wrong_token"),
        (decide_computer(SEATED, TWO, SEATED.revision, ComputerEntry(0, None), 0), "wrong_token"),
        (decide_rematch(RESIGNED, None, NEXT, 0), "token_missing"),
        (decide_rematch(DEALT, ONE, NEXT, 0), "game_not_over"),
    ],
)
def test_what_is_wrong_is_refused(decided: Decision, code: ProblemCode) -> None:
    assert isinstance(decided, Refusal)
    assert decided.code == code


class Forestalled(MemoryStore):
    """A store in which each change comes too late: another one has just been made."""

    appends = 0

    async def append(
        self, game: GameId, version: int, entry: bytes, ttl: int, after: bytes, owner: Caller = NOBODY
    ) -> bool:
        self.appends += 1
        other = write_entry(TokenEntry(0, b"", b"", Salt(b"")), b"nonce.", self.appends)
        await super().append(game, version, other, ttl, after)
        return await super().append(game, version, entry, ttl, after)


def test_a_change_that_always_comes_too_late_is_given_up(runner: asyncio.Runner) -> None:
    store = Forestalled(9, 2**20)
    runner.run(store.create(GameId("game"), OPENED.raw, 60))
    with pytest.raises(Refusal) as refusal:
        runner.run(change(Repository(store), lambda: 0, GameId("game"), lambda game: decide_entropy(game, TWO, "x")))
    assert (refusal.value.code, store.appends) == ("too_busy", MAX_ATTEMPTS)
