"""One row: serve with its settings, play a game by its client, and hold every answer to the second engine."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import Final

import msgspec
from msgspec import structs

from service.game.notation.record import format_record
from service.game.rules.record import Record
from tests.game.fairness.test_proofs import dealt, shown
from tests.programs.agreement import expected
from tests.programs.agreement.asking import Json
from tests.programs.agreement.games import Game, compare_answers, compare_play, published
from tests.programs.agreement.hidden_records import compare_adjudication
from tests.programs.agreement.walks import Follower
from tests.programs.pairwise import curl, node, python_client
from tests.programs.pairwise.caller import RECORD_TEXT, Caller, Questioner
from tests.programs.pairwise.deployment import deployed
from tests.programs.pairwise.factors import Row
from tests.programs.pairwise.opening import draw_opening
from tests.programs.pairwise.playing import Bearer, Opened, Played, Seen, Table, bearers_of, seen_of
from tests.programs.pairwise.replay import Replay
from tests.programs.pairwise.settings_checks import (
    check_counts,
    check_keys,
    check_log,
    check_metrics,
    check_origins,
    read_metrics,
    spend_quota,
)
from tests.reference import engine

GAMES: Final = 5
"""Games of a row at most: one may be won before anybody holds an illegal card, or resigns."""


def run_row(row: Row, folder: Path) -> None:
    """Make the journey of a row.

    Errors: AssertionError, or any other, for what is wrong.
    """
    chance = Random(str(row))
    with deployed(row, folder) as deployment:
        caller, other = Caller(deployment), Caller(deployment, 1)
        check_keys(caller)
        check_origins(caller)
        for _ in range(GAMES):
            if _play_and_check(caller, draw_opening(row, chance), chance):
                break
        else:
            raise AssertionError("no game had an illegal card, or was resigned")
        check_opening_again(caller, other, draw_opening(row, chance))
        spend_quota(caller, other)
        check_counts(deployment)
        caller.leave()
        other.leave()
    check_log(deployment, (caller, other))


def _play_and_check(caller: Caller, opening: Json, chance: Random) -> bool:
    """Play a game, and hold all that is said of it to the second engine.

    Return True if what the row says came about: an illegal card, or a resignation.
    """
    before = read_metrics(caller.deployment)
    played = _play(caller, opening, chance)
    record: Json = caller.read("GET", played.opened.path + "/record")
    replay = Replay(record)
    check_metrics(caller.deployment, before, replay, played)
    check_seen(caller, played, replay)
    check_record(caller, played, replay)
    check_questions(caller, replay, chance)
    return played.slipped if caller.row.ending == "played out" else record["resigned"] is not None


def _play(caller: Caller, opening: Json, chance: Random) -> Played:
    """Play a game by the client of the row."""
    deployment, row = caller.deployment, caller.row
    headers = {name: value for name, value in caller.headers.items() if name != "X-API-Key"}
    if row.client == "TypeScript":
        return node.play_by_typescript(deployment, headers, opening)
    if row.client == "table page":
        opened = msgspec.convert(caller.read("POST", "/v1/games", opening, status=201), Opened)
        return node.play_at_table(deployment, headers, opened, opening)
    with ExitStack() as stack:
        bearers: dict[str, Bearer]
        if row.client == "curl":
            client = curl.Curl(deployment.url, caller.headers)
            opened = client.open_game(opening)
            make = partial(curl.CurlBearer, polls=row.following == "polling", at_end=stack.callback)
            bearers = {token: make(client, opened, token) for token in bearers_of(opened)}
        else:
            kind = "sync" if row.client == "Python" else "async"
            package = stack.enter_context(python_client.connected(kind, deployment.url, deployment.keys[0], headers))
            opened = python_client.open_game(package, opening)
            make_one = partial(python_client.PythonBearer, package, opened)
            bearers = {token: make_one(token) for token in bearers_of(opened)}
        return Table(opened, opening, bearers, chance, resigns=row.ending == "resigned").play()


def check_opening_again(caller: Caller, other: Caller, opening: Json) -> None:
    """Hold that a repeated opening opens one game, for another caller another one, and that a deleted game is gone."""
    key = token_hex(16)
    opened, again, another = (
        msgspec.convert(one.read("POST", "/v1/games", opening, status=201, idempotency_key=key), Opened)
        for one in (caller, caller, other)
    )
    assert opened == again
    assert opened.id != another.id
    deleted = caller.insist("DELETE", opened.path, authorization=f"Bearer {opened.host_token}")
    assert deleted.status_code == 204, deleted.text
    assert {one.insist("GET", opened.path).status_code for one in (caller, other)} <= {404, 410}
    assert caller.read("GET", another.path)["phase"] == "to_deal"


def check_seen(caller: Caller, played: Played, replay: Replay) -> None:
    """Hold what every bearer was shown to the states: as the client told it, and page by page at the end."""
    seats = {token: seat for seat, token in enumerate(played.opened.tokens)}
    for token, seen in played.seen.items():
        replay.check(seen, seats.get(token))
    for token in (*played.opened.tokens, played.opened.host_token, ""):
        bearer = f"Bearer {token}" if token else ""
        game = caller.read("GET", played.opened.path, authorization=bearer)
        assert game["phase"] == "game_over"
        changes = list_changes(caller, played.opened, bearer)
        replay.check(changes, seats.get(token))
    check_pages(played, replay)
    if played.verdict is not None:
        assert not played.verdict["legal"]
        refused = (played.verdict["card"], played.verdict["reason"])
        turns = [turn for turn in replay.turns if engine.turn(turn.before) == played.verdict["seat"]]
        held = [turn.before for turn in turns if refused[0] in turn.before["hands"][played.verdict["seat"]]]
        assert refused[1] in {engine.verdict(state, refused[0]) for state in held}


def check_pages(played: Played, replay: Replay) -> None:
    """Hold the last count that pages show, side by side, to the totals."""
    if played.said:
        totals = engine.totals(replay.end)
        columns = len(played.said) // len(totals)
        assert played.said[columns - 1 :: columns] == [str(total) for total in totals], played.said


def list_changes(caller: Caller, opened: Opened, bearer: str) -> list[Seen]:
    """List all changes of a game since it was opened."""
    found: list[Seen] = []
    after, more = opened.version, True
    while more:
        page = caller.read("GET", f"{opened.path}/changes?after={after}", authorization=bearer)
        found += [seen_of(message["event"], message["id"], message["data"]) for message in page["messages"]]
        after, more = found[-1].revision, page["more"]
    return found


def check_record(caller: Caller, played: Played, replay: Replay) -> None:
    """Hold the adjudication of the record to the second engine's, and the proof of every deal to what was dealt."""
    record = replay.record
    shuffles = caller.read("GET", played.opened.path)["shuffles"]
    check_proofs(record, [shuffle["commitment"] for shuffle in shuffles])
    body: Json | str = record
    if caller.row.hands == "hidden hands":
        body = record = replay.hidden
    if caller.row.form == "notation":
        body = caller.insist("GET", played.opened.path + "/record", accept=RECORD_TEXT).text
        if record is not replay.record:
            body = format_record(msgspec.convert(record, Record))
    judged: Json = caller.read("POST", "/v1/adjudications", body)
    assert judged["winners"] == replay.winners
    compare_adjudication({**judged, "winners": engine.winners(replay.end)}, record)


def check_proofs(record: Json, commitments: list[str]) -> None:
    """Deal again from every proof, with nothing of the service, and hold that to the record and the commitments."""
    read = msgspec.convert(record, Record)
    for deal, commitment in zip(read.deals, commitments, strict=False):
        hands = 1 + len(deal.later_hands[0] if deal.later_hands else ())
        assert not isinstance(deal.hands[0], int)
        piles = dealt(deal.proof, len(deal.hands), hands, len(deal.hands[0]))
        assert [set(pile) for pile in piles] == shown(structs.replace(read, deals=(deal,)))
        assert deal.proof is not None
        assert deal.proof.commitment == commitment


def check_questions(caller: Caller, replay: Replay, chance: Random) -> None:
    """Ask all about the last deal, card by card: of all hands, or as a spectator and a seat have seen it."""
    questioner = Questioner(caller)
    row, record, turns = caller.row, replay.record, replay.deals[-1]
    if row.hands == "hidden hands":
        for eyes in (None, chance.randrange(row.players)):
            follower = Follower(eyes, turns[0].before, questioner.ask)
            for turn in turns:
                if turn.after["revoked"] is None:
                    follower.follow(turn.before, turn.after, turn.card)
            if turns[-1].after["revoked"] is None and row.ending != "resigned":
                follower.see_the_end(turns[-1].after)
    else:
        ruleset = published(record["rules"]) if isinstance(record["rules"], str) else record["rules"]
        penalise = record["on_revoke"] == "penalise"
        game = Game(record["rules"], ruleset, record["sides"], penalise, chance, questioner.ask)
        at = questioner.ask("positions", state=turns[0].before)
        for turn in turns:
            at, after = compare_play(game, at, turn.before, turn.card)
            assert after == turn.after
        assert at == expected.position(replay.end)
        compare_answers(game, at, replay.end, expected.reasons(replay.end, at))
    questioner.check()
