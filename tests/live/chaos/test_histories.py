"""Games under failures of every kind: answers and streams agree with the final store.

The long run is `python -m tests.programs.chaos.histories`.
"""

from pathlib import Path
from typing import Final

import pytest

from service.live.entries import (
    AbsentPlayEntry,
    DealEntry,
    Entry,
    OpenEntry,
    PlayEntry,
    TakeBackEntry,
    TokenEntry,
    write_entry,
)
from service.live.log import steps
from service.live.tokens import hash_token
from service.schemas.ids import Salt, Token
from tests.programs.chaos.histories.history import Change, Content, History, Message, Session
from tests.programs.chaos.histories.judge import PACK, find_wrong_games, is_unnamed, judge, name, walk
from tests.programs.chaos.histories.run import Plan, Topology, run

PLAN: Final = Plan(failovers=2, kills=1, plays=60, replicas=1, processes=2, chairs=4, pause=0.05, quiet=0.2)
GAME: Final = "a"


@pytest.mark.nightly
def test_with_a_replica_nothing_acknowledged_is_lost_and_nothing_shown_is_taken_back(tmp_path: Path) -> None:
    outcome = run(PLAN, tmp_path)
    print(outcome)
    assert outcome.findings == []
    assert outcome.shown_anew == 0


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("topology", "replicas"),
    [("servers", 2), ("sentinels", 1), ("sentinels", 2), ("cluster", 1), ("cluster", 2)],
)
def test_with_each_topology_nothing_acknowledged_is_lost(tmp_path: Path, topology: Topology, replicas: int) -> None:
    plan = PLAN._replace(topology=topology, replicas=replicas, planned=0.0, short_games=2, finished=20)
    outcome = run(plan, tmp_path)
    print(outcome)
    assert outcome.done.keys() >= {"replace_dead", "replace_alive"}
    assert outcome.finished >= plan.finished
    assert outcome.findings == []


@pytest.mark.nightly
@pytest.mark.parametrize("topology", ["servers", "sentinels", "cluster"])
def test_a_planned_failover_loses_nothing_though_no_replica_is_awaited(tmp_path: Path, topology: Topology) -> None:
    outcome = run(PLAN._replace(topology=topology, replicas=0, failovers=1, kills=0, planned=1.0), tmp_path)
    print(outcome)
    assert outcome.done == {"hand_over": 1}
    assert outcome.findings == []


@pytest.mark.nightly
def test_without_replicas_what_is_lost_is_mended_in_every_stream(tmp_path: Path) -> None:
    outcome = run(PLAN._replace(replicas=0), tmp_path)
    print(outcome)
    assert outcome.findings == []


TOKENS: Final = tuple(hash_token(Token(each)) for each in ("zero", "one"))
OPENED: Final = OpenEntry(
    "denexa", ((0,), (1,)), "refuse", 60, True, 1, "0" * 64, b"", TOKENS, move_seconds=5, take_back=True
)
DEAL: Final = DealEntry(0, threes=False, secret="1" * 64)


def _log(*made: tuple[Entry, int]) -> list[bytes]:
    """Write a log, each entry at a second."""
    return [write_entry(entry, bytes([at]) * 6, 1000 * at) for entry, at in made]


BEGUN: Final[list[tuple[Entry, int]]] = [(OPENED, 0), (DEAL, 1)]
*_, _DEALT = steps(_log(*BEGUN))
assert _DEALT.game.state is not None
HANDS: Final = _DEALT.game.state.hands
FIRST, SECOND = (min(at for at in range(36) if HANDS[seat] >> at & 1) for seat in (0, 1))
KEPT: Final = _log(*BEGUN, (PlayEntry(0, FIRST), 2))
IDS: Final = [name(at, raw) for at, raw in enumerate(KEPT, 1)]
OTHER: Final = name(3, _log(*BEGUN, (PlayEntry(0, FIRST), 3))[-1])
CARD: Final[Content] = ("played", 0, PACK[FIRST])
PLAYED: Final = Change(GAME, IDS[1], IDS[2], CARD, "zero")
DEALT: Final = Message("change", IDS[1], ("dealt",))
RENEWED: Final = TokenEntry(0, TOKENS[1], b"request", Salt(b"salt"))
LAST: Final = Message("change", IDS[2], CARD)
WHOLE: Final = (Message("game", IDS[0]), DEALT, LAST)


def test_a_renewal_whose_request_arrives_again_after_another_one_is_no_fault() -> None:
    late = [(RENEWED, 2), (TokenEntry(0, TOKENS[0], b"another", Salt(b"salt")), 3), (RENEWED, 4)]
    assert walk(_log(*BEGUN, *late), {("dealt",), ("token_renewed", 0)}, set())[1] == []


def _judge(kept: list[bytes], *messages: Message, told: Change = PLAYED) -> list[str]:
    history, session = History(lossless=True), Session(GAME)
    history.asked[GAME] |= {("dealt",), CARD, ("back", 0), ("back", 1)}
    history.acknowledged[told] = None
    history.sessions.append(session)
    for message in messages:
        session.take(message)
    return judge(history, {GAME: kept})


@pytest.mark.parametrize(
    "messages", [WHOLE, (), (Message("game", IDS[2]),), (*WHOLE, Message("gone"), Message("game", IDS[2]))]
)
def test_a_history_that_can_be_true_is_found_to_be(messages: tuple[Message, ...]) -> None:
    assert _judge(KEPT, *messages) == []


@pytest.mark.parametrize(
    ("messages", "wrong"),
    [
        ((WHOLE[0], LAST), "a gap"),
        ((*WHOLE, LAST), "a gap"),
        (WHOLE[1:], "a gap"),
        ((*WHOLE[:2], LAST._replace(content=("played", 1, "6C"))), "in two ways"),
        ((*WHOLE[:2], LAST._replace(id=OTHER)), "taken back"),
    ],
)
def test_a_stream_that_cannot_be_true_is_found(messages: tuple[Message, ...], wrong: str) -> None:
    assert any(wrong in found for found in _judge(KEPT, *messages))


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        (PLAYED._replace(after=OTHER), "lost"),
        (PLAYED._replace(content=("dealt",)), "in two ways"),
        (PLAYED._replace(before=IDS[0]), "in two ways"),
        (PLAYED._replace(token="one"), "acknowledged to"),
    ],
)
def test_an_acknowledgement_of_something_else_is_found(told: Change, wrong: str) -> None:
    assert any(wrong in found for found in _judge(KEPT, told=told))


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        ([(PlayEntry(1, SECOND), 2)], "out of turn"),
        ([(PlayEntry(0, SECOND), 2)], "not_in_hand"),
        ([(PlayEntry(0, FIRST), 2), (PlayEntry(1, SECOND), 3)], "asked for by nobody"),
        ([(AbsentPlayEntry(0, FIRST), 4)], "too soon"),
        ([(DEAL, 2)], "not over"),
        ([(TakeBackEntry(0), 2)], "out of turn"),
        ([(PlayEntry(0, FIRST), 2), (TakeBackEntry(0), 3), (PlayEntry(0, FIRST), 4)], "out of turn"),
        ([(RENEWED, 2), (RENEWED, 3)], "renewed twice"),
    ],
)
def test_a_log_against_the_rules_is_found(made: list[tuple[Entry, int]], wrong: str) -> None:
    assert any(wrong in found for found in _judge(_log(*BEGUN, *made)))


SHOWN: Final = {"id": GAME, "version": "9-00000000", "outcome": "won"}


def test_a_feed_that_tells_of_each_game_once_as_it_ended_is_right() -> None:
    assert [*find_wrong_games({GAME: "9-00000000"}, [SHOWN], {GAME: "won"})] == []


@pytest.mark.parametrize(
    ("finished", "feed", "wrong"),
    [
        ({GAME: ""}, [], "not in the feed"),
        ({}, [SHOWN], "goes on"),
        ({GAME: "8-00000000"}, [SHOWN], "it ended at 8-00000000"),
        ({GAME: ""}, [SHOWN, SHOWN], "2 times in the feed"),
        ({GAME: ""}, [SHOWN | {"outcome": "deleted"}], "but it was won"),
    ],
)
def test_a_feed_that_cannot_be_true_is_found(finished: dict[str, str], feed: list[dict[str, str]], wrong: str) -> None:
    (found,) = find_wrong_games(finished, feed, {GAME: "won"})
    assert wrong in found


def test_only_an_abandoned_game_that_nobody_has_changed_may_be_without_a_name() -> None:
    ends = [("abandoned", "1-00000000"), ("abandoned", "2-00000000"), ("deleted", "1-00000000")]
    assert [is_unnamed({"outcome": how, "version": version}) for how, version in ends] == [True, False, False]
