"""The runner: it plays a seat of a live game with the cards that the service suggests."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from catch_the_ten import Client, Update, models
from catch_the_ten.__main__ import main, read_link
from catch_the_ten.history import History
from catch_the_ten.sight import number_of
from msgspec.structs import replace

from tests.python_client.playing import open_game

GAME = "i" * 22


def test_a_game_is_played_by_runners_alone(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with Client(url) as client:
        opened = open_game(client, 1)
        links = [f"{url}/table#game={opened.id}&seat={at.seat}&token={at.token}" for at in opened.seats]
        with ThreadPoolExecutor(len(links)) as threads:
            assert list(threads.map(main, [["play", link, "--level", "easy"] for link in links])) == [0] * 4
        (deal,) = client.join(opened.id).get_record().deals
        assert len(deal.plays) == 36
    said = capsys.readouterr().out
    assert len(re.findall(r"^Seat \d plays the \w+ of \w+\.$", said, re.MULTILINE)) == 36
    assert said.count("Totals by side: ") == 4


def test_a_seat_is_played_with_all_that_was_played_before(client: Any) -> None:
    """One seat is played by either kind of client, the others by hand, and someone deals before the runner does."""
    opened = open_game(client, 1)
    host = client.join(opened.id, opened.host_token)
    others = [client.join(opened.id, seat.token) for seat in opened.seats[1:]]
    asked: list[Any] = []
    for update in client.play_seat(client.join(opened.id, opened.seats[0].token), "easy"):
        if update.whole and update.phase == "to_deal":
            host.deal()
        turn = None if update.position is None else update.position.turn
        if turn:
            others[turn - 1].see()
            if others[turn - 1].is_my_turn:
                others[turn - 1].play(others[turn - 1].legal_cards[0])
        asked.append(number_of(update.version))
    assert asked == list(range(asked[0], asked[0] + len(asked)))
    assert host.see().phase == "game_over"


def test_what_was_played_is_known_from_the_deal_on(url: str) -> None:
    with Client(url) as client:
        opened = open_game(client, 1)
        host = client.join(opened.id, opened.host_token)
        first, dealt = host.latest, host.deal()
    played = models.RecordedPlay(seat=0, card="TH")
    event = models.CardPlayed(seat=0, card="TH")
    whole = Update(game=first.game, whole=True)
    history = History()
    known: list[object] = []
    back = models.TakenBack(seat=0, card="TH")
    updates = [replace(dealt, events=[each]) for each in (event, back, event)]
    for update in (replace(first, events=[event]), dealt, *updates, whole):
        history.take(update)
        known.append(history.plays)
    assert known == [None, [], [played], [], [played], None]


@pytest.mark.parametrize(
    ("link", "read"),
    [
        (f"http://host/v1/games/{GAME}", ("http://host", GAME, "")),
        (f"https://host/ten/v1/games/{GAME}#token=t", ("https://host/ten", GAME, "t")),
        (f"https://host/ten/table#game={GAME}&seat=1&token=t", ("https://host/ten", GAME, "t")),
    ],
)
def test_a_link_leads_to_the_game_or_to_a_seat(link: str, read: tuple[str, str, str]) -> None:
    assert read_link(link) == read


def test_a_failure_is_told_in_a_line(url: str, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    with Client(url) as client:
        game = open_game(client, 1).id
    monkeypatch.setenv("CATCH_THE_TEN_TOKEN", "t" * 43)
    for link in ("http://127.0.0.1/", f"{url}/v1/games/{GAME}", f"{url}/v1/games/{game}"):
        assert main(["play", link]) == 1
    monkeypatch.delenv("CATCH_THE_TEN_TOKEN")
    assert main(["play", f"{url}/v1/games/{game}"]) == 1
    no_link, no_game, no_token, no_seat = capsys.readouterr().err.splitlines()
    assert no_link.startswith("This is no link to a game")
    assert no_game.startswith("no_such_game: ")
    assert no_token.startswith("unknown_token: ")
    assert no_seat == "Give the token of a seat."
