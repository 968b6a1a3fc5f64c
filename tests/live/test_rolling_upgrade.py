"""Replicas of 1.0.0 beside this version: a request whose answer was lost is repeated at the other one.

The entries are as 1.0.0 wrote them; what 1.0.0 looks for and derives is written out here, from its code.
"""

import hmac
from base64 import b64decode, urlsafe_b64encode
from hashlib import blake2b, sha256
from typing import Any, Final

from service.api.games.games import OpenedGame
from service.api.games.seats import RenewedToken
from service.live.entries import TokenEntry, parse_entry
from service.live.log import open_game
from service.live.tokens import as_stored, derive_secrets
from service.schemas.ids import GameId, Key, Salt, Token
from service.schemas.live_game import LiveGame
from tests.support.games.callers import GAMES, Headers, Live, Table
from tests.support.games.listeners import Follow
from tests.support.http.client import refused

GAME: Final = GameId("FJdKaz8SllFRL0gDCbPwfA")
SEATS: Final = ("JPrIHmDPI7gpwOp_iAe0KvlHonk3DTXrzUZ4VnwnZho", "WXa3ooxN6KCxwknjdOiHIv0gGUIPXNstZGIUQrvPS8g")
HOST: Final = "fyj6A-hNBVC4PHwrg4FtdoyfaNX0mxSE-NDdREueMog"
RENEWED: Final = "6IrCdG6B9jMbOvohNREqjbvlYBV9M9jdkdOn_dexHW8"
OPENING: Final = b64decode(
    "Zmlyc3QhAbpg0zgAA9wAEKFvpmRlbmV4YZKRAJEBpnJlZnVzZc4AAVGAwgDZQGI4MmQzMmUwY2ZlMGJiYzI3MzRiZjM1ZjdiNjM0YzAyN2QyZGFhZGEy"
    "NTlhMWYyOWU1MzRjODMyNDVlMDU0MDTEELLabhcXnPb+v22HghpOGqqSxBAC6EnCs0tn3jU7RqmuXn0VxBBwT0LJQHkBggyAxo4Co5ArkJCQoMDC"
)
RENEWAL: Final = b64decode(
    "c2Vjb25kAbpg0zvoA5ahdAHEEG0yAIkhvNBUPj6qhCDwzBDEEGic7SBzjMgYnol41RQrNWHEIHR0dHR0dHR0dHR0dHR0dHR0dHR0dHR0dHR0dHR0dHR0"
    "o0JlYQ=="
)
KEY: Final = (("idempotency-key", "my-renewal-000001"),)


def bearing(token: str) -> Headers:
    return (("authorization", f"Bearer {token}"),)


def test_a_renewal_that_1_0_0_made_is_repeated_here_from_any_address(live: Live) -> None:
    assert live.run(live.store.create(GAME, OPENING, 86400))
    assert live.run(live.store.append(GAME, 1, RENEWAL, 86400, OPENING))
    path = f"{GAMES}/{GAME}/seats/1/tokens"
    moved = Live(live.runner, live.store)
    moved.client = "203.0.113.7"
    for caller in (live, moved):
        answer = caller.call("POST", path, {"name": "Bea"}, (*bearing(SEATS[1]), *KEY))
        assert answer.read(RenewedToken).token == RENEWED
    for token, seat in ((RENEWED, 1), (SEATS[0], 0), (HOST, None)):
        assert live.call("GET", f"{GAMES}/{GAME}", headers=bearing(token)).read(LiveGame).seat == seat
    refused(live.call("POST", path, {"name": "Bea"}, (*bearing(SEATS[0]), *KEY)), "wrong_token")
    another = (("idempotency-key", "another-key-000001"),)
    refused(live.call("POST", path, {"name": "Bea"}, (*bearing(SEATS[1]), *another)), "unknown_token")


def test_a_renewal_that_was_made_here_is_recognized_by_1_0_0_and_its_answer_is_valid_here(
    live: Live, follow: Follow
) -> None:
    table = live.open("denexa", 2)
    sent = table.tokens[1]
    made = live.call("POST", f"{table.path}/seats/1/tokens", None, (*bearing(sent), *KEY)).read(RenewedToken)
    entry = parse_entry(live.run(live.store.load(table.opened.id)).entries[1])
    assert isinstance(entry, TokenEntry)
    asked = f"address/127.0.0.1\0{sent}\0{KEY[0][1]}"
    assert entry.request == blake2b(asked.encode(), digest_size=16).digest()
    derived = hmac.digest(sent.encode(), entry.salt + KEY[0][1].encode(), sha256)
    answered = urlsafe_b64encode(derived).rstrip(b"=").decode()
    assert made.token == f"ctt_seat_{answered}"
    assert entry.token == blake2b(made.token.encode(), digest_size=16).digest(), "as 1.0.0 hashes what is sent"
    assert live.call("GET", table.path, headers=bearing(answered)).read(LiveGame).seat == 1
    table.tokens = (table.tokens[0], Token(answered))
    follow(table, 1).hear(1)
    refused(live.call("GET", table.path, headers=bearing(f"ctt_host_{answered}")), "unknown_token")


def test_a_game_that_1_0_0_opened_is_opened_again_with_the_tokens_that_it_gave() -> None:
    secrets = derive_secrets(2, Key("opened by 1.0.0 !"), Salt(b"s" * 32))
    assert secrets.game == GAME
    assert [token.rpartition("_seat_")[0] for token in secrets.seats] == ["ctt", "ctt"]
    stored = as_stored(secrets, open_game(OPENING).opened)
    assert (stored.seats, stored.host) == (SEATS, HOST)


def test_the_tokens_without_their_beginnings_that_1_0_0_gives_for_a_repeated_opening_are_valid_here(
    live: Live,
) -> None:
    body: dict[str, Any] = {"rules": "denexa", "players": 2}
    opened = live.call("POST", GAMES, body, (("idempotency-key", "opening-00000001"),))
    game = opened.read(OpenedGame)
    tokens = [*(seat.token for seat in game.seats), game.host_token]
    assert [token[:9] for token in tokens] == ["ctt_seat_", "ctt_seat_", "ctt_host_"]
    path = Table(live, opened).path
    roles = [live.call("GET", path, headers=bearing(token[9:])).read(LiveGame).role for token in tokens]
    assert roles == ["seat", "seat", "host"]
    again = live.call("POST", GAMES, body, (("idempotency-key", "opening-00000001"),))
    assert again.read(OpenedGame) == game
