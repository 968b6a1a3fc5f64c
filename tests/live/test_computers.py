"""Seats that the computer plays: each card once, whichever process dies, by what the seat may see and nothing else."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from random import Random
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from service.api.reasoning import thinking
from service.api.reasoning.suggestion_answer import Suggestion
from service.api.reasoning.thinking import ComputerPlayer, think
from service.game.cards import card_code
from service.game.level import Level
from service.game.rules.past import seats_of
from service.game.rules.record import Record
from service.game.state import State, to_claim
from service.live import computers
from service.live.changes import change
from service.live.computers import Computers, Limits
from service.live.decisions import Decision, decide_deal
from service.live.entries import DealEntry, PlayEntry
from service.live.log import Game
from service.live.pending_task import find_task, observe
from service.live.repository import Repository
from service.live.store.memory import MemoryStore
from service.live.store.protocol import Store
from service.schemas.ids import NOBODY, Caller, GameId
from service.schemas.live_game import Change, LiveGame
from service.schemas.refusal import ProblemCode
from tests.live.test_secrets import Spy
from tests.platform.metrics.readings import value
from tests.support import wire
from tests.support.games.callers import GAMES, Bearer, Live, Table, computers_of, number_of, position_of, write_seats
from tests.support.games.course import course, until
from tests.support.games.listeners import Follow
from tests.support.games.stores import Failing
from tests.support.http.client import Answer, refused

EASY: Final[Level] = "easy"
THREE: Final = (None, EASY, EASY, EASY)


QUICK: Final = Limits(deal=0.01)


@pytest.fixture
def live(runner: asyncio.Runner, store: Store) -> Live:
    """A process in which the computer deals soon, so that tests are short."""
    return Live(runner, store, limits=QUICK)


@pytest.fixture
def process(runner: asyncio.Runner, store: Store) -> Iterator[Callable[..., Live]]:
    """Make processes of the service over the store, which end with the test."""
    made: list[Live] = []

    def begin(limits: Limits = QUICK) -> Live:
        made.append(Live(runner, store, limits=limits))
        return made[-1]

    yield begin
    for one in made:
        one.stop.end()


def await_person(table: Table) -> LiveGame:
    """Run the computers until they have nothing to do."""
    until(table.live, lambda: find_task(course(table)[-1].game) is None)
    return table.see()


def play_on(table: Table, chance: Random, plays: int = 100) -> None:
    """Play for the persons, `plays` cards or until the deal is over."""
    for _ in range(plays):
        if await_person(table).phase != "playing":
            return
        table.play_any(chance)


def seat(table: Table, bearer: Bearer, at: int, level: str | None) -> Answer:
    body, method = ({"level": level}, "PUT") if level else (None, "DELETE")
    return table.call(bearer, method, f"/seats/{at}/computer", body, table.last_seen)


@pytest.mark.parametrize(("rules", "players"), [("trebor", 4), ("gamerules", 2), ("denexa", 5), ("take-ten", 3)])
def test_one_person_plays_a_game_against_computers(
    live: Live, follow: Follow, chance: Random, rules: str, players: int
) -> None:
    before = value("catchten_computer_plays_total", level=EASY)
    table = live.open(rules, players, computers=(None, *[EASY] * (players - 1)), first_dealer=0)
    stream = follow(table, 0)
    stream.hear(1)
    assert computers_of(table.see()) == (None, *[EASY] * (players - 1))
    assert table.deal(0).status == 200
    play_on(table, chance)
    record = table.call(None, "GET", "/record")
    told = live.call("POST", "/v1/adjudications", record.body).read(wire.Adjudication)
    assert told.irregularities == ()
    plays = [play.seat for deal in record.read(Record).deals for play in deal.plays]
    assert plays
    counted = value("catchten_computer_plays_total", level=EASY) - before
    assert counted == sum(isinstance(one.entry, PlayEntry) and one.entry.seat != 0 for one in course(table))
    version = table.number()
    assert [said.version for said in stream.hear_version(version)] == list(range(1, version + 1))


def test_the_computer_deals_where_it_is_the_dealer(live: Live, chance: Random) -> None:
    table = live.open("french-whist", 3, computers=(EASY, None, EASY), first_dealer=2)
    for deal in (1, 2):
        assert position_of(await_person(table)).state.deal == deal
        while position_of(await_person(table)).state.deal == deal and table.phase() == "playing":
            table.play_any(chance)
    assert [type(step.entry) for step in course(table)].count(DealEntry) >= 2


def test_the_computer_waits_with_the_first_deal_until_all_people_have_come(live: Live) -> None:
    seats = [{"name": "Ann"}, {}, {}, {"computer": EASY}]
    table = live.open(seats=seats, first_dealer=3)
    for at in (1, 2):
        live.run(asyncio.sleep(0.1))
        assert table.see().phase == "to_deal"
        assert table.call(at, "POST", f"/seats/{at}/tokens", {"name": f"Friend {at}"}).status == 200
    until(live, lambda: table.see(0).phase == "playing")


def test_the_host_may_deal_before_the_computer_does(process: Callable[..., Live]) -> None:
    table = process(Limits(deal=60)).open("french-whist", 3, computers=(EASY, None, EASY), first_dealer=2)
    assert table.stir(1, "mine").status == 200
    assert table.deal("host").status == 200
    assert await_person(table).phase == "playing"


def test_a_person_deals_and_the_computers_wait(live: Live) -> None:
    table = live.open("trebor", 4, computers=THREE, first_dealer=0)
    live.run(asyncio.sleep(0.1))
    assert table.see().phase == "to_deal"


@pytest.mark.parametrize(
    ("seats", "code"),
    [
        ([EASY] * 4, "impossible_request"),
        ([None, EASY], "impossible_request"),
        ([None, EASY, EASY, "perfect"], "invalid_body"),
        (["", EASY, EASY, EASY], "invalid_body"),
    ],
)
def test_one_seat_at_least_is_a_persons(live: Live, seats: list[str | None], code: ProblemCode) -> None:
    problem = refused(live.call("POST", GAMES, {"rules": "trebor", "players": 4, "seats": write_seats(seats)}), code)
    assert problem.errors
    assert all(error.pointer.startswith("/seats") for error in problem.errors)


@pytest.mark.parametrize("bearer", [2, "host"])
def test_the_computer_takes_over_a_seat_and_a_person_takes_it_back(
    live: Live, follow: Follow, chance: Random, bearer: Bearer
) -> None:
    table = live.open("trebor", 4, first_dealer=1)
    stream = follow(table)
    stream.hear(1)
    table.deal()
    answer = seat(table, bearer, 2, EASY)
    assert answer.read(Change).events == (wire.ComputerSeated(2, EASY),)
    assert computers_of(table.see()) == (None, None, EASY, None)
    assert answer.headers["etag"] == f'"{table.revision(3)}"'
    assert position_of(await_person(table)).turn == 3
    back = seat(table, bearer, 2, None).read(Change)
    assert computers_of(table.see()) == (None,) * 4
    told = [said.change.events for said in stream.hear_version(number_of(back.version))[1:]]
    assert wire.ComputerSeated(2, EASY) in told[1]
    assert told[-1] == (wire.ComputerLeft(2),)
    for _ in range(4):
        table.play_any(chance)


def test_what_is_so_already_changes_nothing(live: Live) -> None:
    table = live.open("trebor", 4, computers=THREE, first_dealer=0)
    for at, level in ((0, None), (1, EASY)):
        assert seat(table, "host", at, level).read(Change).events == ()
    assert table.number() == 1
    assert seat(table, "host", 1, "hard").read(Change).events == (wire.ComputerSeated(1, "hard"),)


@pytest.mark.parametrize(
    ("bearer", "at", "code"),
    [(None, 1, "token_missing"), (0, 1, "wrong_token"), ("host", 5, "not_found"), ("host", 0, "impossible_request")],
)
def test_only_the_seat_or_the_host_lets_the_computer_play_and_the_last_person_stays(
    live: Live, bearer: Bearer, at: int, code: ProblemCode
) -> None:
    table = live.open("trebor", 4, computers=THREE, first_dealer=0)
    refused(seat(table, bearer, at, "hard"), code)
    assert table.number() == 1


def test_a_person_does_not_play_for_the_computer(live: Live, chance: Random) -> None:
    table = live.open("trebor", 4, computers=THREE, first_dealer=3)
    table.deal()
    turn = table.turn()
    for at in (1, 2, 3):
        refused(table.play(at, turn.legal[0], turn.version), "computer_plays")


def test_each_card_of_the_computer_follows_from_what_its_seat_may_see(live: Live, chance: Random) -> None:
    table = live.open("gamerules", 3, computers=(None, "easy", "medium"), first_dealer=0)
    table.deal()
    play_on(table, chance, 3)
    await_person(table)
    before = course(table)[0].game
    played = 0
    for step in course(table):
        entry = step.entry
        if isinstance(entry, PlayEntry) and (level := before.computers[entry.seat]):
            state, cards, seed = observe(before, entry.seat)
            plays = zip(seats_of(state, cards), cards, strict=True)
            question = {
                "state": msgspec.to_builtins(to_claim(state)),
                "plays": [{"seat": at, "card": card_code(card)} for at, card in plays],
                "level": level,
                "seed": seed,
            }
            told = live.call("POST", "/v1/suggestions", question).read(Suggestion)
            assert told.card == card_code(entry.card)
            played += 1
        before = step.game
    assert played >= 6


def exchange(state: State, one: int, other: int) -> State:
    """Exchange a card between two hands."""
    both = (state.hands[one] & -state.hands[one]) | (state.hands[other] & -state.hands[other])
    hands = [hand ^ both if at in {one, other} else hand for at, hand in enumerate(state.hands)]
    return replace(state, hands=tuple(hands))


def test_two_games_that_a_seat_cannot_tell_apart_are_the_same_to_the_computer(live: Live, chance: Random) -> None:
    table = live.open("trebor", 4, first_dealer=3)
    table.deal()
    for _ in range(12):
        table.play_any(chance)
        game = course(table)[-1].game
        assert game.state is not None
        turn = game.state.seat_to_play
        others = [at for at in range(4) if at != turn]
        other = replace(game, state=exchange(game.state, others[0], others[1]), secret="f" * 64)
        assert other.state != game.state
        assert observe(other, turn) == observe(game, turn)


def test_another_process_takes_over_when_one_has_died(process: Callable[[], Live], chance: Random) -> None:
    one, two = process(), process()
    table = one.open("trebor", 4, computers=THREE, first_dealer=0)
    one.stop.end()
    table.deal(0)
    there = table.over(two)
    assert position_of(there.see()).turn == 1
    await_person(there)
    assert position_of(there.see()).turn == 0


def test_with_many_processes_each_card_is_played_once(
    process: Callable[..., Live], follow: Follow, chance: Random
) -> None:
    at_once = Limits(deal=0.01, takeover={EASY: 0.0})  # so that all of them play every card
    before = value("catchten_computer_plays_total", level=EASY)
    processes = [process(at_once) for _ in range(3)]
    table = processes[0].open("trebor", 4, computers=THREE, first_dealer=0)
    for one in processes:
        follow(table.over(one)).hear(1)
    table.deal(0)
    play_on(table, chance)
    plays = [step.entry.seat for step in course(table) if isinstance(step.entry, PlayEntry)]
    counted = value("catchten_computer_plays_total", level=EASY) - before
    assert counted == sum(at != 0 for at in plays)


class Announcing(MemoryStore):
    """A store that shows each change before it is acknowledged, as an event stream may see it."""

    show: Callable[[GameId], Awaitable[None]] | None = None

    async def append(
        self, game: GameId, version: int, entry: bytes, ttl: int, after: bytes, owner: Caller = NOBODY
    ) -> bool:
        made = await super().append(game, version, entry, ttl, after)
        if self.show is not None:
            await self.show(game)
            await asyncio.sleep(0.01)
        return made


def test_a_process_that_reads_its_own_change_before_it_is_acknowledged_goes_on_at_once(live: Live) -> None:
    store = Announcing(10, 2**20)
    table = Live(live.runner, store).open("trebor", 4, computers=THREE, first_dealer=0)
    repository, game_id = Repository(store), table.opened.id
    players = Computers(repository, lambda: 0, ComputerPlayer(), limits=Limits(takeover={EASY: 60.0}))

    async def show(game_id: GameId) -> None:
        players.start_after_timeout(game_id, await repository.load(game_id), Caller("follower"))

    async def deal() -> None:
        token = table.tokens[0]

        def decide(game: Game) -> Decision:
            return decide_deal(game, token, game.revision, None, threes=False, secret="x")

        made = await change(repository, lambda: 0, game_id, decide)
        players.start_now(game_id, made.step.game, Caller("caller"))

    store.show = show
    live.run(deal())
    await_person(table)
    players.close()
    assert len(course(table)) == 5


def test_a_seat_that_renews_its_token_does_not_put_off_the_deal_of_the_computer(process: Callable[..., Live]) -> None:
    live = process(Limits(deal=0.3))
    table = live.open("french-whist", 3, computers=(EASY, None, EASY), first_dealer=2)
    for _ in range(30):
        assert table.call("host", "POST", "/seats/1/tokens").status == 200
        live.run(asyncio.sleep(0.05))
    assert table.phase() == "playing"


def test_a_card_that_a_renewal_forestalls_is_played_at_once_after_it(
    process: Callable[..., Live], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = process(Limits(takeover={EASY: 60.0})), process(Limits(takeover={EASY: 60.0}))
    table = one.open("trebor", 4, computers=THREE, first_dealer=0)
    renewal, renewed = f"{table.path}/seats/0/tokens", list[int]()
    two.stop.end()

    async def think_and_renew(*asked: Any) -> object:
        """Let another process renew a token while this one thinks of the first card."""
        if not renewed:
            renewed.append((await two.asked("POST", renewal, None, table.token("host"))).status)
        return await think(*asked)

    monkeypatch.setattr(thinking, "think", think_and_renew)
    table.deal(0)
    await_person(table)
    assert renewed == [200]
    assert [step.entry.seat for step in course(table) if isinstance(step.entry, PlayEntry)] == [1, 2, 3]


def test_a_turn_that_its_store_does_not_take_is_overdue_until_the_store_is_back(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computers, "OVERDUE_SECONDS", 0.0)
    store, harms = Failing(), [["append"] * 2]

    async def think_and_harm(*asked: Any) -> object:
        """Let the store refuse the first card twice."""
        if harms:
            store.before += harms.pop()
        return await think(*asked)

    monkeypatch.setattr(thinking, "think", think_and_harm)
    over = Live(live.runner, store, limits=QUICK)
    table = over.open("trebor", 4, computers=THREE, first_dealer=0)
    table.deal(0)
    until(live, lambda: not harms)
    assert value("catchten_computer_turns_overdue") == 1
    await_person(table)
    assert value("catchten_computer_turns_overdue") == 0


@pytest.mark.parametrize("made", [False, True])
def test_the_computer_goes_on_once_a_store_is_back(
    live: Live, chance: Random, monkeypatch: pytest.MonkeyPatch, *, made: bool
) -> None:
    store = Failing()
    over = Live(live.runner, store, limits=QUICK)
    harms = [store.after if made else store.before] * 2

    async def think_and_harm(*asked: Any) -> object:
        """Make the next change fail, before or after it is made."""
        if harms:
            harms.pop().append("append")
        return await think(*asked)

    monkeypatch.setattr(thinking, "think", think_and_harm)
    table = over.open("trebor", 4, computers=THREE, first_dealer=0)
    table.deal(0)
    play_on(table, chance, 2)
    assert position_of(await_person(table)).turn == 0
    assert harms + store.after + store.before == list[Any]()
    plays = [step.entry.seat for step in course(table) if isinstance(step.entry, PlayEntry)]
    assert plays[:4] == [1, 2, 3, 0]


def test_nobody_is_told_what_the_computer_holds(
    live: Live, follow: Follow, chance: Random, caplog: pytest.LogCaptureFixture
) -> None:
    table = live.open("gamerules", 3, computers=(None, EASY, EASY), first_dealer=0)
    spy = Spy(table, follow, chance)
    table.deal(0)
    for _ in range(5):
        await_person(table)
        spy.look()
        table.play_any(chance)
    assert not [record for record in caplog.records if table.opened.id in record.getMessage()]


@pytest.mark.parametrize("what", ["", "/changes"])
def test_a_game_that_is_followed_by_polling_goes_on_when_its_process_has_died(
    process: Callable[..., Live], what: str
) -> None:
    one, two = process(), process()
    table = one.open("trebor", 4, computers=THREE, first_dealer=0)
    there = table.over(two)
    table.deal(0)
    one.stop.end()

    def poll() -> bool:
        assert there.call(0, "GET", what).status == 200
        return find_task(course(table)[-1].game) is None

    until(two, poll)


def test_reading_what_nobody_follows_a_game_by_begins_nothing(process: Callable[..., Live]) -> None:
    one, two = process(), process(Limits(takeover={EASY: 0.0}))
    table = one.open("trebor", 4, computers=THREE, first_dealer=0)
    one.stop.end()
    table.deal(0)
    there = table.over(two)
    for method, what in (("GET", "/record"), ("HEAD", "/record"), ("DELETE", "")):
        there.call(None, method, what)
    two.run(asyncio.sleep(0.1))
    assert len(course(table)) == 2


def test_a_process_that_stops_thinks_no_more(process: Callable[[], Live]) -> None:
    one = process()
    table = one.open("trebor", 4, computers=(None, "hard", "hard", "hard"), first_dealer=0)
    table.deal(0)
    one.stop.end()
    one.run(asyncio.sleep(0.05))
    version = table.number()
    one.run(asyncio.sleep(0.3))
    assert table.number() == version


def test_a_deleted_game_needs_no_computer(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    table = live.open("trebor", 4, computers=(None, "hard", "hard", "hard"), first_dealer=0)
    table.deal(0)
    table.call("host", "DELETE")
    live.run(asyncio.sleep(0.3))
    assert "computer player" not in caplog.text


def test_a_resigned_game_needs_no_computer(live: Live) -> None:
    table = live.open("trebor", 4, computers=(None, "hard", "hard", "hard"), first_dealer=0)
    table.deal(0)
    change = table.resign("host", seat=0).read(Change)
    live.run(asyncio.sleep(0.3))
    assert table.see().version == change.version
