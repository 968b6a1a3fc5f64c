"""The command verify-deal on a game: it proves the draw for seats, and reports false answers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from service.server.cli import main
from tests.support.games.callers import Live

Game = dict[str, Any]


def draw_for_seats(live: Live) -> tuple[Game, str]:
    """Draw for the seats of a game to which seat 2 has added, and return the game and the commitment before."""
    table = live.open("trebor", seats=[{"name": name} for name in ("Ann", "Bob", "Cho", "Dee")])
    table.stir(2, "my-own-dice")
    before = table.see().shuffles[0].commitment
    answer = table.call("host", "POST", "/seatings", {}, table.last_seen)
    assert answer.status == 200, answer
    return msgspec.json.decode(answer.body), before


def verified(game: Game, path: Path, *options: str) -> int:
    (path / "game.json").write_bytes(msgspec.json.encode(game))
    return main(["verify-deal", str(path / "game.json"), *options])


def test_a_draw_for_seats_is_proved_by_what_was_noted_before_it(
    live: Live, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, before = draw_for_seats(live)
    assert verified(game, tmp_path, f"--commitment=1={before}", "--entropy=1/2=my-own-dice", "--entropy=1/0=") == 0
    assert capsys.readouterr() == ("draw for seats before deal 1: proved\n", "")
    assert verified(game, tmp_path) == 0
    assert "only shown to agree with itself" in capsys.readouterr().err


FALSE: Final[dict[str, tuple[Callable[[Game], object], str]]] = {
    "commitment": (lambda seating: seating["proof"].update(commitment="0" * 64), "does not match the secret"),
    "entropy": (lambda seating: seating["proof"]["entropy"].append(""), "the entropy is of 5 seats, not of 4"),
    "card": (lambda seating: seating["rounds"][0].reverse(), "other cards were drawn"),
    "seats": (lambda seating: seating["seats"].reverse(), "the players sit as"),
}


@pytest.mark.parametrize(("change", "said"), FALSE.values(), ids=FALSE.keys())
def test_a_draw_that_does_not_follow_is_not_proved(
    live: Live, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Game], object], said: str
) -> None:
    game, _ = draw_for_seats(live)
    change(game["seating"])
    assert verified(game, tmp_path) == 1
    out = capsys.readouterr().out
    assert out.startswith("draw for seats before deal 1: NOT proved: ")
    assert said in out


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        ((f"--commitment=1={'0' * 64}",), 1, "the commitment is not the one that was noted"),
        (("--entropy=1/2=other-dice",), 1, "what seat 2 added is not what was noted"),
        (("--entropy=2/2=my-own-dice",), 2, "the draw for seats is before deal 1, not before deal 2"),
    ],
)
def test_a_draw_that_differs_from_a_note_is_not_proved(
    live: Live, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], code: int, said: str
) -> None:
    assert verified(draw_for_seats(live)[0], tmp_path, *options) == code
    assert said in "".join(capsys.readouterr())


def test_a_game_whose_seats_were_named_proves_nothing(
    live: Live, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = live.open("trebor", 2)
    named = table.call("host", "POST", "/seatings", {"seats": [1, 0]}, table.last_seen)
    for game in (named, table.call("host", "GET")):
        assert verified(msgspec.json.decode(game.body), tmp_path) == 2
        assert "the game has no draw for seats" in capsys.readouterr().err


def test_entropy_that_no_seat_can_add_is_refused_with_its_place(
    live: Live, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, _ = draw_for_seats(live)
    game["seating"]["proof"]["entropy"][3] = "é"
    assert verified(game, tmp_path) == 2
    assert "at `$.seating.proof.entropy[3]`" in capsys.readouterr().err
