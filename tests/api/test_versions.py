"""If-Match: needed where the document lists it, because another's change could give the request another meaning."""

from typing import Any, Final, NamedTuple

import pytest

from service.api.openapi.document import document
from tests.support.games.callers import Bearer, Live, Table
from tests.support.http.client import Answer, refused


class Act(NamedTuple):
    """A change that the bearer may make of a game whose seat 1 has dealt, unless it is the deal."""

    operation: str
    method: str
    what: str
    body: object
    bearer: Bearer = "host"


ACTS: Final = (
    Act("play_card", "POST", "/plays", {"card": "6C"}, 1),
    Act("deal_next", "POST", "/deals", {}),
    Act("resign", "POST", "/resignations", {"seat": 2}),
    Act("seat_computer", "PUT", "/seats/2/computer", {"level": "easy"}),
    Act("take_seat_back", "DELETE", "/seats/2/computer", None),
    Act("take_back", "POST", "/take-backs", None, 1),
    Act("change_seats", "POST", "/seatings", {"seats": [1, 0, 2, 3]}),
    Act("open_rematch", "POST", "/rematches", None),
    Act("add_entropy", "POST", "/entropy", {"entropy": "dice"}, 1),
    Act("renew_token", "POST", "/seats/2/tokens", None),
    Act("delete_game", "DELETE", "", None),
)


def declared(operation: str) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = document()["paths"]
    return next(op for item in paths.values() for op in item.values() if op["operationId"] == operation)


def needs_version(operation: str) -> bool:
    return any(one["name"] == "If-Match" and one["required"] for one in declared(operation).get("parameters", ()))


def ask(table: Table, act: Act, version: int | None = None) -> Answer:
    return table.call(act.bearer, act.method, act.what, act.body, version)


def test_every_change_of_a_live_game_is_tried_here() -> None:
    paths: dict[str, dict[str, Any]] = document()["paths"]
    changes = {
        op["operationId"]
        for path, item in paths.items()
        for method, op in item.items()
        if "{game_id}" in path and method != "get"
    }
    assert changes == {act.operation for act in ACTS}


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.operation)
def test_a_version_is_needed_where_the_document_lists_that_it_is(live: Live, act: Act) -> None:
    answer = ask(live.open(first_dealer=1), act)
    assert (answer.status == 428) == needs_version(act.operation) == ("428" in declared(act.operation)["responses"])
    if answer.status == 428:
        refused(answer, "version_needed")


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.operation)
def test_an_older_version_is_refused_where_the_document_lists_that_it_is(live: Live, act: Act) -> None:
    table = live.open(first_dealer=1, computers=[None, None, "easy", None] if act.method == "DELETE" else ())
    table.stir(3, "x")
    if act.operation == "open_rematch":
        assert (table.deal().status, table.resign(0).status) == (200, 200)
    answer = ask(table, act, 1)
    assert (answer.status == 412) == needs_version(act.operation) == ("412" in declared(act.operation)["responses"])
    if answer.status == 412:
        assert refused(answer, "stale_version").version == str(table.revision(2))
    else:
        assert answer.status in {200, 201, 204}
