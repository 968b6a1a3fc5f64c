"""A player asks how several games stand at once, each as the bearer of its token."""

from typing import Any

from catch_the_ten.models import MyGame


def test_each_game_stands_by_itself(client: Any) -> None:
    opened = client.open_game(rules="trebor", players=2)
    token = opened.seats[0].token
    good, void, gone = client.list_my_games(
        [MyGame(id=opened.id, token=token), MyGame(id=opened.id, token="void"), MyGame(id="A" * 22)]
    ).answers
    assert (good.answer.id, good.answer.phase, good.problem) == (opened.id, "to_deal", None)
    assert [(one.status, one.answer, one.problem.code) for one in (void, gone)] == [
        (401, None, "unknown_token"),
        (404, None, "no_such_game"),
    ]
