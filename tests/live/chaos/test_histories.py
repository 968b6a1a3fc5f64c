"""Games under failures of every kind: what callers and streams were told is what the store has at the end.

The long run is `python -m tests.programs.chaos.histories`.
"""

from pathlib import Path
from typing import Final

import pytest

from service.live.entries import DealEntry, OpenEntry, PlayEntry, write_entry
from service.live.log import Step, steps
from tests.programs.chaos.histories.history import DEALT, Change, Findings, History, Message, Session, check
from tests.programs.chaos.histories.run import Plan, Topology, run

PLAN: Final = Plan(failovers=2, kills=1, plays=60, replicas=1, processes=2, chairs=4, pause=0.05, quiet=0.2)
GAME: Final = "a"


def test_with_a_replica_nothing_acknowledged_is_lost_and_nothing_shown_is_taken_back(tmp_path: Path) -> None:
    outcome = run(PLAN, tmp_path)
    print(outcome)
    assert outcome.findings == Findings([], [], [])
    assert outcome.shown_anew == 0


@pytest.mark.parametrize(("topology", "replicas"), [("servers", 2), ("sentinels", 2), ("cluster", 1), ("cluster", 2)])
def test_with_each_topology_nothing_acknowledged_is_lost(tmp_path: Path, topology: Topology, replicas: int) -> None:
    outcome = run(PLAN._replace(topology=topology, replicas=replicas, failovers=1), tmp_path)
    print(outcome)
    assert outcome.findings == Findings([], [], [])


@pytest.mark.parametrize("topology", ["servers", "sentinels", "cluster"])
def test_a_planned_failover_loses_nothing_though_no_replica_is_awaited(tmp_path: Path, topology: Topology) -> None:
    outcome = run(PLAN._replace(topology=topology, replicas=0, failovers=1, kills=0, planned=1.0), tmp_path)
    print(outcome)
    assert outcome.done == {"hand_over": 1}
    assert outcome.findings == Findings([], [], [])


def test_without_replicas_what_is_lost_is_mended_in_every_stream(tmp_path: Path) -> None:
    outcome = run(PLAN._replace(replicas=0), tmp_path)
    print(outcome)
    assert outcome.findings.wrong == []


def _log(*nonces: int) -> list[Step]:
    """Make the log of a game of two: opened, dealt, and one card played, each entry with a nonce."""
    opened = OpenEntry("denexa", ((0,), (1,)), "refuse", 60, True, 1, "0" * 64, b"", (b"", b""))
    begun = [write_entry(opened, bytes(6), 0), write_entry(DealEntry(0, threes=False, secret="1" * 64), bytes(6), 0)]
    *_, dealt = steps(begun)
    assert dealt.game.state is not None
    card = min(at for at in range(36) if dealt.game.state.hands[0] >> at & 1)
    return list(steps([*begun, *(write_entry(PlayEntry(0, card), bytes([nonce] * 6), 0) for nonce in nonces)]))


KEPT: Final = _log(1)
CARD: Final = next(("played", step.entry.seat, step.entry.card) for step in KEPT if isinstance(step.entry, PlayEntry))
IDS: Final = [str(step.game.revision) for step in KEPT]
OTHER: Final = str(_log(2)[-1].game.revision)
PLAYED: Final = Change(GAME, IDS[1], IDS[2], CARD)
ANEW: Final = Message("game", IDS[2])
WHOLE: Final = (Message("game", IDS[0]), Message("change", IDS[1], DEALT), Message("change", IDS[2], CARD))


def _check(*messages: Message, acknowledged: tuple[Change, ...] = (PLAYED,)) -> Findings:
    history, session = History(), Session(GAME)
    history.acknowledged.update(acknowledged)
    history.sessions.append(session)
    for message in messages:
        session.take(message)
    return check(history, {GAME: KEPT})


@pytest.mark.parametrize("messages", [WHOLE, (ANEW,), (*WHOLE[:2], ANEW), (*WHOLE, Message("gone"), ANEW)])
def test_a_history_that_can_be_true_is_found_to_be(messages: tuple[Message, ...]) -> None:
    assert _check(*messages) == Findings([], [], [])


def test_a_change_that_is_not_kept_was_lost_and_what_was_shown_of_it_taken_back() -> None:
    lost = PLAYED._replace(after=OTHER)
    findings = _check(*WHOLE[:2], Message("change", OTHER, CARD), ANEW, acknowledged=(PLAYED, lost))
    assert findings == Findings([lost], [(GAME, OTHER)], [])


@pytest.mark.parametrize(
    ("messages", "wrong"),
    [
        (WHOLE[:2], "stays at"),
        ((*WHOLE[:2], Message("change", OTHER, CARD)), "stays at"),
        ((*WHOLE, Message("gone")), "stays at an end"),
        ((WHOLE[0], WHOLE[2]), "a gap"),
        ((*WHOLE, WHOLE[2]), "a gap"),
        (WHOLE[1:], "a gap"),
        ((*WHOLE[:2], Message("change", OTHER, CARD), WHOLE[2]), "a gap"),
        ((*WHOLE[:2], Message("change", IDS[2], ("played", 1, 0))), "in two ways"),
        ((WHOLE[0], Message("change", f"{IDS[1][:-1]}x", DEALT), WHOLE[2]), "in two ways"),
    ],
)
def test_a_stream_that_cannot_be_true_is_found(messages: tuple[Message, ...], wrong: str) -> None:
    assert any(wrong in found for found in _check(*messages).wrong)


@pytest.mark.parametrize(
    "told", [PLAYED._replace(content=("played", 1, 0)), PLAYED._replace(before=IDS[0]), PLAYED._replace(content=DEALT)]
)
def test_an_acknowledgement_of_something_else_is_found(told: Change) -> None:
    assert any("in two ways" in found for found in _check(*WHOLE, acknowledged=(told,)).wrong)


@pytest.mark.parametrize("kept", [0, 1])
def test_a_game_that_is_not_dealt_or_not_there_any_more_is_sound(kept: int) -> None:
    assert check(History(), {GAME: KEPT[:kept]}) == Findings([], [], [])


def test_a_game_in_which_a_card_is_played_twice_is_found() -> None:
    history = History()
    assert any("irregular" in found for found in check(history, {GAME: _log(1, 2)}).wrong)
