"""URLs of Redis: refused at the start where they cannot be split safely, with nothing of them shown."""

import pytest

from service.app import make_store
from service.platform.settings import BadSettings, Settings
from service.server.server import name_store

SCHEMES = [f"{scheme}{kind}" for scheme in ("redis", "rediss") for kind in ("", "+sentinel", "+cluster")]
PASSWORDS = ["hunter2/word", "hunter2#word", "hunter2?word", "hunter2@word", "hunter2?a=word", "[hunter2", "hunter2]"]


def refuse(url: str) -> str:
    with pytest.raises(BadSettings) as raised:
        make_store(Settings(redis_url=url))
    return str(raised.value)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("password", PASSWORDS)
def test_a_password_that_is_not_encoded_is_refused_and_not_shown(scheme: str, password: str) -> None:
    for user in ("", "hunter2", "hunter2/"):
        said = refuse(f"{scheme}://{user}:{password}@host:6379/0")
        assert said == "REDIS_URL: cannot be split: percent-encode the password"


def test_a_password_of_the_sentinels_that_is_not_encoded_is_refused() -> None:
    assert "percent-encode" in refuse("redis+sentinel://host:1/name/0?sentinel_password=hunter2@word")
    assert "percent-encode" in refuse("redis+sentinel://host:1/name/0?sentinel_password=hunter2#word")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_an_encoded_password_is_taken_and_not_shown(scheme: str) -> None:
    url = f"{scheme}://user:hunter2%2F%23%3F%40@host:6379"
    make_store(Settings(redis_url=url))
    assert name_store(url) == f"in {scheme}://host:6379"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("database", ["games", "0x1", "-1", "1/2", "²", "%30", "1.0"])
def test_a_database_that_is_no_number_is_refused(scheme: str, database: str) -> None:
    service = "/name" if "sentinel" in scheme else ""
    assert refuse(f"{scheme}://host{service}/{database}") == "REDIS_URL: names a database that is no number"


@pytest.mark.parametrize("path", ["", "/", "/0", "/15", "/3/"])
def test_a_database_may_be_left_out(path: str) -> None:
    make_store(Settings(redis_url=f"redis://host{path}"))
    make_store(Settings(redis_url=f"redis+sentinel://host/name{path}"))
